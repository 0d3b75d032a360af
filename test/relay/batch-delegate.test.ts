/** The batch delegate on a local chain: what an owner signed runs once and unchanged, whoever hands it in. */
import test from 'ava'
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
import { readContract } from '../../cli/contracts.ts'
import { batchDelegate } from '../../plugins/gas-relay/delegates/batch-delegate.ts'
import { delegateOf, designatorOf } from '../../plugins/gas-relay/delegates/designator.ts'
import type { SignedBatch } from '../../plugins/gas-relay/delegates/delegate.ts'
import {
  dataOf,
  encodeCall,
  signBatch,
  startDelegationChain,
  transfer,
  UNITS,
  type DelegationChain,
} from '../support/relay/delegation.ts'

const PAYEE = '0x00000000000000000000000000000000000000bb'
const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
let chain: DelegationChain

test.before(async () => {
  chain = await startDelegationChain()
})
test.after.always(() => chain.stop())

/** An account that has delegated already. */
async function delegated(): Promise<PrivateKeyAccount> {
  const account = await chain.newAccount()
  await chain.send(PAYEE, '0x', [await chain.authorize(account)])
  return account
}

const pay = (units = 1n) => [transfer(chain.token, PAYEE, units)]
const reverts = (account: PrivateKeyAccount, batch: SignedBatch) => chain.revertOf(account.address, dataOf(batch))

test.serial('an account without ETH delegates and moves tokens in one transaction of somebody else', async (t) => {
  const account = await chain.newAccount()
  const batch = await signBatch(account, pay(3n))
  const receipt = await chain.send(account.address, dataOf(batch), [await chain.authorize(account)])
  t.is(receipt.status, 'success')
  t.is(await chain.balance(account.address), UNITS - 3n)
  t.is(await chain.client.getBalance({ address: account.address }), 0n)
  const code = await chain.client.getCode({ address: account.address })
  t.is(code, designatorOf(chain.delegate))
  t.is(delegateOf(code), getAddress(chain.delegate))
  const digest = batchDelegate.digest(batch, account.address, 84_532)
  t.true(batchDelegate.hasRun({ nonce: 0n, digest }, account.address, receipt.logs, undefined))
  t.false(batchDelegate.hasRun({ nonce: 1n, digest }, account.address, receipt.logs, undefined))
  t.false(batchDelegate.hasRun({ nonce: 0n, digest: keccak256('0x') }, account.address, receipt.logs, undefined))
  t.false(batchDelegate.hasRun({ nonce: 0n, digest }, chain.token, receipt.logs, undefined))
})

test.serial('our digest is the contract’s, and a batch of several calls runs in order', async (t) => {
  const account = await delegated()
  const note = { to: chain.callee, value: 0n, data: encodeCall('TestCallee', 'note', ['0x1234']) }
  const batch = await signBatch(account, [...pay(1n), note, ...pay(2n)])
  const { calls, nonce, deadline } = batch
  const { abi } = readContract('BatchDelegate')
  const args = [calls, nonce, deadline]
  const theirs = await chain.client.readContract({ address: account.address, abi, functionName: 'digestOf', args })
  t.is(batchDelegate.digest(batch, account.address, 84_532), theirs as Hex)
  const { logs } = await chain.send(account.address, dataOf(batch))
  t.deepEqual(
    logs.map((log) => log.address),
    [chain.token, chain.callee, chain.token, account.address].map((address) => address.toLowerCase() as Hex),
  )
})

test.serial('a replay', async (t) => {
  const account = await delegated()
  const batch = await signBatch(account, pay())
  t.is((await chain.send(account.address, dataOf(batch))).status, 'success')
  t.is((await chain.send(account.address, dataOf(batch))).status, 'reverted')
  t.is((await reverts(account, batch))?.name, 'NonceInvalid')
  t.is(await chain.balance(account.address), UNITS - 1n)
})

