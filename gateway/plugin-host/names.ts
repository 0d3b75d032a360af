/** The names of a plug-in, from its kebab-case one. */

/** `gas-relay` -> `gasRelay` */
export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** `gas-relay` -> `KEYSTEAD_GAS_RELAY_` */
export function environmentPrefix(name: string): string {
  return `KEYSTEAD_${name.replaceAll('-', '_').toUpperCase()}_`
}
