import type { Component } from './component.ts'
import { forgetEntropy } from './imports/entropy.ts'
import type { Gate } from './signer.d.ts'

/** The one live instance of the component, its data key and its end. */
export class Instance {
  private readonly make: () => Component
  private readonly dataKey: Uint8Array
  private readonly callsMax: number
  private component: Component
  private calls = 0

  /**
   * @param dataKey Kept, not copied: each new instance needs it again.
   * @param callsMax After so many the instance is worn.
   */
  constructor(make: () => Component, dataKey: Uint8Array, callsMax: number) {
    this.make = make
    this.dataKey = dataKey
    this.callsMax = callsMax
    this.component = this.start()
  }

  /** @throws {ComponentError} with the refusal as `payload`; whatever else comes out must end the process. */
  call<T>(ask: (gate: Gate) => T): T {
    this.calls++
    try {
      return ask(this.component.gate)
    } finally {
      forgetEntropy()
    }
  }

  /** After an answer is on its way, so that nobody waits for it. */
  renewWhenWorn(): void {
    if (this.calls >= this.callsMax) this.renew()
  }

  /** Overwrites everything that the instance remembers and starts another. Costs 5 to 30 ms. */
  renew(): void {
    if (this.calls === 0) return
    this.component.vault.wipe()
    for (const memory of this.component.memories) new Uint8Array(memory.buffer).fill(0)
    this.component = this.start()
    this.calls = 0
  }

  private start(): Component {
    const component = this.make()
    component.vault.load(this.dataKey)
    forgetEntropy()
    return component
  }
}