test.serial('nonces: each row counts for itself and skips nothing', async (t) => {
  const account = await delegated()
  const row = (7n << 64n) | 0n
  for (const nonce of [row, row + 1n, 0n]) {
    t.is((await chain.send(account.address, dataOf(await signBatch(account, pay(), { nonce })))).status, 'success')
  }
  for (const nonce of [row, row + 3n, 2n, (8n << 64n) | 1n]) {
    t.is((await reverts(account, await signBatch(account, pay(), { nonce })))?.name, 'NonceInvalid')
  }
  const read = async (data: Hex) => (await chain.client.call({ to: account.address, data })).data ?? '0x'
  t.is(await batchDelegate.nextNonce(read, row), row + 2n)
  t.is(await batchDelegate.nextNonce(read, 0n), 1n)
  t.is(await batchDelegate.nextNonce(async () => '0x', 0n), undefined)
})

test.serial('a batch signed for another chain, account, contract or version of it', async (t) => {
  const account = await delegated()
  const domains = [
    { chainId: 1 },
    { chainId: 0 },
    { verifyingContract: chain.delegate },
    { verifyingContract: PAYEE as Hex },
    { name: 'TKGasDelegate' },
  ]
  for (const domain of domains) {
    t.is((await reverts(account, await signBatch(account, pay(), {}, domain)))?.name, 'SignatureInvalid')
  }
  t.is(await reverts(account, await signBatch(account, pay())), undefined)
})

test.serial('the deadline: still in its second, no more in the next', async (t) => {
  const account = await delegated()
  const { timestamp } = await chain.client.getBlock()
  const deadline = timestamp + 1_000n
  const batch = await signBatch(account, pay(), { deadline })
  await chain.client.setNextBlockTimestamp({ timestamp: deadline + 1n })
  t.is((await chain.send(account.address, dataOf(batch))).status, 'reverted')
  t.is((await reverts(account, batch))?.name, 'DeadlinePassed')
  const inTime = await signBatch(account, pay(), { deadline: deadline + 100n })
  await chain.client.setNextBlockTimestamp({ timestamp: deadline + 100n })
  t.is((await chain.send(account.address, dataOf(inTime))).status, 'success')
})

test.serial('a signature of somebody else, of another batch, in the upper half, of another form', async (t) => {
  const account = await delegated()
  const batch = await signBatch(account, pay())
  const stranger = privateKeyToAccount(generatePrivateKey())
  const { signature: foreign } = await signBatch(stranger, pay(), batch, { verifyingContract: account.address })
  const { r, s, yParity } = parseSignature(batch.signature)
  const highS = toHex(SECP256K1_ORDER - BigInt(s), { size: 32 })
  const upperHalf = serializeSignature({ r, s: highS, yParity: yParity === 0 ? 1 : 0 })
  const compact: Hex = `0x${batch.signature.slice(2, 130)}`
  const zeros: Hex = `0x${'00'.repeat(64)}1b`
  const lowV: Hex = `0x${batch.signature.slice(2, 130)}0${yParity}`
  const signatures = [foreign, upperHalf, compact, zeros, lowV, '0x', `${batch.signature}00`] as const
  for (const signature of signatures) t.is((await reverts(account, { ...batch, signature }))?.name, 'SignatureInvalid')
  const altered: SignedBatch[] = [
    { ...batch, calls: pay(2n) },
    { ...batch, calls: [...batch.calls, ...pay()] },
    { ...batch, deadline: batch.deadline + 1n },
    { ...batch, nonce: 1n << 64n },
  ]
  for (const other of altered) t.is((await reverts(account, other))?.name, 'SignatureInvalid')
  t.is(await reverts(account, batch), undefined)
})

