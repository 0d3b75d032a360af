/**
 * The reference engine: `wit/deps/engine/engine.wit` on @noble/*. The border of the component: a fault leaves as the
 * name that the WIT gives it; any other exception traps, which ends the host.
 */
import '../guest/lockdown.ts'
import { goLive } from '../guest/random.ts'
import { warmTables } from './curves.ts'
import { digest } from './digests.ts'
import { attest, identity } from './identity.ts'
import { derive, exportKey, exportWallet, generate, generateTarget, importKey, importWallet, sign } from './keys.ts'
import { isNotarized, notarize } from './notary.ts'
import { loadSubKeys, wipeSubKeys } from './sub-keys.ts'
import { outputKey } from './taproot.ts'
import { generateWallet } from './wallets.ts'

export const vault = { load: loadSubKeys, wipe: wipeSubKeys }

export const engine = {
  generate,
  sign,
  taprootOutputKey: outputKey,
  generateWallet,
  derive,
  exportKey,
  exportWallet,
  generateTarget,
  importKey,
  importWallet,
  identity,
  attest,
  digest,
  notarize,
  isNotarized,
}

warmTables()
goLive()
