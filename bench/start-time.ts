/** From the start of the process to the first signature, on a new data directory and on one that was used before. */
import { Client } from '../test/support/client.ts'
import { startOwnService } from './own-service.ts'
import { figureOf, type Figure } from './statistics.ts'
import { newFolder } from './worker.ts'

export interface StartTimes {
  /** With the making of the first key. */
  empty: Figure
  used: Figure
}

const REPETITIONS = 3

export async function startTimes(): Promise<StartTimes> {
  const empty: number[] = []
  const used: number[] = []
  for (let i = 0; i < REPETITIONS; i++) {
    const folder = newFolder()
    const first = await timed(folder.path)
    const second = await timed(folder.path, first.privateKeyId)
    empty.push(first.tookMs)
    used.push(second.tookMs)
    folder.remove()
  }
  return { empty: figureOf(empty), used: figureOf(used) }
}

/** startService looks for the ready file every 20 ms, so that much may be too much. */
async function timed(dataDir: string, knownKeyId?: string): Promise<{ tookMs: number; privateKeyId: string }> {
  const startedAtMs = performance.now()
  const { service, stop } = await startOwnService(dataDir, { KEYSTEAD_LOCAL_CHAIN: 'on' })
  const client = new Client(service.dev.baseUrl, service.dev)
  const privateKeyId = knownKeyId ?? (await client.createKey('CURVE_SECP256K1')).privateKeyId
  const { json } = await client.sign(privateKeyId, `first of ${dataDir} ${startedAtMs}`, 'HASH_FUNCTION_KECCAK256')
  const tookMs = performance.now() - startedAtMs
  if (json.activity?.status !== 'ACTIVITY_STATUS_COMPLETED') throw new Error('the first signature was not made')
  await stop()
  return { tookMs, privateKeyId }
}
