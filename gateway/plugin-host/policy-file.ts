/**
 * What an operator allows a plug-in, in one document beside the environment: YAML or JSON whose members are the plug-in's
 * settings (`KEYSTEAD_X402_POLICY_FILE`).
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/**
 * Settings are texts. So nothing is taken for more than it says: without quotes, an address would be a number.
 * @returns lists with commas between their items; undefined for a file that cannot be read, or holds no names and values.
 */
export function readPolicyFile(path: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = parse(readFileSync(path, 'utf8'), { schema: 'failsafe' })
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined
    return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, asSetting(value)]))
  } catch {
    return undefined
  }
}

function asSetting(value: unknown): unknown {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(','))
  return isList ? value.join(',') : value
}
