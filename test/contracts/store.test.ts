/** Runs the store contract over every adapter. A new adapter is one entry in `store-adapters.ts`. */
import test from 'ava'
import { storeAdapters } from './store-adapters.ts'
import { storeContract } from './store.ts'

for (const adapter of storeAdapters(test)) storeContract(test, adapter)
