/**
 * The key with which this process signs its receipts. It is drawn here, lives in this process only and ends with it;
 * the signer's identity vouches for it in the first receipt of each chain. Whoever had it could continue the chains of
 * this process, and no more.
 */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** Order of P-256 (SEC 2, 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** The public key ends the DER of its SubjectPublicKeyInfo (RFC 5480). */
const POINT_BYTES = 65

export class ReceiptKey {
  /** Uncompressed P-256 key, 65 bytes. */
  readonly publicKey: Uint8Array
  private readonly privateKey: KeyObject

  constructor() {
    const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    this.publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-POINT_BYTES)
    this.privateKey = pair.privateKey
  }

  /** ECDSA over SHA-256 of the text: r and s with low s, 128 lower-case hex digits. */
  sign(text: string): string {
    const signature = sign('sha256', Buffer.from(text), { key: this.privateKey, dsaEncoding: 'ieee-p1363' })
    const [r, s] = [signature.toString('hex', 0, 32), BigInt(`0x${signature.toString('hex', 32)}`)]
    const low = s > ORDER / 2n ? ORDER - s : s
    return r + low.toString(16).padStart(64, '0')
  }
}
