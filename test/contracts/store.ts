/** The contract of the store port: `storeContract` declares one ava test per rule, for any adapter. */
import type { TestFn } from 'ava'
import type { Store } from '../../gateway/store/store.ts'
import { jobs } from './store-fixtures.ts'
import type { Rule } from './store-fixtures.ts'
import { pagingRules } from './store-paging.ts'
import { refusalRules } from './store-refusals.ts'
import { writingRules } from './store-writing.ts'

/** One adapter under test. `open` gives an empty store; the suite closes it. */
export interface StoreAdapter {
  readonly name: string
  /** Rules that a stand-in for the database is known to break: they must fail, or the entry is out of date. */
  readonly failsHere?: readonly string[]
  open(): Promise<Store>
}

export function storeContract(test: TestFn, adapter: StoreAdapter): void {
  const rule: Rule = (title, body) => {
    const declare = adapter.failsHere?.includes(title) === true ? test.failing : test
    declare(`${adapter.name}: ${title}`, async (t) => {
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
