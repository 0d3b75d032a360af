/** What is checked before anything is paid, on a local chain: each no once, beside the yes next to it. */
import test, { type ExecutionContext } from 'ava'
import {
  getAddress,
  keccak256,
  parseSignature,
  serializeSignature,
  toHex,
  type Hex,
  type PrivateKeyAccount,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { clientOver } from '../../gateway/chains/evm-chain.ts'
import { readContract } from '../../cli/contracts.ts'
import { allowlist } from '../../plugins/gas-relay/checks/allowlist.ts'
import { checkState, findDelegate, simulate } from '../../plugins/gas-relay/checks/chain-checks.ts'
import { ChainReads } from '../../plugins/gas-relay/checks/chain-reads.ts'
import { costMax } from '../../plugins/gas-relay/checks/cost.ts'
import { checkLimits, type Limits } from '../../plugins/gas-relay/checks/limits.ts'
import { checkAuthorization, checkBatchSignature } from '../../plugins/gas-relay/checks/signatures.ts'
import { batchDelegate } from '../../plugins/gas-relay/delegates/batch-delegate.ts'
import { guarded } from '../../plugins/gas-relay/delegates/guard.ts'
import { RelayError, type Reason } from '../../plugins/gas-relay/reasons.ts'
import { submitSchema, type Submission } from '../../plugins/gas-relay/wire/submission.ts'
import {
  encodeCall,
  signBatch,
  startDelegationChain,
  transfer,
  type DelegationChain,
} from '../support/relay/delegation.ts'
import { gatewaysReader } from '../support/local-chain.ts'
import { submissionOf } from '../support/relay/submissions.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const GAS_MAX = 1_000_000n
let chain: DelegationChain
let reads: ChainReads
let allowed: ReturnType<typeof allowlist.parse>

test.before(async () => {
  chain = await startDelegationChain()
  reads = new ChainReads(gatewaysReader(chain.rpcUrl, 84_532))
  allowed = allowlist.parse(
    `batch-delegate=${chain.delegate}=${keccak256(readContract('BatchDelegate').runtimeBytecode)}`,
  )
})
test.after.always(() => chain.stop())

const pay = (units = 1n) => [transfer(chain.token, PAYEE, units)]

async function submission(
  account: PrivateKeyAccount,
  members: { nonce?: bigint; deadline?: bigint; calls?: ReturnType<typeof pay>; authorized?: boolean } = {},
): Promise<Submission> {
  const { authorized = true, calls = pay(), ...signed } = members
  const authorization = authorized ? await chain.authorize(account) : undefined
  const body = submissionOf(account.address, await signBatch(account, calls, signed), authorization)
  return submitSchema.parse({ organizationId: crypto.randomUUID(), timestampMs: '1', parameters: body }).parameters
}

async function refused(t: ExecutionContext, reason: Reason, work: () => unknown): Promise<RelayError | undefined> {
  const error = await t.throwsAsync(async () => work(), { instanceOf: RelayError })
  t.is(error?.reason, reason)
  return error
}

const high = (s: Hex) => toHex(ORDER - BigInt(s), { size: 32 })

test.serial('the authorization: by the account, for this chain, s in the lower half', async (t) => {
  const account = await chain.newAccount()
  const { authorization } = await submission(account)
  if (authorization === undefined) return t.fail()
  const check = (changes: object) => () => checkAuthorization({ ...authorization, ...changes }, account.address, 84_532)
  await check({})()
  await refused(t, 'relay_authorization_chain_mismatch', check({ chainId: 0 }))
  await refused(t, 'relay_authorization_chain_mismatch', check({ chainId: 1 }))
  const yParity = authorization.yParity === 0 ? 1 : 0
  const signatures = [
    { nonce: 1n },
    { address: PAYEE },
    { yParity },
    { s: high(authorization.s), yParity },
    { r: toHex(0, { size: 32 }) },
    { s: toHex(0, { size: 32 }) },
    { r: toHex(ORDER, { size: 32 }) },
    { nonce: 2n ** 60n },
  ]
  for (const changes of signatures) await refused(t, 'relay_authorization_signature_mismatch', check(changes))
})

test.serial('the batch: signed by the account, as it is', async (t) => {
  const account = await chain.newAccount()
  const { batch } = await submission(account)
  const check = (changes: object) => () =>
    checkBatchSignature(batchDelegate, { ...batch, ...changes }, account.address, 84_532)
  t.is(await check({})(), batchDelegate.digest(batch, account.address, 84_532))
  const { r, s, yParity } = parseSignature(batch.signature)
  const upper = serializeSignature({ r, s: high(s), yParity: yParity === 0 ? 1 : 0 })
  const lowV = `${batch.signature.slice(0, -2)}0${yParity}`
  const changed = [
    { signature: upper },
    { signature: lowV },
    { nonce: 1n },
    { deadline: batch.deadline + 1n },
    { calls: [] },
  ]
  for (const changes of changed) await refused(t, 'relay_batch_signature_mismatch', check(changes))
  const zeros: Hex = `0x${'00'.repeat(64)}1b`
  await refused(t, 'relay_batch_signature_mismatch', check({ signature: zeros }))
})

test.serial('limits: one below, at, and above', async (t) => {
  const account = await chain.newAccount()
  const given = await submission(account)
  const nowMs = (Number(given.batch.deadline) - 1_000) * 1_000
  const limits: Limits = { callsMax: 2, callDataBytesMax: 136, deadlineMinS: 30, deadlineMaxS: 1_000 }
  const check = (batch: object, others: object = {}, at = nowMs) =>
    checkLimits({ ...given, batch: { ...given.batch, ...batch }, ...others }, batchDelegate, limits, chain.guard, at)
  const [call] = given.batch.calls
  if (call === undefined) return t.fail()
  t.is(check({ calls: [call, call] }), (Number(given.batch.deadline) - 15) * 1_000)
  await refused(t, 'relay_batch_too_large', () => check({ calls: [call, call, { ...call, data: '0x' }] }))
  await refused(t, 'relay_batch_too_large', () => check({ calls: [call, { ...call, data: `${call.data}00` }] }))
  for (const to of [given.from, getAddress(chain.guard)]) {
    const guardLike = () =>
      checkLimits(
        { ...given, batch: { ...given.batch, calls: [{ ...call, to }] } },
        batchDelegate,
        limits,
        getAddress(chain.guard),
        nowMs,
      )
    await refused(t, 'relay_call_not_allowed', guardLike)
  }
  await refused(t, 'relay_batch_deadline_too_far', () => check({}, {}, nowMs - 1_000))
  check({}, {}, nowMs + 970_000)
  await refused(t, 'relay_batch_expired', () => check({}, {}, nowMs + 971_000))
  const nowS = BigInt(nowMs / 1_000)
  t.is(check({}, { validUntil: nowS + 1n }), nowMs + 1_000)
  await refused(t, 'relay_batch_expired', () => check({}, { validUntil: nowS }))
})

test.serial('the delegate: allowed by address and by code', async (t) => {
  const account = await chain.newAccount()
  const given = await submission(account)
  t.is((await findDelegate(reads, given, allowed)).address, getAddress(chain.delegate))
  await refused(t, 'relay_not_delegated', () =>
    findDelegate(reads, { from: account.address, authorization: undefined }, allowed),
  )
  await refused(t, 'relay_delegate_not_allowed', () => findDelegate(reads, given, []))
  const otherCode = allowed.map((each) => ({ ...each, codeHash: keccak256('0x') }))[0]
  if (otherCode === undefined) return t.fail()
  await refused(t, 'relay_delegate_not_allowed', () => checkState(reads, given, otherCode))
  t.throws(() => allowlist.parse('batch-delegate=0x12'))
  t.throws(() => allowlist.parse(`other=${chain.delegate}=${keccak256('0x')}`))
})

test.serial('the state of the account: nonce, delegation, the batch’s nonce', async (t) => {
  const [delegate] = allowed
  if (delegate === undefined) return t.fail()
  const account = await chain.newAccount()
  const first = await submission(account)
  t.deepEqual(await checkState(reads, first, delegate), { sendsAuthorization: true })
  await chain.send(PAYEE, '0x', [await chain.authorize(account)])
  // Somebody has handed the authorization in: it is not sent again.
  t.deepEqual(await checkState(reads, first, delegate), { sendsAuthorization: false })
  t.deepEqual(await checkState(reads, { ...first, authorization: undefined }, delegate), { sendsAuthorization: false })
  await refused(t, 'relay_batch_nonce_mismatch', async () =>
    checkState(reads, await submission(account, { nonce: 1n }), delegate),
  )
  const moved = await chain.newAccount()
  await chain.client.setNonce({ address: moved.address, nonce: 1 })
  await refused(t, 'relay_authorization_nonce_mismatch', async () =>
    checkState(reads, await submission(moved), delegate),
  )
})

test.serial('the simulation is of the transaction itself: what reverts, and how much gas', async (t) => {
  const [delegate] = allowed
  if (delegate === undefined) return t.fail()
  const account = await chain.newAccount()
  const parts = { guard: chain.guard, relayer: chain.relayer.address, sendsAuthorization: true, gasLimitMax: GAS_MAX }
  const given = await submission(account)
  const { to, data, gasLimit } = await simulate(reads, given, delegate, parts)
  t.deepEqual(
    [to, data],
    [chain.guard, guarded(account.address, delegate.address, batchDelegate.calldata(given.batch))],
  )
  t.true(gasLimit > 100_000n && gasLimit < 250_000n)
  // With less than the estimate it is refused, with a little more the caller's limit is kept.
  t.is((await simulate(reads, { ...given, gasLimit: gasLimit - 1n }, delegate, parts)).gasLimit, gasLimit - 1n)
  await refused(t, 'relay_gas_limit_exceeded', () => simulate(reads, { ...given, gasLimit: 50_000n }, delegate, parts))
  await refused(t, 'relay_gas_limit_exceeded', () =>
    simulate(reads, given, delegate, { ...parts, gasLimitMax: 50_000n }),
  )
  // A tuple that is not sent, on an account that has not delegated: only the guard sees it.
  await refused(t, 'relay_simulation_reverted', () =>
    simulate(reads, given, delegate, { ...parts, sendsAuthorization: false }),
  )
  const tooMuch = await submission(account, { calls: [...pay(), ...pay(10n ** 30n)] })
  const error = await refused(t, 'relay_simulation_reverted', () => simulate(reads, tooMuch, delegate, parts))
  t.deepEqual(error?.facts, { callIndex: 1, revertData: keccak256(toHex('BalanceTooLow()')).slice(0, 10) })
  const wrongNonce = await submission(account, { nonce: 9n })
  await refused(t, 'relay_simulation_reverted', () => simulate(reads, wrongNonce, delegate, parts))
})

test.serial('the cost: gas at the ceiling, and twice the bound of the first layer where there is one', async (t) => {
  const call = { data: encodeCall('TestToken', 'transfer', [PAYEE, 1n]), gasLimit: 100n }
  t.deepEqual(await costMax(reads, call, 7n), { most: 700n, l1Fee: 0n })
  // Returns 5, whatever it is asked: PUSH1 5, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
  const oracle = '0x420000000000000000000000000000000000000F'
  await chain.client.setCode({ address: oracle, bytecode: '0x60055f5260205ff3' })
  t.deepEqual(await costMax(reads, call, 7n), { most: 710n, l1Fee: 5n })
  await chain.client.setCode({ address: oracle, bytecode: '0x5f5ffd' })
  await refused(t, 'relay_gas_estimate_unavailable', () => costMax(reads, call, 7n))
  await chain.client.setCode({ address: oracle, bytecode: '0x' })
})

test.serial('a chain that does not answer is neither yes nor no', async (t) => {
  const dead = privateKeyToAccount(generatePrivateKey())
  const { createPublicClient, http } = await import('viem')
  const silent = new ChainReads(createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) }))
  await refused(t, 'relay_chain_unavailable', () => silent.nonce(dead.address))
  const call = { from: dead.address, to: dead.address, data: '0x', authorization: undefined } as const
  await refused(t, 'relay_chain_unavailable', () => silent.estimateGas(call))
})

