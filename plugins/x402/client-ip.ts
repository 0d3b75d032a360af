/** Whose request it is, as far as limits go. */

/**
 * @param socketIp Who is connected to us. @param forwarded X-Forwarded-For. @param trustedProxies How many entries at its
 * end proxies of ours have added: what stands before them anybody may have written.
 * @returns the address; of IPv6 its /64, which is what one customer has.
 */
export function clientIp(socketIp: string, forwarded: string, trustedProxies: number): string {
  if (trustedProxies === 0) return network(socketIp)
  const entries = forwarded.split(',').map((entry) => entry.trim())
  return network(withoutPort(entries.at(-trustedProxies) || socketIp))
}

const V4_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/
const BRACKETS = /^\[([^[\]]*)\](?::\d+)?$/

/** Some proxies add the port, which is another with each connection. IPv6 has one only behind brackets. */
function withoutPort(entry: string): string {
  return V4_PORT.exec(entry)?.[1] ?? BRACKETS.exec(entry)?.[1] ?? entry
}

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i
const IP_LENGTH_MAX = 45

function network(ip: string): string {
  const v4 = MAPPED.exec(ip)?.[1] ?? ip
  if (!v4.includes(':')) return v4.slice(0, IP_LENGTH_MAX)
  return `${expand(v4).slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address without leading zeros. What is none comes out as something, always the same. */
function expand(ip: string): string[] {
  const [head = '', tail] = ip.toLowerCase().slice(0, IP_LENGTH_MAX).split('::')
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...zeros, ...after]
}

function groups(text: string): string[] {
  return text === '' ? [] : text.split(':').map((group) => group.replace(/^0+(?=.)/, ''))
}
