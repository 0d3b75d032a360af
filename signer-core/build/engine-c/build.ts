/**
 * `npm run build:engine`: the fast engine, from C sources that the distribution has to a component. Every machine must get
 * the recorded bytes (engine-c/digest.json). A second run finds its result and does nothing.
 *
 * `--optional`: where it cannot be built, says so in one line and succeeds. `--record`: after a change of the engine, writes
 * the digest of what was built into the repository. `--rebuild`: compiles even if the result is there.
 */
import { parseArgs } from 'node:util'
import { EngineBuildError } from './errors.ts'
import { fastEngine, type FastEngineOptions } from './fast-engine.ts'

const { values } = parseArgs({
  options: { optional: { type: 'boolean' }, record: { type: 'boolean' }, rebuild: { type: 'boolean' } },
})

function showProgress(done: number, total: number, path: string): void {
  const line = `build:engine: ${done}/${total} ${path}`
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}${done === total ? '\n' : ''}`)
  else if (done % 10 === 0 || done === total) console.log(line)
}

try {
  const options: FastEngineOptions = {
    record: values.record ?? false,
    rebuild: (values.rebuild ?? false) || (values.record ?? false),
    onProgress: showProgress,
  }
  const { digest, length, built } = await fastEngine(options)
  console.log(`build:engine: ${built ? 'built' : 'up to date'}, ${length} bytes, sha256 ${digest}`)
} catch (error) {
  if (!(error instanceof EngineBuildError)) throw error
  console.error(`build:engine: ${error.message}; the reference engine works without it`)
  process.exitCode = values.optional === true ? 0 : 1
}
