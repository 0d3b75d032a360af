import { digest } from 'keystead:engine/engine@0.1.0'
import { bytesToHex, concatBytes, lengthPrefixed, uint32, utf8ToBytes } from '../protocol/bytes.ts'

/**
 * Id of the `index`-th key, wallet or account of an activity: a UUID of version 8 (RFC 9562 section 5.8) from SHA-256 of activity, body
 * and index. So the gateway cannot choose it, and a repeated execution names the same ones.
 */
export function newKeyId(activityId: string, bodyDigest: Uint8Array, index: number): string {
  const name = lengthPrefixed(utf8ToBytes('keystead/v1/key-id'), utf8ToBytes(activityId), bodyDigest)
  const bytes = digest('sha256', concatBytes(name, uint32(index))).slice(0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return bytesToHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Ids one after the other. @param from Of the ids that the activity makes, this many come before. */
export function newIds(
  { activityId, bodyDigest }: { activityId: string; bodyDigest: Uint8Array },
  from = 0,
): () => string {
  let index = from
  return () => newKeyId(activityId, bodyDigest, index++)
}
