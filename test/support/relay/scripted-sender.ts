/** The port of the sending engine, as a test tells it: for endings that the engine cannot be brought to at will. */
import type { Sender, SendRecord, SendRequest } from '../../../gateway/plugin-api.ts'

export interface ScriptedSender extends Sender {
  readonly requests: Map<string, SendRequest>
  /** Keys that it was asked to cancel. */
  readonly cancelled: ReadonlySet<string>
  /** What `get` says from now on. */
  set(key: string, record: Partial<SendRecord>): void
}

export function scriptedSender(): ScriptedSender {
  const requests = new Map<string, SendRequest>()
  const records = new Map<string, SendRecord>()
  const cancelled = new Set<string>()
  return {
    requests,
    cancelled,
    set: (key, record) => records.set(key, { key, state: 'accepted', hashes: [], ...record }),
    relayers: () => Promise.reject(new Error('not asked')),
    quoteFees: () => Promise.reject(new Error('not asked')),
    waitFor: () => Promise.reject(new Error('not asked')),
    get: async (key) => records.get(key),
    async cancel(key) {
      cancelled.add(key)
      return records.get(key)
    },
    async send(request) {
      const known = records.get(request.key)
      if (known !== undefined) return known
      requests.set(request.key, request)
      const record: SendRecord = { key: request.key, state: 'accepted', hashes: [] }
      records.set(request.key, record)
      return record
    },
  }
}
