import { bytesToHex } from '../protocol/bytes.ts'
import type { PerformAnswer, SimulateAnswer, Simulation } from '../protocol/messages.ts'
import { answer, presentOutcome } from './answers.ts'
import { readActivityCall, type ReadPerform, type ReadSimulate } from './calls.ts'
import type { Instance } from './instance.ts'
import { ReceiptChains, UNSTORED_PER_CHAIN_MAX } from './receipt-chains.ts'
import { ReceiptKey } from './receipt-key.ts'
import { recordHead, VersionsSeen } from './versions-seen.ts'

/** Activities: the gateway's call, what this process knows besides, the gate's answer, its receipt. */
export class Performer {
  private readonly instance: Instance
  private readonly nowMs: () => bigint
  private readonly componentDigest: Uint8Array
  private readonly versions = new VersionsSeen()
  private readonly chains: ReceiptChains
  private readonly receiptKey = new ReceiptKey()
  private publicKey: string | undefined

  /** @param componentDigest SHA-256, for the receipts. */
  constructor(instance: Instance, nowMs: () => bigint, componentDigest: Uint8Array) {
    this.instance = instance
    this.nowMs = nowMs
    this.componentDigest = componentDigest
    this.chains = new ReceiptChains(nowMs)
  }

  perform(payload: Uint8Array): PerformAnswer | SimulateAnswer {
    const read = answer(() => readActivityCall(payload))
    if (!read.ok) return read
    return read.value.kind === 'simulate' ? this.simulate(read.value) : this.carryOut(read.value)
  }

  private carryOut({ request, receipts }: ReadPerform): PerformAnswer {
    const head = recordHead(request.organization.text)
    const { organizationId } = head
    const chain = this.chains.of(organizationId)
    chain.forgetStored(receipts?.marks ?? [])
    const keys = { publicKey: this.identity(), receiptKey: bytesToHex(this.receiptKey.publicKey) }
    const backlog = (own: boolean) => ({ ...keys, ...chain.backlog(receipts?.session, own) })
    if (chain.unstoredCount >= UNSTORED_PER_CHAIN_MAX) return { ok: 'later', backlog: backlog(false) }

    const place = { ...chain.next(this.componentDigest), receiptKey: this.receiptKey.publicKey }
    const whole = { ...request, nowMs: this.nowMs(), organizationSeen: this.versions.of(head), place }
    const said = answer(() => presentOutcome(this.instance.call((gate) => gate.perform(whole))))
    const receipt = said.ok ? said.value.receipt : said.refusal.receipt
    if (receipt === undefined) return said
    receipt.signature ||= this.receiptKey.sign(receipt.text)
    // Whoever gets a receipt was found in the record, so the gate has accepted it.
    this.versions.remember(head, request.organizationDigest)
    this.chains.append(organizationId, chain, receipt)
    return { ...said, backlog: backlog(true) }
  }

  /** Leaves nothing behind: no receipt, and no version that was seen. */
  private simulate({ request, atMs }: ReadSimulate): SimulateAnswer {
    const organizationSeen = this.versions.of(recordHead(request.organization.text))
    const whole = { ...request, nowMs: atMs ?? this.nowMs(), organizationSeen }
    return answer(() => JSON.parse(this.instance.call((gate) => gate.simulate(whole))) as Simulation)
  }

  /** The signer's own public key, lower-case hex. */
  identity(): string {
    return (this.publicKey ??= bytesToHex(this.instance.call((gate) => gate.identity())))
  }
}
