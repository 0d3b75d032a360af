/** `/supported`: the kinds of payment that are served, and who pays for sending them. */
import type { Scheme } from './schemes/scheme.ts'
import type { NetworkNames } from './wire/network-names.ts'

/** Both versions are listed, the first one first: sellers of version 2 do not start without theirs. */
export async function supported(schemes: readonly Scheme[], names: NetworkNames): Promise<object> {
  const kinds = schemes.flatMap(({ scheme, network }) => [
    ...(names.aliases[0] === undefined ? [] : [{ x402Version: 1, scheme, network: names.aliases[0] }]),
    { x402Version: 2, scheme, network },
  ])
  const signers: Record<string, string[]> = {}
  for (const scheme of schemes) {
    signers[scheme.signersPattern] = [...(signers[scheme.signersPattern] ?? []), ...(await scheme.signers())]
  }
  return { kinds, extensions: [], signers }
}
