/** What of the component is measured, and how the report calls it. */
export const cases = {
  secp256k1: 'sign secp256k1',
  ed25519: 'sign ed25519',
  p256: 'sign p256',
  /** The whole way but for the curve: decided and evaluated, then the sealed key turns out to be damaged. */
  sealed: 'refused when the key is opened',
  refused: 'refused at once',
  /** The difference of the two is the decision over the policies, facts included. */
  rootDryRun: 'dry run, root quorum',
  policiesDryRun: 'dry run, 20 policies',
  instance: 'new instance',
} as const

export type ComponentCase = keyof typeof cases

export interface ComponentJob {
  what: ComponentCase
  seconds: number
}
