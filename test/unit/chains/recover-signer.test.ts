/** The library that recovers signers against viem's own, also for what no key has signed. */
import test from 'ava'
import { concat, numberToHex, recoverAddress, type Address, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { recoverSigner, type RecoverableSignature } from '../../../gateway/chains/recover-signer.ts'
import { fuzzCount, SeededRandom, seedOfRun } from '../../support/seeded-random.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const WORD = { size: 32 } as const
/** Of r and s: out of range, at its ends, and an r that is the x of no point. */
const ODD = [0n, 1n, 5n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, ORDER + 1n, 2n ** 256n - 1n]

function byViem(digest: Hex, { r, s, yParity }: RecoverableSignature): Promise<Address | undefined> {
  const signature = concat([r, s, numberToHex(27 + yParity, { size: 1 })])
  return recoverAddress({ hash: digest, signature }).catch(() => undefined)
}

test('signers, and the absence of one, are those that viem finds', async (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const word = (): Hex => `0x${Buffer.from(random.bytes(32)).toString('hex')}`
  const odd = (): Hex => numberToHex(ODD[random.below(ODD.length)] as bigint, WORD)
  let found = 0
  const count = fuzzCount(400)
  for (let i = 0; i < count; i++) {
    const digest = word()
    const yParity = random.below(2) as 0 | 1
    const made = { r: random.below(4) === 0 ? odd() : word(), s: random.below(4) === 0 ? odd() : word(), yParity }
    const signer = await recoverSigner(digest, made)
    t.is(signer, await byViem(digest, made), JSON.stringify({ digest, ...made }))
    if (signer !== undefined) found++
  }
  t.true(found > count / 10 && found < count)
})

test('whoever signed is found, with high s too, and nobody else with the other parity', async (t) => {
  const account = privateKeyToAccount(`0x${'13'.repeat(32)}`)
  const digest: Hex = `0x${'a7'.repeat(32)}`
  const signature = await account.sign({ hash: digest })
  const [r, s]: [Hex, Hex] = [`0x${signature.slice(2, 66)}`, `0x${signature.slice(66, 130)}`]
  const yParity = signature.endsWith('1b') ? 0 : 1
  const other = yParity === 0 ? 1 : 0
  t.is(await recoverSigner(digest, { r, s, yParity }), account.address)
  t.is(await recoverSigner(digest, { r, s: numberToHex(ORDER - BigInt(s), WORD), yParity: other }), account.address)
  t.not(await recoverSigner(digest, { r, s, yParity: other }), account.address)
  t.not(await recoverSigner(`0x${'a8'.repeat(32)}`, { r, s, yParity }), account.address)
})
