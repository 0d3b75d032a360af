/**
 * Fetches upstream archives from the distribution's own source packages. Runs apt-get on private directories, so it
 * needs no root and touches nothing of the system; mirror and proxy are those that the system is configured with.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EngineBuildError } from './errors.ts'

/** Debian 12, whatever release the system itself is: it has the pinned versions, and its mirrors keep them. */
const SUITE = 'bookworm'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * Leaves each wanted archive in `directory`; what is in it the caller checks.
 *
 * @param wanted Source packages by Debian's names.
 * @param directory Empty, ours.
 * @throws {EngineBuildError} when there is no apt, no network, or no mirror that has them.
 */
export function fetchArchives(wanted: readonly { name: string }[], directory: string): void {
  // As root, apt reads and writes here as its own user.
  chmodSync(directory, 0o755)
  const mirrors = mirrorsOfSystem()
  let complaint = 'apt is configured with no Debian mirror'
  for (const mirror of mirrors) {
    const options = privateApt(join(directory, 'apt'), mirror)
    const update = aptGet([...options, 'update', '--error-on=any'], directory)
    const source = ['source', '--quiet=2', '--tar-only', '--download-only', ...wanted.map(({ name }) => name)]
    const failure = update ?? aptGet([...options, ...source], directory)
    if (failure === undefined) return
    complaint = failure
  }
  throw new EngineBuildError(`the C sources could not be fetched through apt (${complaint})`)
}

/** Addresses of the configured binary repositories, without those that only hold security updates. */
function mirrorsOfSystem(): string[] {
  const { stdout, error } = spawnSync(
    'apt-get',
    ['indextargets', '--no-release-info', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages'],
    { encoding: 'utf8' },
  )
  if (error !== undefined) throw new EngineBuildError('the C sources come through apt, which this system does not have')
  const rows = stdout.split('\n').map((line) => line.split(' '))
  const main = rows.filter(([, release, component]) => component === 'main' && !release?.includes('security'))
  return [...new Set(main.map(([uri]) => uri as string))]
}

/** Options for an apt-get that knows only source packages of one mirror. */
function privateApt(root: string, mirror: string): string[] {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'sources']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  const signedBy = existsSync(KEYRING) ? `Signed-By: ${KEYRING}\n` : ''
  const source = `Types: deb-src\nURIs: ${mirror}\nSuites: ${SUITE}\nComponents: main\n${signedBy}`
  writeFileSync(join(root, 'sources/debian.sources'), source)
  writeFileSync(
    join(root, 'apt.conf'),
    [
      // What the system does after its own updates is not for us.
      '#clear APT::Update::Post-Invoke;',
      '#clear APT::Update::Post-Invoke-Success;',
      'Dir::Etc::sourcelist "/dev/null";',
      `Dir::Etc::sourceparts "${root}/sources";`,
      `Dir::State "${root}";`,
      `Dir::State::lists "${root}/lists";`,
      'Dir::State::status "/dev/null";',
      `Dir::Cache "${root}/cache";`,
      'Acquire::Retries "1";',
      'Acquire::http::Timeout "20";',
      'Acquire::https::Timeout "20";',
      '',
    ].join('\n'),
  )
  return ['-c', join(root, 'apt.conf')]
}

/** @returns apt's first complaint, or undefined when all went well. */
function aptGet(argv: string[], cwd: string): string | undefined {
  const { status, stderr } = spawnSync('apt-get', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status === 0) return undefined
  const complaint = /^[EW]: (.*)$/m.exec(stderr ?? '')?.[1]
  return complaint ?? 'apt-get failed'
}
