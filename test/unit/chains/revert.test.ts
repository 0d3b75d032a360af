/** A call that reverts and a node in trouble say no in the same way; what follows from them is the opposite. */
import test from 'ava'
import type { Hex } from 'viem'
import { clientOver } from '../../../gateway/chains/evm-chain.ts'
import { RpcRefusalError } from '../../../gateway/chains/rpc/endpoint.ts'
import { revertOf } from '../../../gateway/chains/rpc/revert.ts'

const cases: [what: string, said: ConstructorParameters<typeof RpcRefusalError>[0], data: Hex | undefined][] = [
  ['geth', { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }, '0x08c379a0'],
  ['without data', { code: 3, message: 'execution reverted' }, '0x'],
  ['data that is none', { code: 3, message: 'execution reverted', data: { at: 'x' } }, '0x'],
  ['a code of its own', { code: -32_015, message: 'VM execution error.', data: 'Reverted 0x01' }, '0x'],
  ['a code of its own, and the word', { code: -32_000, message: 'execution reverted', data: '0x01' }, '0x01'],
  ['out of gas', { code: -32_000, message: 'out of gas' }, '0x'],
  ['a bad opcode', { code: -32_603, message: 'EVM error InvalidFEOpcode' }, '0x'],
  ['no money', { code: -32_000, message: 'insufficient funds for gas * price + value' }, undefined],
  ['no such method', { code: -32_601, message: 'the method does not exist' }, undefined],
]

for (const [what, said, data] of cases) {
  test(what, async (t) => {
    const refusal = new RpcRefusalError(said)
    t.is(revertOf(refusal)?.data, data)
    const client = clientOver(() => Promise.reject(refusal))
    const error = await t.throwsAsync(client.request({ method: 'eth_call', params: [{}, 'pending'] }))
    t.is(revertOf(error)?.data, data, 'as viem passes it on')
  })
}

test('what is no answer of a node is no revert', async (t) => {
  t.is(revertOf(new Error('execution reverted')), undefined)
  const client = clientOver(() => Promise.reject(new Error('execution reverted')))
  t.is(revertOf(await t.throwsAsync(client.getBlockNumber())), undefined)
})
