/** The curves of the specification, under their wire and their WIT names. */
export const curveNames = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] as const
export type CurveName = (typeof curveNames)[number]
export type Curve = 'secp256k1' | 'ed25519' | 'p256'

export const curveOfName = {
  CURVE_SECP256K1: 'secp256k1',
  CURVE_ED25519: 'ed25519',
  CURVE_P256: 'p256',
} as const satisfies Record<CurveName, Curve>

export function nameOfCurve(curve: Curve): CurveName {
  return curveNames.find((name) => curveOfName[name] === curve) as CurveName
}
