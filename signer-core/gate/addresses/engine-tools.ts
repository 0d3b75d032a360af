import { digest, taprootOutputKey } from 'keystead:engine/engine@0.1.0'
import { refusingFaults } from '../border.ts'
import type { AddressTools } from './address-format.ts'

/** What derives addresses in the component. */
export const engineTools: AddressTools = {
  digest,
  // When a key is looked up, its record has not been opened yet: its public key may be anything.
  taprootOutputKey: (publicKey) =>
    refusingFaults({ 'bad-input': ['SEALED_KEY_REFUSED', 'the public key is no point of the curve'] }, () =>
      taprootOutputKey(publicKey),
    ),
}
