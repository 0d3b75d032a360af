import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { keystead } from '../../support/keystead.ts'

const root = join(import.meta.dirname, '../../..')
const commands = ['org create', 'api-key create', 'service-user create', 'policy check', 'log export', 'log verify']

test('every command says how it is called, and ends with 0 for that', (t) => {
  const { code, stdout } = keystead(['--help'])
  t.is(code, 0)
  for (const group of new Set(commands.map((each) => each.split(' ')[0])))
    t.regex(stdout, new RegExp(`^  ${group} `, 'm'))
  for (const command of commands) {
    const help = keystead([...command.split(' '), '--help'])
    t.is(help.code, 0, command)
    t.true(help.stdout.startsWith(`Usage: keystead ${command} [options]`), help.stdout)
    t.is(help.stderr, '')
  }
})

test('a wrong call ends with 2 and one line that says what is wrong', (t) => {
  for (const call of [[], ['org'], ['orgs'], ['org', 'create'], ['log', 'verify', 'x'], ['--verbose']]) {
    const { code, stdout, stderr } = keystead(call)
    t.deepEqual([code, stdout], [2, ''], call.join(' '))
    t.true(stderr.length > 0)
  }
  t.true(keystead(['org', 'create']).stderr.startsWith("error: required option '-n, --name <name>' not specified\n"))
})

test('the package names the command, which any Node from 20 on may start', (t) => {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: { keystead: string } }
  const script = join(root, bin.keystead)
  t.true(existsSync(script))
  // Whatever else is installed here; where nothing is, the running Node stands for it.
  const system = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path)) ?? process.execPath
  const { status, stdout } = spawnSync(system, [script, 'policy', 'check', 'policies/examples/relayer-key.yaml'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.deepEqual([status, stdout], [0, '3 policies, no faults\n'])
  t.is(spawnSync(system, [script, 'orgs'], { encoding: 'utf8' }).status, 2)
})
