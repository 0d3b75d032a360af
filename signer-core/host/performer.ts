import { bytesToHex } from '../protocol/bytes.ts'
import type { PerformAnswer } from '../protocol/messages.ts'
import { answer, presentOutcome } from './answers.ts'
import { readPerformCall } from './calls.ts'
import type { Instance } from './instance.ts'
import { ReceiptChains, UNSTORED_PER_CHAIN_MAX } from './receipt-chains.ts'
import { ReceiptKey } from './receipt-key.ts'
import { organizationIdIn, VersionsSeen } from './versions-seen.ts'

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

  perform(payload: Uint8Array): PerformAnswer {
    const read = answer(() => readPerformCall(payload))
    if (!read.ok) return read
    const { request, receipts } = read.value
    const { text } = request.organization
    const organizationId = organizationIdIn(text)
    const chain = this.chains.of(organizationId)
    chain.forgetStored(receipts?.marks ?? [])
    const keys = { publicKey: this.identity(), receiptKey: bytesToHex(this.receiptKey.publicKey) }
    const backlog = (own: boolean) => ({ ...keys, ...chain.backlog(receipts?.session, own) })
    if (chain.unstoredCount >= UNSTORED_PER_CHAIN_MAX) return { ok: 'later', backlog: backlog(false) }

    const organizationVersionSeen = this.versions.of(text)
    const place = { ...chain.next(this.componentDigest), receiptKey: this.receiptKey.publicKey }
    const whole = { ...request, nowMs: this.nowMs(), organizationVersionSeen, place }
    const said = answer(() => {
      const outcome = this.instance.call((gate) => gate.perform(whole))
      this.versions.remember(text, outcome.organizationVersion)
      return presentOutcome(outcome)
    })
    const receipt = said.ok ? said.value.receipt : said.refusal.receipt
    if (receipt === undefined) return said
    receipt.signature ||= this.receiptKey.sign(receipt.text)
    this.chains.append(organizationId, chain, receipt)
    return { ...said, backlog: backlog(true) }
  }

  /** The signer's own public key, lower-case hex. */
  identity(): string {
    return (this.publicKey ??= bytesToHex(this.instance.call((gate) => gate.identity())))
  }
}
