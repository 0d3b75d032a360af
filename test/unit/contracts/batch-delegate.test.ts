/** The batch delegate and the guard on a real chain: what the owner signed runs once, and nothing else runs. */
import test from 'ava'
import {
  concat,
  decodeErrorResult,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  parseEventLogs,
  type Abi,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { startLocalChain, type LocalChain } from '../../support/local-chain.ts'

const MODE: Hex = `0x01000000000078210001${'00'.repeat(22)}`
const PLAIN: Hex = `0x01000000000000000000${'00'.repeat(22)}`
const CALLS = {
  type: 'tuple[]',
  components: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const
const TYPES = {
  Batch: [
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const
const FAR = 2n ** 40n

interface Call {
  to: Address
  value: bigint
  data: Hex
}

interface Deployed {
  address: Address
  abi: Abi
}

const relayer = privateKeyToAccount(generatePrivateKey())
let chain: LocalChain
let delegate: Deployed
let guard: Deployed
let token: Deployed
test.before(async () => {
  chain = await startLocalChain()
  await chain.client.setBalance({ address: relayer.address, value: 10n ** 20n })
  delegate = await chain.deploy('BatchDelegate')
  guard = await chain.deploy('DelegationGuard')
  token = await chain.deploy('TestToken')
})
test.after.always(() => chain.stop())

async function mint(to: Address, value: bigint): Promise<void> {
  const call = { address: token.address, abi: token.abi, functionName: 'mint', args: [to, value] }
  const hash = await chain.client.writeContract({ ...call, account: chain.owner, chain: null })
  await chain.client.waitForTransactionReceipt({ hash })
}

const balanceOf = (account: Address) =>
  chain.client.readContract({ address: token.address, abi: token.abi, functionName: 'balanceOf', args: [account] })

function transfer(to: Address, value: bigint): Call {
  const data = encodeFunctionData({ abi: token.abi, functionName: 'transfer', args: [to, value] })
  return { to: token.address, value: 0n, data }
}

/** Calldata of a signed batch. */
async function signedBatch(
  owner: PrivateKeyAccount,
  calls: Call[],
  { nonce = 0n, deadline = FAR, chainId = 84_532, signer = owner, signedCalls = calls } = {},
): Promise<Hex> {
  const domain = { name: 'Keystead Batch Delegate', version: '1', chainId, verifyingContract: owner.address }
  const message = { calls: signedCalls, nonce, deadline }
  const signature = await signer.signTypedData({ domain, types: TYPES, primaryType: 'Batch', message })
  const opData = encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'uint256' }, { type: 'bytes' }],
    [nonce, deadline, signature],
  )
  return encodeAbiParameters([CALLS, { type: 'bytes' }], [calls, opData])
}

function execute(executionData: Hex, mode = MODE): Hex {
  return encodeFunctionData({ abi: delegate.abi, functionName: 'execute', args: [mode, executionData] })
}

/** From the relayer, with an authorization of the owner when there is to be one. */
async function submit(
  to: Address,
  data: Hex,
  owner?: PrivateKeyAccount,
  chainId = 84_532,
): Promise<TransactionReceipt> {
  const nonce = await chain.client.getTransactionCount({ address: relayer.address })
  const common = {
    chainId: 84_532,
    nonce,
    to,
    data,
    gas: 1_000_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  }
  const authorizationList =
    owner === undefined
      ? []
      : [
          await owner.signAuthorization({
            address: delegate.address,
            chainId,
            nonce: await chain.client.getTransactionCount({ address: owner.address }),
          }),
        ]
  const raw = await relayer.signTransaction(
    owner === undefined ? { ...common, type: 'eip1559' } : { ...common, type: 'eip7702', authorizationList },
  )
  const hash = await chain.client.sendRawTransaction({ serializedTransaction: raw })
  return chain.client.waitForTransactionReceipt({ hash })
}

/** An account without ETH that has delegated, and has 1,000 units. */
async function delegated(): Promise<PrivateKeyAccount> {
  const owner = privateKeyToAccount(generatePrivateKey())
  await mint(owner.address, 1_000n)
  await submit(relayer.address, '0x', owner)
  return owner
}

/** The name of the error that a call reverts with; undefined when it would pass. */
async function refusal(to: Address, data: Hex, abi: Abi = delegate.abi, value = 0n): Promise<string | undefined> {
  try {
    await chain.client.call({ account: relayer, to, data, value })
    return undefined
  } catch (error) {
    const found = (error as { walk(find: (each: unknown) => boolean): { data?: Hex } | null }).walk(
      (each) => typeof (each as { data?: unknown }).data === 'string',
    )
    const revertData = found?.data ?? '0x'
    return revertData === '0x' ? 'no data' : decodeErrorResult({ abi, data: revertData }).errorName
  }
}

const someone = privateKeyToAccount(generatePrivateKey()).address

test.serial(
  'an account without ETH moves tokens in its first transaction, and the event says which batch ran',
  async (t) => {
    const owner = privateKeyToAccount(generatePrivateKey())
    await mint(owner.address, 1_000n)
    const before = (await balanceOf(someone)) as bigint
    const data = execute(await signedBatch(owner, [transfer(someone, 10n), transfer(someone, 5n)]))
    const receipt = await submit(owner.address, data, owner)
    t.is(receipt.status, 'success')
    t.is(await balanceOf(someone), before + 15n)
    t.is(await chain.client.getBalance({ address: owner.address }), 0n)
    t.is(
      await chain.client.getCode({ address: owner.address }),
      concat(['0xef0100', delegate.address]).toLowerCase() as Hex,
    )
    const [event] = parseEventLogs({ abi: delegate.abi, logs: receipt.logs, eventName: 'BatchExecuted' })
    const args = [[transfer(someone, 10n), transfer(someone, 5n)], 0n, FAR]
    const digest = await chain.client.readContract({
      address: owner.address,
      abi: delegate.abi,
      functionName: 'digestOf',
      args,
    })
    t.deepEqual((event as unknown as { args: unknown }).args, { nonce: 0n, digest } as never)
    t.log(`${receipt.gasUsed} gas for a delegation and two transfers`)
  },
)

test.serial('whatever was not signed so is refused', async (t) => {
  const owner = await delegated()
  const other = await delegated()
  const calls = [transfer(someone, 1n)]
  const changed = [transfer(someone, 2n)]
  const cases: [string, Hex][] = [
    ['SignatureInvalid', await signedBatch(owner, calls, { signer: other })],
    ['SignatureInvalid', await signedBatch(owner, changed, { signedCalls: calls })],
    ['SignatureInvalid', await signedBatch(owner, [...calls, ...calls], { signedCalls: calls })],
    ['SignatureInvalid', await signedBatch(owner, calls, { chainId: 1 })],
    ['SignatureInvalid', await signedBatch(other, calls)],
    ['NonceNotNext', await signedBatch(owner, calls, { nonce: 1n })],
    ['DeadlinePassed', await signedBatch(owner, calls, { deadline: 1n })],
    ['NoCalls', await signedBatch(owner, [])],
    ['CallFailed', await signedBatch(owner, [transfer(someone, 1n), transfer(someone, 1_000n)])],
  ]
  for (const [expected, batch] of cases) t.is(await refusal(owner.address, execute(batch)), expected)
  t.is(await refusal(owner.address, execute(await signedBatch(owner, calls))), undefined)
  t.is(await refusal(owner.address, execute(await signedBatch(owner, calls)), delegate.abi, 1n), 'no data', 'no value')
  t.is(await refusal(owner.address, execute(encodeAbiParameters([CALLS], [calls]), PLAIN)), 'OnlySelf')
  const unknown: Hex = `0x01010000000078210001${'00'.repeat(22)}`
  t.is(await refusal(owner.address, execute(await signedBatch(owner, calls), unknown)), 'ModeNotSupported')
})

test.serial('a batch runs once; its nonce keys do not wait for each other', async (t) => {
  const owner = await delegated()
  const calls = [transfer(someone, 1n)]
  const first = execute(await signedBatch(owner, calls))
  t.is((await submit(owner.address, first)).status, 'success')
  t.is(await refusal(owner.address, first), 'NonceNotNext')
  const key = 7n << 64n
  t.is((await submit(owner.address, execute(await signedBatch(owner, calls, { nonce: key })))).status, 'success')
  t.is((await submit(owner.address, execute(await signedBatch(owner, calls, { nonce: 1n })))).status, 'success')
  const read = (of: bigint) =>
    chain.client.readContract({ address: owner.address, abi: delegate.abi, functionName: 'nextNonce', args: [of] })
  t.deepEqual([await read(0n), await read(7n), await read(8n)] as unknown[], [2n, key + 1n, 8n << 64n])
})

test.serial('what fails leaves everything as it was, the nonce too', async (t) => {
  const owner = await delegated()
  const failing = execute(await signedBatch(owner, [transfer(someone, 1n), transfer(someone, 1_000n)]))
  t.is((await submit(owner.address, failing)).status, 'reverted')
  t.is(await balanceOf(owner.address), 1_000n)
  t.is((await submit(owner.address, execute(await signedBatch(owner, [transfer(someone, 1n)])))).status, 'success')
})

test.serial('the guard reverts where the bare call would be a success without effect', async (t) => {
  const owner = privateKeyToAccount(generatePrivateKey())
  await mint(owner.address, 1_000n)
  const batch = await signedBatch(owner, [transfer(someone, 1n)])
  const guarded = (to: Address, through = delegate.address) =>
    encodeFunctionData({ abi: guard.abi, functionName: 'execute', args: [to, through, MODE, batch] })
  // The authorization is of another chain, so it is skipped.
  const bare = await submit(owner.address, execute(batch), owner, 1)
  t.is(bare.status, 'success')
  t.is(await balanceOf(owner.address), 1_000n, 'and yet nothing happened')
  t.is((await submit(guard.address, guarded(owner.address), owner, 1)).status, 'reverted')
  t.is(await refusal(guard.address, guarded(owner.address), guard.abi), 'NotDelegated')
  t.is((await submit(guard.address, guarded(owner.address), owner)).status, 'success')
  t.is(await balanceOf(owner.address), 999n)
  t.is(await refusal(guard.address, guarded(owner.address, token.address), guard.abi), 'NotDelegated')
})

test.serial('the delegated account signs with its own key, also for contracts', async (t) => {
  const owner = await delegated()
  const digest = keccak256('0x01')
  const ask = async (signature: Hex) =>
    chain.client.readContract({
      address: owner.address,
      abi: delegate.abi,
      functionName: 'isValidSignature',
      args: [digest, signature],
    })
  t.is((await ask(await owner.sign({ hash: digest }))) as Hex, '0x1626ba7e')
  t.is((await ask(await relayer.sign({ hash: digest }))) as Hex, '0xffffffff')
})
