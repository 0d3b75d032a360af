/** What imports have in common: a target of the user who stamped, and a bundle that was sealed to it. */
import { digest, type Parcel, type SealedTarget } from 'keystead:engine/engine@0.1.0'
import { bytesToHex, hexToBytes, utf8ToBytes } from '../protocol/bytes.ts'
import type { ImportFlow } from '../protocol/changes.ts'
import { RefusalError } from '../protocol/refusals.ts'
import { object, parse, pattern } from '../protocol/schema.ts'
import { JsonError, parseStrictJson, type JsonObject } from '../protocol/strict-json.ts'
import { sealedTargetOf } from './key-binding.ts'
import type { PlanContext } from './operation.ts'
import { refuseOtherUser } from './own-user.ts'

const parcelSchema = object({
  encappedPublic: pattern(/^04[0-9a-fA-F]{128}$/, 'an uncompressed public key'),
  ciphertext: pattern(/^(?:[0-9a-fA-F]{2}){17,512}$/, 'hexadecimal'),
})

export interface Import {
  target: SealedTarget
  parcel: Parcel
  /** The part of the commitment that says where what is imported comes from. */
  commitment: JsonObject
}

/** @throws {RefusalError} for another user's import, without a target, or for a malformed bundle. */
export function importOf(flow: ImportFlow, userId: string, bundle: string, context: PlanContext): Import {
  refuseOtherUser(userId, context)
  const { importTarget, organizationId } = context
  if (importTarget === undefined) throw refused('no import was begun, or its target has been used')
  return {
    target: sealedTargetOf(importTarget, organizationId, userId, flow),
    parcel: readParcel(bundle),
    commitment: {
      userId,
      target: bytesToHex(importTarget.publicKey),
      bundleDigest: bytesToHex(digest('sha256', utf8ToBytes(bundle))),
    },
  }
}

function readParcel(bundle: string): Parcel {
  try {
    const read = parse(parcelSchema, parseStrictJson(bundle))
    if (!read.ok) throw refused('the bundle is malformed')
    const { encappedPublic, ciphertext } = read.value
    return {
      encapsulated: hexToBytes(encappedPublic) as Uint8Array,
      ciphertext: hexToBytes(ciphertext) as Uint8Array,
    }
  } catch (error) {
    if (error instanceof JsonError) throw refused('the bundle is malformed')
    throw error
  }
}

function refused(message: string): RefusalError {
  return new RefusalError('BUNDLE_INVALID', message, 'parameters.encryptedBundle')
}