for (const garbage of [null, undefined, 7, {}, 'zz']) {
  test(`a node that answers ${JSON.stringify(garbage)} has said nothing`, async (t) => {
    const bad = new ChainReads(clientOver(async () => garbage))
    await refused(t, 'relay_chain_unavailable', () => bad.code(PAYEE))
    await refused(t, 'relay_chain_unavailable', () => bad.codeHash(PAYEE))
    await refused(t, 'relay_chain_unavailable', () => bad.view(PAYEE, '0x'))
    const call = { from: PAYEE, to: PAYEE, data: '0x', authorization: undefined } as const
    await refused(t, 'relay_chain_unavailable', () => bad.estimateGas(call))
    await refused(t, 'relay_chain_unavailable', () => bad.simulatedLogs({ ...call, gasLimit: 1n }))
    const hashOnly = new ChainReads(clientOver(async () => ({ hash: garbage ?? 7, number: '0x1' })))
    await refused(t, 'relay_chain_unavailable', () => hashOnly.block('latest'))
  })
}

test('gas of no digits is no gas', async (t) => {
  const bad = new ChainReads(clientOver(async () => '0x'))
  const call = { from: PAYEE, to: PAYEE, data: '0x', authorization: undefined } as const
  await refused(t, 'relay_chain_unavailable', () => bad.estimateGas(call))
})
