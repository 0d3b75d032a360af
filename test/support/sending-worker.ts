/**
 * Sends once, and may be killed at it. Arguments: RPC URL, folder, relayer key, number of the effect after which it dies
 * (0: none). Prints how many effects there were when it lives to the end.
 */
import { killingAt } from './killing.ts'
import { openRig, openSendingStore, requestOf, signerDouble } from './sending.ts'

const [rpcUrl = '', folder = '', relayer = '', place = '0'] = process.argv.slice(2)
const killing = killingAt(Number(place))

const rig = await openRig({
  rpcUrls: [rpcUrl],
  store: killing.store(openSendingStore(folder)),
  folder,
  keys: killing.keys(signerDouble(undefined, [relayer]).keys),
  sender: { relayerKeys: [relayer], onChange: () => killing.effect(async () => {}) },
  settings: { finalityDepth: 0 },
})
await rig.sender.send(requestOf(`${relayer} first`))
await rig.sender.look()
await rig.sender.look()
await rig.close()
console.log(killing.effects())
