/** Payments that are being served in this process, so that none is served twice at once. */
export class PaymentsUnderWay {
  private readonly keys = new Set<string>()

  /** @param key Payer and nonce. @returns false when it is under way already. */
  begin(key: string): boolean {
    if (this.keys.has(key)) return false
    this.keys.add(key)
    return true
  }

  end(key: string): void {
    this.keys.delete(key)
  }
}
