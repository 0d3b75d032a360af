/** The test token on a real chain: both forms of EIP-3009, and everything that must not move a unit. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import test from 'ava'
import { concat, numberToHex, parseSignature, type Abi, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { mined } from '../../../cli/mined.ts'
import { hex32, startLocalChain, type LocalChain } from '../../support/local-chain.ts'

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

const payer = privateKeyToAccount(generatePrivateKey())
const payee = privateKeyToAccount(generatePrivateKey()).address
const FAR = 2n ** 40n

let chain: LocalChain
let token: { address: Address; abi: Abi }
test.before(async () => {
  chain = await startLocalChain()
  token = await chain.deploy('TestToken')
  await send('mint', [payer.address, 1_000_000n])
})
test.after.always(() => chain.stop())

let lastNonce = 0
const authorization = (members: object = {}) => ({
  from: payer.address,
  to: payee,
  value: 1_000n,
  validAfter: 0n,
  validBefore: FAR,
  nonce: hex32(++lastNonce),
  ...members,
})
type Authorization = ReturnType<typeof authorization>

function sign(
  message: Authorization,
  {
    signer = payer,
    primaryType = 'TransferWithAuthorization' as 'TransferWithAuthorization' | 'ReceiveWithAuthorization',
    ...domain
  }: Record<string, any> = {},
): Promise<Hex> {
  const own = { name: 'Keystead Test Dollar', version: '1', chainId: 84_532, verifyingContract: token.address }
  return signer.signTypedData({ domain: { ...own, ...domain }, types: TYPES, primaryType, message })
}

const inOrder = (a: Authorization) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce]
const vrs = (signature: Hex) => {
  const { v, r, s } = parseSignature(signature)
  return [Number(v), r, s]
}

async function send(functionName: string, args: readonly unknown[], account: Address = chain.owner) {
  const call = { address: token.address, abi: token.abi, functionName, args, account, chain: null }
  return mined(chain.client, () => chain.client.writeContract(call))
}

/** The name of the error that a call reverts with; undefined when it would pass. */
async function refusal(functionName: string, args: readonly unknown[], account: Address = chain.owner) {
  try {
    await chain.client.simulateContract({
      address: token.address,
      abi: token.abi,
      functionName,
      args,
      account,
    })
    return undefined
  } catch (error) {
    return /Error: (\w+)\(/.exec((error as Error).message)?.[1] ?? 'unknown'
  }
}

const balanceOf = (account: Address) =>
  chain.client.readContract({
    address: token.address,
    abi: token.abi,
    functionName: 'balanceOf',
    args: [account],
  }) as Promise<bigint>

test.serial('its domain is what it says', async (t) => {
  const read = (functionName: string) =>
    chain.client.readContract({ address: token.address, abi: token.abi, functionName })
  t.deepEqual(await Promise.all(['name', 'version', 'decimals'].map(read)), ['Keystead Test Dollar', '1', 6])
})

test.serial('either form moves what was signed, once', async (t) => {
  for (const form of [(s: Hex) => [s], vrs]) {
    const before = await balanceOf(payee)
    const message = authorization()
    const args = [...inOrder(message), ...form(await sign(message))]
    t.is((await send('transferWithAuthorization', args)).status, 'success')
    t.is(await balanceOf(payee), before + 1_000n)
    t.is(await refusal('transferWithAuthorization', args), 'AuthorizationSpent')
  }
})

test.serial('what was not signed so is refused by name', async (t) => {
  const name = 'transferWithAuthorization'
  const stranger = privateKeyToAccount(generatePrivateKey())
  const { timestamp } = await chain.client.getBlock()
  const cases: [string, Authorization, Record<string, unknown>, Partial<Authorization>][] = [
    ['SignatureInvalid', authorization(), { signer: stranger }, {}],
    ['SignatureInvalid', authorization(), {}, { value: 1_001n }],
    ['SignatureInvalid', authorization(), {}, { to: stranger.address }],
    ['SignatureInvalid', authorization(), { name: 'USDC' }, {}],
    ['SignatureInvalid', authorization(), { version: '2' }, {}],
    ['SignatureInvalid', authorization(), { chainId: 1 }, {}],
    ['SignatureInvalid', authorization(), { primaryType: 'ReceiveWithAuthorization' }, {}],
    ['NotYetValid', authorization({ validAfter: FAR - 1n }), {}, {}],
    ['Expired', authorization({ validBefore: timestamp }), {}, {}],
    ['BalanceTooLow', authorization({ value: 1_000_001n }), {}, {}],
  ]
  for (const [expected, message, signing, changed] of cases) {
    const signature = await sign(message, signing)
    t.is(await refusal(name, [...inOrder({ ...message, ...changed }), signature]), expected)
    t.is(await refusal(name, [...inOrder({ ...message, ...changed }), ...vrs(signature)]), expected)
  }
})

test.serial('the other half of s, a raw v and other lengths are no signatures', async (t) => {
  const message = authorization()
  const { r, s, yParity } = parseSignature(await sign(message))
  const high = numberToHex(secp256k1.Point.CURVE().n - BigInt(s), { size: 32 })
  const bad = [
    concat([r, high, numberToHex(28 - yParity)]),
    concat([r, s, numberToHex(yParity, { size: 1 })]),
    concat([r, s]),
    '0x',
  ] as const
  for (const signature of bad) {
    t.is(await refusal('transferWithAuthorization', [...inOrder(message), signature]), 'SignatureInvalid')
  }
})

test.serial('only the payee receives', async (t) => {
  const message = authorization({ to: chain.owner })
  const args = [...inOrder(message), await sign(message, { primaryType: 'ReceiveWithAuthorization' })]
  t.is(await refusal('receiveWithAuthorization', args, payer.address), 'OnlyPayee')
  t.is((await send('receiveWithAuthorization', args)).status, 'success')
})

test.serial('what was cancelled is spent', async (t) => {
  const message = authorization()
  const domain = { name: 'Keystead Test Dollar', version: '1', chainId: 84_532, verifyingContract: token.address }
  const content = { authorizer: payer.address, nonce: message.nonce }
  const cancel = await payer.signTypedData({
    domain,
    types: TYPES,
    primaryType: 'CancelAuthorization',
    message: content,
  })
  const signature = await sign(message)
  await send('cancelAuthorization', [payer.address, message.nonce, ...vrs(cancel)])
  t.is(await refusal('transferWithAuthorization', [...inOrder(message), signature]), 'AuthorizationSpent')
})

test.serial('an account with code is asked, and its owner’s bare key does not count', async (t) => {
  const wallet = await chain.deploy('TestWallet', [payer.address])
  await send('mint', [wallet.address, 5_000n])
  const message = authorization({ from: wallet.address })
  t.is((await send('transferWithAuthorization', [...inOrder(message), await sign(message)])).status, 'success')
  const other = await chain.deploy('TestWallet', [payee])
  await send('mint', [other.address, 5_000n])
  const foreign = authorization({ from: other.address })
  t.is(await refusal('transferWithAuthorization', [...inOrder(foreign), await sign(foreign)]), 'SignatureInvalid')
})

test.serial('paused and blocked move nothing', async (t) => {
  const message = authorization()
  const args = [...inOrder(message), await sign(message)]
  for (const account of [payer.address, payee]) {
    await send('setBlocked', [account, true])
    t.is(await refusal('transferWithAuthorization', args), 'Blocked')
    await send('setBlocked', [account, false])
  }
  await send('setPaused', [true])
  t.is(await refusal('transferWithAuthorization', args), 'Paused')
  await send('setPaused', [false])
  t.is(await refusal('transferWithAuthorization', args), undefined)
  for (const name of ['setPaused', 'mint', 'setBlocked']) {
    const parameters = { setPaused: [true], mint: [payee, 1n], setBlocked: [payee, true] }[name] ?? []
    t.is(await refusal(name, parameters, payee), 'OnlyOwner')
  }
})
