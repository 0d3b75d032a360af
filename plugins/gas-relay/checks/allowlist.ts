/** Which delegates are sponsored: by address, and by the hash of the code that must be there. */
import { getAddress, type Address, type Hex } from 'viem'
import { z } from 'zod'
import type { DelegateAdapter } from '../delegates/delegate.ts'
import { delegates } from '../delegates/index.ts'

export interface AllowedDelegate {
  readonly address: Address
  /** keccak-256 of the runtime code. */
  readonly codeHash: Hex
  readonly adapter: DelegateAdapter
}

const ENTRY = /^([a-z][a-z0-9-]*)=(0x[0-9a-fA-F]{40})=(0x[0-9a-f]{64})$/

/** `batch-delegate=0x<address>=0x<code hash>`, several with commas between. */
export const allowlist = z.string().transform((text, context): AllowedDelegate[] => {
  const items = text.split(',').map((item) => item.trim())
  return items
    .filter((item) => item !== '')
    .flatMap((item) => {
      const [, name, at = '', codeHash] = ENTRY.exec(item) ?? []
      const adapter = delegates.find((each) => each.name === name)
      if (adapter !== undefined) return [{ adapter, address: getAddress(at.toLowerCase()), codeHash: codeHash as Hex }]
      context.addIssue({ code: 'custom', message: 'must be <adapter>=<address>=<code hash>, with commas between' })
      return []
    })
})
