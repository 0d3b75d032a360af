/**
 * Relays one transaction to its end, and may be killed at it. Arguments: the file of `RelayWork`. Prints how many effects
 * there were when it lives to the end.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from 'viem'
import { isOver } from '../../../plugins/gas-relay/transactions/transaction.ts'
import { killingAt, type Named } from '../killing.ts'
import { openRelayRig } from './relay-rig.ts'

export interface RelayWork {
  rpcUrl: string
  folder: string
  relayer: string
  contracts: { delegate: Address; guard: Address }
  /** The effect after which it dies, by number or name; 0: none. */
  place: number | Named
  /** Of submit_transaction. */
  parameters: object
}

const work = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as RelayWork
const killing = killingAt(work.place)
const rig = await openRelayRig({
  rpcUrls: [work.rpcUrl],
  relayerKeys: [work.relayer],
  contracts: work.contracts,
  folder: work.folder,
  wrapStore: (store) => killing.store(store),
  wrapKeys: (keys) => killing.keys(keys),
})
let row = await rig.send('request', work.parameters)
while (!isOver(row)) {
  await sleep(5)
  row = (await rig.transactions.get(row._id)) ?? row
}
await rig.close()
console.log(killing.effects())
