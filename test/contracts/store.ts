/** The contract of the store port: `storeContract` declares one ava test per rule, for any adapter. */
import type { TestFn } from 'ava'
import type { Store } from '../../gateway/store/store.ts'
import { jobs } from './store-fixtures.ts'
import type { Rule } from './store-fixtures.ts'
import { pagingRules } from './store-paging.ts'
import { refusalRules } from './store-refusals.ts'
import { writingRules } from './store-writing.ts'

/** Ends the title of a rule that must fail; for the report. */
export const KNOWN_TO_FAIL = ' [known to fail here]'

/** One adapter under test. `open` gives an empty store; the suite closes it. */
export interface StoreAdapter {
  readonly name: string
  /** Rules that a stand-in for the database is known to break: they must fail, or the entry is out of date. */
  readonly failsHere?: readonly string[]
  /** A server that is not made for fifty clients at once is tried rule by rule. */
  readonly oneByOne?: boolean
  open(): Promise<Store>
}

export function storeContract(test: TestFn, adapter: StoreAdapter): void {
  const rule: Rule = (title, body) => {
    const order = adapter.oneByOne === true ? test.serial : test
    const fails = adapter.failsHere?.includes(title) === true
    const declare = fails ? order.failing : order
    declare(`${adapter.name}: ${title}${fails ? KNOWN_TO_FAIL : ''}`, async (t) => {
      const store = await adapter.open()
      try {
        await body(t, store.collection(jobs), store)
      } finally {
        await store.close()
      }
    })
  }
  writingRules(rule)
  pagingRules(rule)
  refusalRules(rule)
}
