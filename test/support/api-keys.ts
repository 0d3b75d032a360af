/** Real API keys of every scheme, and stamps by them as a gateway hands them over. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { Stamp, StampScheme } from '../../signer-core/protocol/stamp.ts'

export interface StampingKey {
  curveType: 'API_KEY_CURVE_P256' | 'API_KEY_CURVE_SECP256K1' | 'API_KEY_CURVE_ED25519'
  publicKey: string
  privateKey: KeyObject
}

const pairs = {
  API_KEY_CURVE_P256: () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  API_KEY_CURVE_SECP256K1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  API_KEY_CURVE_ED25519: () => generateKeyPairSync('ed25519'),
}

export function newStampingKey(curveType: StampingKey['curveType'] = 'API_KEY_CURVE_P256'): StampingKey {
  const { publicKey, privateKey } = pairs[curveType]()
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [xBytes, yBytes] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const parity = ((yBytes.at(-1) ?? 0) & 1) === 1 ? '03' : '02'
  const prefix = curveType === 'API_KEY_CURVE_ED25519' ? '' : parity
  return { curveType, publicKey: prefix + xBytes.toString('hex'), privateKey }
}

const schemes: Record<StampingKey['curveType'], StampScheme> = {
  API_KEY_CURVE_P256: 'SIGNATURE_SCHEME_TK_API_P256',
  API_KEY_CURVE_SECP256K1: 'SIGNATURE_SCHEME_TK_API_SECP256K1',
  API_KEY_CURVE_ED25519: 'SIGNATURE_SCHEME_TK_API_ED25519',
}

/** @param scheme The key's own unless a wallet stamps. */
export function stampBy(
  { curveType, publicKey, privateKey }: StampingKey,
  body: string,
  scheme: StampScheme = schemes[curveType],
): Stamp {
  const bytes = Buffer.from(body)
  const isPersonal = scheme === 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
  const prefix = Buffer.from(isPersonal ? `\u0019Ethereum Signed Message:\n${bytes.length}` : '')
  const hash = { true: 'keccak-256', false: curveType === 'API_KEY_CURVE_ED25519' ? null : 'sha256' }[`${isPersonal}`]
  const signature = sign(hash, Buffer.concat([prefix, bytes]), privateKey).toString('hex')
  return { scheme, publicKey, signature }
}
