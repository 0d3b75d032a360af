/** The chain's names: version 1 has names of its own for chains, version 2 their CAIP-2 identifiers. */

export class NetworkNames {
  readonly network: string
  readonly aliases: readonly string[]

  /** @param network CAIP-2. @param aliases The first is what `/supported` says in version 1. */
  constructor(network: string, aliases: readonly string[]) {
    this.network = network
    this.aliases = aliases
  }

  /** CAIP-2 of a name; a name of no chain of ours stays what it is, and no policy will be found for it. */
  idOf(name: string): string {
    return this.aliases.includes(name) ? this.network : name
  }

  areSame(one: string, other: string): boolean {
    return this.idOf(one) === this.idOf(other)
  }
}
