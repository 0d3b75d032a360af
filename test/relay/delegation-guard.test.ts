/** An authorization that a node skips: a success without effect when sent to the account, a revert through the guard. */
import test from 'ava'
import { keccak256, parseEther, toHex, type Hex, type PrivateKeyAccount, type SignedAuthorization } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { designatorOf } from '../../plugins/gas-relay/delegates/designator.ts'
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

const pay = (account: PrivateKeyAccount) => signBatch(account, [transfer(chain.token, PAYEE, 1n)])

test.serial('with a good authorization the batch runs through the guard, and later without one', async (t) => {
  const account = await chain.newAccount()
  const data = chain.guarded(account.address, dataOf(await pay(account)))
  t.is((await chain.send(chain.guard, data, [await chain.authorize(account)])).status, 'success')
  t.is(await chain.balance(account.address), UNITS - 1n)
  const next = await signBatch(account, [transfer(chain.token, PAYEE, 1n)], { nonce: 1n })
  t.is((await chain.send(chain.guard, chain.guarded(account.address, dataOf(next)))).status, 'success')
  t.is(await chain.balance(account.address), UNITS - 2n)
})

type Skipped = (account: PrivateKeyAccount) => Promise<SignedAuthorization>

const skipped: Record<string, Skipped> = {
  'a wrong nonce': (account) => chain.authorize(account, { nonce: 5 }),
  'another chain': (account) => chain.authorize(account, { chainId: 1 }),
  'a signature in the upper half': async (account) => {
    const tuple = await chain.authorize(account)
    const s = toHex(SECP256K1_ORDER - BigInt(tuple.s), { size: 32 })
    return { ...tuple, s, v: tuple.yParity === 0 ? 28n : 27n, yParity: tuple.yParity === 0 ? 1 : 0 }
  },
  'a signature of somebody else': () => chain.authorize(privateKeyToAccount(generatePrivateKey())),
}

for (const [what, tupleOf] of Object.entries(skipped)) {
  test.serial(`skipped for ${what}: a silent success without the guard, a revert with it`, async (t) => {
    const account = await chain.newAccount()
    const data = dataOf(await pay(account))
    const tuple = await tupleOf(account)
    t.is((await chain.send(account.address, data, [tuple])).status, 'success')
    t.is(await chain.client.getCode({ address: account.address }), undefined)
    t.is((await chain.send(chain.guard, chain.guarded(account.address, data), [tuple])).status, 'reverted')
    t.is((await chain.revertOf(chain.guard, chain.guarded(account.address, data)))?.name, 'NotDelegated')
    t.is(await chain.balance(account.address), UNITS)
  })
}

test.serial('another delegate than the expected one, and a contract, are refused', async (t) => {
  const account = await chain.newAccount()
  const data = chain.guarded(account.address, dataOf(await pay(account)))
  const elsewhere = await chain.authorize(account, { address: chain.callee })
  t.is((await chain.send(chain.guard, data, [elsewhere])).status, 'reverted')
  t.is(await chain.client.getCode({ address: account.address }), designatorOf(chain.callee))
  const contract = chain.guarded(chain.token, encodeCall('TestToken', 'transfer', [PAYEE, 0n]))
  t.is((await chain.revertOf(chain.guard, contract))?.name, 'NotDelegated')
})

test.serial('reverts come through unchanged, and the guard forwards no money', async (t) => {
  const account = await chain.newAccount()
  const good = await chain.authorize(account)
  const call = { to: chain.callee, value: 0n, data: encodeCall('TestCallee', 'fail', [7n]) }
  const data = chain.guarded(account.address, dataOf(await signBatch(account, [call])))
  const receipt = await chain.send(chain.guard, data, [good])
  t.is(receipt.status, 'reverted')
  // EIP-7702: the delegation is not rolled back with the batch.
  t.is(await chain.client.getCode({ address: account.address }), designatorOf(chain.delegate))
  const reason = `${keccak256(toHex('Failed(uint256)')).slice(0, 10)}${'7'.padStart(64, '0')}` as Hex
  t.deepEqual(await chain.revertOf(chain.guard, data), { name: 'CallFailed', args: [0n, reason] })
  t.deepEqual(await chain.revertOf(chain.guard, data, parseEther('1')), { name: '', args: [] })
})
