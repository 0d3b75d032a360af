/** The contract of `wit/deps/engine/engine.wit`: `engineContract` declares one ava test per rule, for any engine. */
import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExecutionContext, TestFn } from 'ava'
import { outcomeOf, type Engine, type OpenEngine } from '../support/engines.ts'
import { faultRules } from './engine-faults.ts'
import { sealingRules } from './engine-sealing.ts'
import { vectorRules } from './engine-vectors.ts'

/** A fresh instance with a data key, on the operating system's entropy. */
export interface LoadedEngine extends Engine {
  dataKey: Uint8Array
  /** Makes another instance, without a data key. */
  open: () => Engine
}

export type EngineRule = (title: string, body: (t: ExecutionContext, subject: LoadedEngine) => void) => void

export function engineContract(test: TestFn, name: string, openEngine: OpenEngine): void {
  const open = () => openEngine((length) => Uint8Array.from(randomBytes(length)))
  const rule: EngineRule = (title, body) => {
    test(`${name}: ${title}`, async (t) => {
      // So that ava hears of the tests before, too: engines block the thread.
      await nextTurn()
      const dataKey = randomBytes(32)
      const loaded = open()
      loaded.vault.load(dataKey)
      body(t, { ...loaded, dataKey, open })
    })
  }
  faultRules(rule)
  sealingRules(rule)
  vectorRules(rule)
}

/** Asserts that `work` is refused with this fault. */
export function refused(t: ExecutionContext, fault: string, work: () => unknown, message?: string): void {
  t.deepEqual(outcomeOf(work), { fault }, message)
}

export const KNOWN_MNEMONIC = `${'abandon '.repeat(11)}about`

/** A path of numbers as the engine takes it. */
export const path = (...levels: number[]) => Uint32Array.from(levels)

export const curves = ['secp256k1', 'ed25519', 'p256'] as const
/** The scheme of each curve that takes 32 bytes. */
export const schemeOf = { secp256k1: 'ecdsa', ed25519: 'eddsa', p256: 'ecdsa' } as const
