import type { Scheme } from 'keystead:engine/engine@0.1.0'
import { RefusalError } from '../protocol/refusals.ts'
import { engineTools } from './addresses/engine-tools.ts'
import { addressFormatNamed, schemeOf } from './addresses/index.ts'
import type { KeyRecord } from './wit-types.ts'

export interface NamedKey {
  key: KeyRecord
  /** How it signs under this name: an address of some formats asks for BIP-340. */
  scheme: Scheme
}

/** The key that the body names. The gateway looked it up; whether it is the one is decided here. */
export function namedKey(keys: KeyRecord[], name: string, field: string): NamedKey {
  for (const key of keys) {
    if (key.keyId === name) return { key, scheme: schemeOf(key.curve) }
    const format = addressFormatNamed(key, name, engineTools)
    if (format !== undefined) return { key, scheme: schemeOf(key.curve, format) }
  }
  throw new RefusalError('KEY_NOT_FOUND', 'no private key found with the given id or address', field)
}

/** The key of an id, where no address will do. */
export function keyOfId(keys: KeyRecord[], keyId: string, field: string): KeyRecord {
  const key = keys.find((each) => each.keyId === keyId)
  if (key === undefined) throw new RefusalError('KEY_NOT_FOUND', 'no key found with the given id', field)
  return key
}
