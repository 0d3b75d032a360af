import { createECDH } from 'node:crypto'

/** P-256, as clients are given it. */
export interface ApiKeyPair {
  /** SEC 1 compressed point, 66 lower-case hex digits. */
  publicKey: string
  /** Scalar, 64 lower-case hex digits. */
  privateKey: string
}

export function newApiKeyPair(): ApiKeyPair {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('hex', 'compressed')
  return { publicKey, privateKey: pair.getPrivateKey('hex').padStart(64, '0') }
}
