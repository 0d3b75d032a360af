/** Digest and signature against viem's own, and the forms that payers' tools give a signature. */
import test from 'ava'
import { hashTypedData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { recoverSigner } from '../../../gateway/plugin-api.ts'
import { isErc6492, splitSignature } from '../../../plugins/x402/schemes/exact-eip155/signature.ts'
import { domainSeparator, transferDigest } from '../../../plugins/x402/schemes/exact-eip155/typed-data.ts'
import { SeededRandom, seedOfRun } from '../../support/seeded-random.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const asset = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

test('the digest is EIP-712’s, for random authorizations and domains', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const hex = (length: number): Hex => `0x${Buffer.from(random.bytes(length)).toString('hex')}`
  for (let i = 0; i < 200; i++) {
    const signed = {
      from: hex(20),
      to: hex(20),
      value: String(BigInt(hex(1 + random.below(32)))),
      validAfter: String(random.below(2 ** 31)),
      validBefore: String(BigInt(hex(32))),
      nonce: hex(32),
    }
    const { name, version, chainId } = { name: `T${i} ₮`, version: String(i), chainId: 1 + random.below(2 ** 31) }
    const separator = domainSeparator({ name, version, chainId, asset })
    const expected = hashTypedData({
      domain: { name, version, chainId, verifyingContract: asset },
      types,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...signed,
        value: BigInt(signed.value),
        validAfter: BigInt(signed.validAfter),
        validBefore: BigInt(signed.validBefore),
      },
    })
    t.is(transferDigest(separator, signed), expected)
  }
})

test('every form of one signature becomes the form that tokens accept', async (t) => {
  for (let i = 0; i < 40; i++) {
    const digest: Hex = `0x${i.toString(16).padStart(64, '0')}`
    const signature = await account.sign({ hash: digest })
    const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), Number.parseInt(signature.slice(130), 16)]
    const high = (ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
    const compact = (BigInt(`0x${s}`) | (v === 28 ? 2n ** 255n : 0n)).toString(16).padStart(64, '0')
    const forms: Hex[] = [
      signature,
      `0x${r}${s}0${v - 27}`,
      `0x${r}${high}${v === 27 ? '1c' : '1b'}`,
      `0x${r}${high}0${28 - v}`,
      `0x${r}${compact}`,
    ]
    for (const form of forms) {
      const split = splitSignature(form)
      t.deepEqual(split, { r: `0x${r}`, s: `0x${s}`, v: v as 27 | 28 }, form)
      const yParity = split?.v === 28 ? 1 : 0
      t.is(split && (await recoverSigner(digest, { ...split, yParity })), account.address)
    }
  }
})

test('what is no signature is none', async (t) => {
  const signature = await account.sign({ hash: `0x${'22'.repeat(32)}` })
  const s = signature.slice(66, 130)
  const zero = '0'.repeat(64)
  const order = ORDER.toString(16)
  const none = [
    '0x',
    signature.slice(0, -2 * 2),
    `${signature}00`,
    `${signature.slice(0, -2)}1d`,
    `${signature.slice(0, -2)}02`,
    `0x${zero}${s}1b`,
    `0x${order}${s}1b`,
    `${signature.slice(0, 66)}${zero}1b`,
    `${signature.slice(0, 66)}${order}1b`,
  ]
  for (const text of none) t.is(splitSignature(text as Hex), undefined, text)
  t.is(isErc6492(`${signature}${'6492'.repeat(16)}`), true)
  t.is(isErc6492(signature), false)
})
