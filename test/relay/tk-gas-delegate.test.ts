/** The second adapter against what the contract's repository publishes: type hash, packing, nonce. */
import test from 'ava'
import { decodeFunctionData, keccak256, parseAbi, toHex, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { delegates } from '../../plugins/gas-relay/delegates/index.ts'
import { tkBatchTypes, tkDomain, tkGasDelegate } from '../../plugins/gas-relay/delegates/tk-gas-delegate.ts'

/** BATCH_EXECUTION_TYPEHASH in TKGasDelegate.sol of github.com/tkhq/gas-station. */
const TYPE_HASH = '0x14007e8c5dd696e52899952d0c28098ab95c056d082adc0d757f91c1306c7f55'

const account = privateKeyToAccount(keccak256(toHex('tk')))
const calls = [{ to: '0x00000000000000000000000000000000000000aa', value: 5n, data: '0x1234' }] as const
const batch = { calls, nonce: 258n, deadline: 1_800_000_000n }

test('the type is the published one, and owners sign our digest', async (t) => {
  const text = Object.entries(tkBatchTypes).map(
    ([name, members]) => `${name}(${members.map((member) => `${member.type} ${member.name}`).join(',')})`,
  )
  t.is(keccak256(toHex(text.join(''))), TYPE_HASH)
  const digest = tkGasDelegate.digest(batch, account.address, 84_532)
  const message = { ...batch, deadline: Number(batch.deadline) }
  const signature = await account.signTypedData({
    domain: tkDomain(account.address, 84_532),
    types: tkBatchTypes,
    primaryType: 'BatchExecution',
    message,
  })
  t.is(await account.sign({ hash: digest }), signature)
})

test('signature, nonce and deadline are packed as 65, 16 and 4 bytes', (t) => {
  const signature: Hex = `0x${'ab'.repeat(65)}`
  const abi = parseAbi([
    'function executeBatch(Call[] calls, bytes data)',
    'struct Call { address to; uint256 value; bytes data; }',
  ])
  const { args } = decodeFunctionData({ abi, data: tkGasDelegate.calldata({ ...batch, signature }) })
  const packed = `${signature}${'0102'.padStart(32, '0')}6b49d200`
  t.deepEqual(args as unknown, [[{ ...calls[0], to: '0x00000000000000000000000000000000000000AA' }], packed])
})

test('without an event, its nonce says what ran', async (t) => {
  const answers = (nonce: bigint) => async () => toHex(nonce, { size: 32 })
  t.is(await tkGasDelegate.nextNonce(answers(258n), 0n), 258n)
  const ran = { nonce: 258n, digest: TYPE_HASH } as const
  t.is(await tkGasDelegate.nextNonce(async () => '0x', 0n), undefined)
  t.false(tkGasDelegate.hasRun(ran, account.address, [], 258n))
  t.true(tkGasDelegate.hasRun(ran, account.address, [], 259n))
  t.false(tkGasDelegate.hasRun(ran, account.address, [], undefined))
})

test('adapters have different names', (t) => {
  t.is(new Set(delegates.map(({ name }) => name)).size, 2)
})
