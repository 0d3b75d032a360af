/** The compiled contracts, as `npm run build` has left them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

export interface Contract {
  abi: Abi
  /** Of the creation, without arguments. */
  bytecode: Hex
  runtimeBytecode: Hex
}

/** @throws when nothing was built. */
export function readContract(name: string): Contract {
  const path = join(import.meta.dirname, `../node_modules/.cache/keystead/contracts/${name}.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as Contract
}