test.serial('an empty batch, another mode, and money sent along', async (t) => {
  const account = await delegated()
  t.is((await reverts(account, await signBatch(account, [])))?.name, 'BatchEmpty')
  const data = dataOf(await signBatch(account, pay()))
  t.is((await chain.revertOf(account.address, data.replace('78210001', '78210002') as Hex))?.name, 'ModeUnsupported')
  const oneWei = await chain.revertOf(account.address, data, 1n)
  t.deepEqual(oneWei, { name: '', args: [] })
  const receipt = await chain.send(account.address, '0x', [], 5n)
  t.is(receipt.status, 'success')
  t.is(await chain.client.getBalance({ address: account.address }), 5n)
})

test.serial('a call that fails undoes all before it, and says which one and why', async (t) => {
  const account = await delegated()
  const fails = (functionName: string, args: readonly unknown[] = []) => ({
    to: chain.callee,
    value: 0n,
    data: encodeCall('TestCallee', functionName, args),
  })
  const batch = await signBatch(account, [...pay(4n), fails('fail', [42n])])
  const reason = encodeErrorOfCallee(42n)
  t.deepEqual(await reverts(account, batch), { name: 'CallFailed', args: [1n, reason] })
  t.is((await chain.send(account.address, dataOf(batch))).status, 'reverted')
  t.is(await chain.balance(account.address), UNITS)
  const silent = await signBatch(account, [fails('failWithoutReason')])
  t.deepEqual(await reverts(account, silent), { name: 'CallFailed', args: [0n, '0x'] })
  const burning = await signBatch(account, [...pay(), fails('burn')])
  t.is((await chain.send(account.address, dataOf(burning))).status, 'reverted')
  const tooMuch = await signBatch(account, pay(UNITS + 1n))
  t.is((await reverts(account, tooMuch))?.name, 'CallFailed')
  // The nonce was not used by any of them.
  t.is((await chain.send(account.address, dataOf(await signBatch(account, pay())))).status, 'success')
})

test.serial('what a batch calls cannot run the same batch, or another signed one, in its middle', async (t) => {
  const account = await delegated()
  const inner = await signBatch(account, pay(), { nonce: 1n << 64n })
  const calls = [
    { to: chain.callee, value: 0n, data: encodeCall('TestCallee', 'callBack', [account.address, dataOf(inner)]) },
  ]
  const reentered = keccak256(toHex('Reentered()')).slice(0, 10)
  t.deepEqual(await reverts(account, await signBatch(account, calls)), {
    name: 'CallFailed',
    args: [0n, reentered as Hex],
  })
  t.is((await chain.send(account.address, dataOf(inner))).status, 'success')
})

test.serial('a batch may send the account’s own ETH', async (t) => {
  const account = await delegated()
  await chain.client.setBalance({ address: account.address, value: 10n })
  const to = privateKeyToAccount(generatePrivateKey()).address
  const batch = await signBatch(account, [{ to, value: 4n, data: '0x' }])
  t.is((await chain.send(account.address, dataOf(batch))).status, 'success')
  t.is(await chain.client.getBalance({ address: to }), 4n)
  t.is(await chain.client.getBalance({ address: account.address }), 6n)
})

test.serial('with code, the account’s own signatures go on to count (ERC-1271), others do not', async (t) => {
  const account = await delegated()
  const digest = keccak256('0x1234')
  const { abi } = readContract('BatchDelegate')
  const ask = (signature: Hex) =>
    chain.client.readContract({
      address: account.address,
      abi,
      functionName: 'isValidSignature',
      args: [digest, signature],
    })
  t.is(await ask(await account.sign({ hash: digest })), '0x1626ba7e')
  t.is(await ask(await chain.relayer.sign({ hash: digest })), '0xffffffff')
})

test.serial('the contract itself, without an account, runs nothing', async (t) => {
  const batch = await signBatch(chain.relayer, pay(), {}, { verifyingContract: chain.delegate })
  t.is((await chain.revertOf(chain.delegate, dataOf(batch)))?.name, 'SignatureInvalid')
})

function encodeErrorOfCallee(code: bigint): Hex {
  return `${keccak256(toHex('Failed(uint256)')).slice(0, 10)}${code.toString(16).padStart(64, '0')}` as Hex
}
