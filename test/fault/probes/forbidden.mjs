// Tries what a signer host must not be able to do and reports, over fd 3, what worked: {name: true | error code}.
// Fd 4 brings {port, socketPath, scratch, parentPid}. It drops file access first, as the host does.
import * as childProcess from 'node:child_process'
import * as dgram from 'node:dgram'
import * as dns from 'node:dns/promises'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as inspector from 'node:inspector'
import * as net from 'node:net'
import { Worker } from 'node:worker_threads'

const { port, socketPath, scratch, parentPid } = JSON.parse(fs.readFileSync(4, 'utf8'))
process.permission?.drop('fs.read')

const attempts = {
  readPasswords: () => fs.readFileSync('/etc/passwd'),
  readOwnFolder: () => fs.readFileSync(import.meta.filename),
  readProc: () => fs.readFileSync('/proc/self/status'),
  listRoot: () => fs.readdirSync('/'),
  write: () => fs.writeFileSync(`${scratch}/written`, 'x'),
  symlink: () => fs.symlinkSync('/etc', `${scratch}/link`),
  changeDirectory: () => process.chdir('/'),
  writeReport: () => process.report.writeReport(`${scratch}/report.json`),
  importOutside: () => import(`${scratch}/outside.mjs`),
  connect: () => once(net.connect(port, '127.0.0.1'), 'connect'),
  connectUnix: () => once(net.connect(socketPath), 'connect'),
  listen: () => once(net.createServer().listen(0, '127.0.0.1'), 'listening'),
  udp: () => once(dgram.createSocket('udp4').bind(0, '127.0.0.1'), 'listening'),
  lookUp: () => dns.lookup('localhost'),
  fetch: () => fetch(`http://127.0.0.1:${port}/`),
  childProcess() {
    const { error, status } = childProcess.spawnSync(process.execPath, ['--version'])
    if (error) throw error
    if (status !== 0) throw new Error('status')
  },
  worker: () => once(new Worker('', { eval: true }), 'online'),
  loadLibrary() {
    try {
      process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libm.so.6')
    } catch (error) {
      // It was loaded, and then found not to be an addon.
      if (!error.message.includes('self-register')) throw error
    }
  },
  sqlite: async () => new (await import('node:sqlite')).DatabaseSync(`${scratch}/probe.db`).exec('create table t (a)'),
  wasi: async () => new (await import('node:wasi')).WASI({ version: 'preview1', preopens: { '/': '/' } }),
  inspector: () => inspector.open(0, '127.0.0.1'),
  signalParent: () => process.kill(parentPid, 0),
  environment() {
    if (process.env.KEYSTEAD_PROBE === undefined) throw new Error('empty')
  },
  // oxlint-disable-next-line typescript/no-implied-eval
  evaluate: () => new Function('return 1')(),
}

// net.Server.listen throws its refusal where nobody can catch it.
let refuse
process.on('uncaughtException', (error) => refuse(error))

const results = {}
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await Promise.race([attempt(), new Promise((_, reject) => (refuse = reject))])
    results[name] = true
  } catch (error) {
    results[name] = error.code ?? error.name
  }
}
fs.writeSync(3, JSON.stringify(results))
process.exit(0)
