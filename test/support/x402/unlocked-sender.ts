/**
 * The port of the sending engine over an account that anvil has unlocked: for what is about the facilitator and not about
 * the engine, and for endings that the engine cannot be brought to at will.
 */
import type { Hash } from 'viem'
import {
  SenderUnavailableError,
  type Inclusion,
  type Sender,
  type SenderOptions,
  type SendRecord,
  type SendRequest,
} from '../../../gateway/plugin-api.ts'
import type { PaymentChain } from './payment-chain.ts'

export interface UnlockedSender extends Sender {
  /** What was sent, in order. */
  readonly sent: SendRequest[]
  /** Until told otherwise, every record stays `accepted`. */
  hold: boolean
  /** What is in a block stays there until told otherwise. */
  neverFinal: boolean
  configured: boolean
  full: boolean
  /** Ends a record that is held, as told. */
  end(
    key: string,
    record: Omit<Partial<SendRecord>, 'inclusion'> & { inclusion?: Inclusion | undefined },
  ): Promise<void>
  /** Sends what was held. */
  release(): Promise<void>
}

const GAS_PRICE = 2_000_000_000n

export function unlockedSender(chain: PaymentChain, options: SenderOptions): UnlockedSender {
  const records = new Map<string, SendRecord>()
  const requests = new Map<string, SendRequest>()
  const listeners = new Set<() => void>()
  const put = async (record: SendRecord) => {
    records.set(record.key, record)
    for (const listener of listeners) listener()
    await options.onChange?.(record)
  }
  const run = async (request: SendRequest) => {
    const { key } = request
    if ((await options.mayStillSend?.(key)) === false) {
      return put({ key, state: 'failed', hashes: [], failure: 'send_withdrawn' })
    }
    const { to, data, gasLimit: gas } = request
    const fees = { maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: 1n }
    const hash = await chain.client.sendTransaction({ to, data, gas, ...fees, account: chain.relayer, chain: null })
    sender.sent.push(request)
    await put({ key, state: 'broadcast', hashes: [hash], from: chain.relayer })
    await put({ key, state: 'included', hashes: [hash], from: chain.relayer, inclusion: await mined(chain, hash) })
    if (!sender.neverFinal) await put({ ...(records.get(key) as SendRecord), state: 'final' })
  }
  // Anvil gives two that come at once one nonce.
  let last: Promise<void> = Promise.resolve()
  const queued = (request: SendRequest) => (last = last.then(() => run(request)))
  const sender: UnlockedSender = {
    sent: [],
    hold: false,
    neverFinal: false,
    configured: true,
    full: false,
    relayers: () => Promise.resolve(sender.configured ? [chain.relayer] : []),
    quoteFees: () => Promise.resolve({ maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: 1n, feeCeiling: 3n * GAS_PRICE }),
    async send(request) {
      if (!sender.configured) throw new SenderUnavailableError('relayer_not_configured')
      if (sender.full) throw new SenderUnavailableError('no_lane')
      const known = records.get(request.key)
      if (known !== undefined) return known
      requests.set(request.key, request)
      const accepted: SendRecord = { key: request.key, state: 'accepted', hashes: [] }
      records.set(request.key, accepted)
      if (!sender.hold) void queued(request)
      return accepted
    },
    get: (key) => Promise.resolve(records.get(key)),
    cancel: (key) => Promise.resolve(records.get(key)),
    async waitFor(key, states, withinMs) {
      const over = () => {
        const { state } = records.get(key) as SendRecord
        return states.includes(state) || state === 'final' || state === 'failed' || state === 'replaced'
      }
      await new Promise<void>((resolve) => {
        const finish = () => {
          listeners.delete(check)
          clearTimeout(timer)
          resolve()
        }
        const check = () => over() && finish()
        const timer = setTimeout(finish, withinMs)
        listeners.add(check)
        check()
      })
      return records.get(key) as SendRecord
    },
    end(key, record) {
      const { inclusion, ...rest } = { ...(records.get(key) as SendRecord), ...record }
      return put(inclusion === undefined ? rest : { ...rest, inclusion })
    },
    async release() {
      sender.hold = false
      for (const [key, request] of requests) if (records.get(key)?.state === 'accepted') await queued(request)
    },
  }
  return sender
}

async function mined(chain: PaymentChain, hash: Hash): Promise<Inclusion> {
  const receipt = await chain.client.waitForTransactionReceipt({ hash })
  const { blockHash, blockNumber, status, gasUsed, effectiveGasPrice } = receipt
  const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }))
  const cost = gasUsed * effectiveGasPrice
  return { hash, blockHash, blockNumber, status, gasUsed, effectiveGasPrice, l1Fee: 0n, cost, logs }
}
