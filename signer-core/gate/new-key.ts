import type { FreshKey } from 'keystead:engine/engine@0.1.0'
import type { CreatePrivateKeys } from '../protocol/activities/create-private-keys.ts'
import type { Address } from '../protocol/address-formats.ts'
import { curveOfName } from '../protocol/curves.ts'
import type { PrivateKeyFacts } from '../protocol/private-key.ts'
import { engineTools } from './addresses/engine-tools.ts'
import { deriveAddress } from './addresses/index.ts'
import { certify } from './key-certificate.ts'
import { publicKeyHex } from './public-key.ts'
import type { NewKey } from './wit-types.ts'

type Wanted = CreatePrivateKeys['privateKeys'][number]

/** A key that an activity brought forth, with everything that may be known of it. */
export function newKeyOf(
  keyId: string,
  organizationId: string,
  wanted: Wanted,
  { publicKey, sealed }: FreshKey,
  imported: boolean,
): { newKey: NewKey; addresses: Address[] } {
  const { privateKeyName, curve, privateKeyTags, addressFormats } = wanted
  const addresses = addressFormats.map((format) => deriveAddress(format, publicKey, engineTools))
  const facts: PrivateKeyFacts = {
    kind: 'privateKey',
    privateKeyName,
    curve,
    publicKey: publicKeyHex(publicKey),
    privateKeyTags,
    addresses,
    imported,
  }
  const certificate = certify({ organizationId, keyId, kind: 'privateKey', label: privateKeyName, imported })
  return {
    newKey: { key: { keyId, curve: curveOfName[curve], publicKey, sealed, certificate }, facts: JSON.stringify(facts) },
    addresses,
  }
}
