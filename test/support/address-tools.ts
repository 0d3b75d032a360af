/** Hash functions and the taproot output key for the gate's pure code, where no engine runs. */
import type { AddressTools } from '../../signer-core/gate/addresses/address-format.ts'
import { digest } from '../../signer-core/engine-reference/digests.ts'
import { outputKey } from '../../signer-core/engine-reference/taproot.ts'

export { digest }
export const addressTools: AddressTools = { digest, taprootOutputKey: outputKey }
