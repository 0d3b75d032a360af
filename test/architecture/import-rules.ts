/** Who may import whom, as a table, and the check of one file against it. */
import { dirname, join } from 'node:path/posix'
import { globalsUsed, importsOf } from './source-tokens.ts'

interface Rule {
  /** A folder, or one file; `*` stands for any one name. The longest that fits a file counts. */
  readonly place: string
  /**
   * `self`: the place itself. A name with a slash at its end, or a file: that part of the repository. `node:` and
   * `keystead:` (WIT interfaces): modules of that scheme. `packages`: any package; `@scope/*`: those of one scope.
   * `everything`: no limit.
   */
  readonly mayImport: readonly string[]
  /** Runs in the guest or is shared with it: nothing of Node's is there. */
  readonly guest?: true
}

export const rules: readonly Rule[] = [
  { place: 'signer-core/protocol/', mayImport: ['self'], guest: true },
  { place: 'policies/', mayImport: ['self', 'signer-core/protocol/'], guest: true },
  { place: 'signer-core/guest/', mayImport: ['self', 'keystead:'], guest: true },
  {
    place: 'signer-core/gate/',
    mayImport: ['self', 'signer-core/guest/', 'signer-core/protocol/', 'policies/', '@scure/*', 'keystead:'],
    guest: true,
  },
  {
    place: 'signer-core/engine-reference/',
    mayImport: ['self', 'signer-core/guest/', 'signer-core/protocol/', '@noble/*', '@scure/*', 'keystead:'],
    guest: true,
  },
  // Its ./signer.js is made by the build.
  { place: 'signer-core/host/', mayImport: ['self', 'signer-core/protocol/', 'node:'] },
  { place: 'signer-core/launcher/', mayImport: ['self', 'signer-core/protocol/', 'node:'] },
  { place: 'signer-core/build/', mayImport: ['self', 'node:', 'packages'] },
  { place: 'gateway/', mayImport: ['self', 'signer-core/protocol/', 'policies/', 'node:', 'packages'] },
  {
    place: 'gateway/plugins.ts',
    mayImport: ['gateway/', 'plugins/', 'signer-core/protocol/', 'policies/', 'node:', 'packages'],
  },
  { place: 'plugins/*/', mayImport: ['self', 'gateway/plugin-api.ts', 'packages'] },
  // The contracts and what compiles them; no plug-in.
  { place: 'plugins/contracts/', mayImport: ['self', 'node:', 'packages'] },
  { place: 'cli/', mayImport: ['self', 'signer-core/protocol/', 'policies/', 'gateway/', 'node:', 'packages'] },
  // What a user of the service writes; of ours it has the part that is made for sellers.
  { place: 'examples/', mayImport: ['self', 'plugins/x402/seller/seller.ts', 'node:', 'packages'] },
  // Whoever checks the log must not have to trust what wrote it.
  { place: 'cli/verify-log.ts', mayImport: ['node:'] },
  // They run before anything is installed, or instead of it.
  { place: 'scripts/', mayImport: ['self', 'node:'] },
  { place: 'bench/', mayImport: ['everything'] },
  { place: 'test/', mayImport: ['everything'] },
]

/** Not in the guest, whatever the name of the place that Node keeps them in. */
export const NODE_GLOBALS: ReadonlySet<string> = new Set(
  (
    'Buffer process global __dirname __filename fetch XMLHttpRequest WebSocket EventSource ' +
    'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate performance navigator ' +
    'localStorage sessionStorage Worker BroadcastChannel MessageChannel'
  ).split(' '),
)

/**
 * Checks one file.
 * @param path From the repository's root, with slashes.
 * @returns one sentence for each thing that it may not do.
 */
export function violations(path: string, source: string): string[] {
  const rule = rules
    .filter(({ place }) => placeOf(place, path) !== undefined)
    .toSorted(byLength)
    .at(-1)
  if (rule === undefined) return [`${path}: no rule says what it may import`]
  const self = placeOf(rule.place, path) as string
  const imports = importsOf(source)
    .map((specifier) => (/^\.\.?\//.test(specifier) ? join(dirname(path), specifier) : specifier))
    .filter((target, i, all) => all.indexOf(target) === i && !isAllowed(rule, self, target))
    .map((target) => `${path} must not import ${target}`)
  const globals = rule.guest === true ? globalsUsed(source, NODE_GLOBALS) : []
  return [...imports, ...globals.map((name) => `${path} must not use ${name}`)]
}

function byLength(a: Rule, b: Rule): number {
  return a.place.length - b.place.length
}

/** The part of `path` that a place stands for, or undefined when the path lies elsewhere. */
function placeOf(place: string, path: string): string | undefined {
  const pattern = place.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]+')
  return new RegExp(place.endsWith('/') ? `^${pattern}` : `^${pattern}$`).exec(path)?.[0]
}

function isAllowed(rule: Rule, self: string, target: string): boolean {
  return rule.mayImport.some((allowed) => {
    if (allowed === 'everything') return true
    if (allowed === 'packages') return isPackage(target)
    if (allowed === 'self') return target.startsWith(self)
    if (allowed.endsWith('*')) return isPackage(target) && target.startsWith(allowed.slice(0, -1))
    // A folder or a scheme; a file is named whole.
    return /[/:]$/.test(allowed) ? target.startsWith(allowed) : target === allowed
  })
}

const FOLDERS = /^(?:signer-core|gateway|plugins|policies|cli|scripts|examples|bench|test|\.\.?)(?:\/|$)/

function isPackage(target: string): boolean {
  return /^(?:@[a-z0-9-]+\/)?[a-z0-9]/.test(target) && !target.includes(':') && !FOLDERS.test(target)
}
