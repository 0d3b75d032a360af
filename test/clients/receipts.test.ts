/** The log as a user meets it: proofs through the unmodified SDK, export and check through npm. */
import { spawn } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyAppProofSignature } from '@turnkey/crypto'
import { Turnkey } from '@turnkey/sdk-server'
import test from 'ava'
import { Client } from '../support/client.ts'
import { exportedLines, factsOf } from '../support/receipt-log.ts'
import { startService } from '../support/service.ts'

// One after the other: what one test signs would come between the pages of another.
const rootPath = join(import.meta.dirname, '../..')
const service = await startService()
test.after.always(() => service.dispose())
const { baseUrl: apiBaseUrl, organizationId, apiPublicKey, apiPrivateKey, signerPublicKey, operator } = service.dev
const sdk = new Turnkey({ apiBaseUrl, apiPublicKey, apiPrivateKey, defaultOrganizationId: organizationId })
const api = sdk.apiClient()
const client = new Client(apiBaseUrl, service.dev)
const pathOf = (name: string) => join(service.dataDir, name)

/** Runs a script as a user would who has the data folder in a file of settings. */
async function npm(...parameters: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn('npm', ['run', '--silent', ...parameters], {
    cwd: rootPath,
    env: { ...process.env, KEYSTEAD_CONFIG: pathOf('settings.yaml') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}

const exportLog = (...parameters: string[]) => npm('export-log', '--', ...parameters)
const verifyFile = (file: string, ...parameters: string[]) =>
  npm('verify-log', '--', file, '--public-key', signerPublicKey, ...parameters)

let privateKeyId: string
test.before(async () => {
  writeFileSync(pathOf('settings.yaml'), `dataDir: ${service.dataDir}\n`)
  privateKeyId = (await client.createKey('CURVE_SECP256K1')).privateKeyId
})

test.serial(
  'getAppProofs: the receipt of an activity, verified by OpenSSL and by the client’s own function',
  async (t) => {
    const { activity } = await api.signRawPayload({
      signWith: privateKeyId,
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_KECCAK256',
    })
    const { appProofs } = await api.getAppProofs({ activityId: activity.id })
    t.is(appProofs.length, 2, 'its receipt, and the one in which the identity vouches for the key of that')
    const [proof, first] = appProofs
    if (proof === undefined || first === undefined) throw new Error('no proof')
    const { receiptKey } = JSON.parse(first.proofPayload) as { receiptKey: string }
    for (const [each, publicKey] of [
      [proof, receiptKey],
      [first, signerPublicKey],
    ] as const) {
      t.is(each.scheme, 'SIGNATURE_SCHEME_EPHEMERAL_KEY_P256')
      t.is(each.publicKey, publicKey + publicKey)
      const key = createPublicKey({
        key: Buffer.from(`3059301306072a8648ce3d020106082a8648ce3d030107034200${publicKey}`, 'hex'),
        format: 'der',
        type: 'spki',
      })
      const signature = Buffer.from(each.signature, 'hex')
      t.true(verify('sha256', Buffer.from(each.proofPayload), { key, dsaEncoding: 'ieee-p1363' }, signature))
      t.notThrows(() => verifyAppProofSignature(each))
    }
    t.throws(() =>
      verifyAppProofSignature({ ...proof, proofPayload: proof.proofPayload.replace('COMPLETED', 'DENIED') }),
    )
    const facts = JSON.parse(proof.proofPayload) as Record<string, unknown>
    t.like(facts, { organizationId, activityId: activity.id, outcome: 'COMPLETED' })
    t.is(`sha256:${String(facts['bodyDigest'])}`, activity.fingerprint)
  },
)

test.serial('the receipts of another organization’s activity are not found', async (t) => {
  const { activity } = (await client.sign(privateKeyId, 'own', 'HASH_FUNCTION_SHA256')).json
  const stranger = new Client(apiBaseUrl, operator)
  const asked = await stranger.query('list_app_proofs', { activityId: activity.id })
  const none = await stranger.query('list_app_proofs', { activityId: organizationId })
  t.is(asked.status, 404)
  t.is(asked.text, none.text)
  t.is((await client.query('list_app_proofs', { activityId: activity.id })).json.appProofs.length, 2)
  t.deepEqual(await exportedLines(stranger), [])
})

test.serial('a refusal has a receipt, and pages hold all receipts once and in order', async (t) => {
  t.is((await client.sign('nobody', 'x', 'HASH_FUNCTION_SHA256')).status, 404)
  const lines = await exportedLines(client)
  t.true(lines.some((line) => factsOf(line).outcome === 'KEY_NOT_FOUND'))
  const ids = lines.map((line) => line.receiptId)
  t.deepEqual(ids, [...new Set(ids)].toSorted())
  let after: string | undefined
  for (const id of ids) {
    const { json } = await client.query('list_receipts', { paginationOptions: { limit: '1', after } })
    t.is(json.receipts[0].receiptId, id)
    t.deepEqual(Object.keys(json.receipts[0]), ['receiptId', 'text', 'signature'])
    after = id
  }
  for (const paginationOptions of [{ limit: '101' }, { limit: 5 }, { after: 'x' }, { after: `${ids[0]}0` }]) {
    const { status, json } = await client.query('list_receipts', { paginationOptions })
    t.is(status, 400)
    t.regex(json.details[1].fieldViolations[0].field, /^paginationOptions\./)
  }
})

test.serial('export-log and verify-log: the head is kept, the log grows, tampering ends with 1', async (t) => {
  const [log, head] = [pathOf('log.jsonl'), pathOf('head.json')]
  const first = await exportLog(log, '--activities')
  t.is(first.code, 0, first.output)
  t.is(statSync(log).mode & 0o777, 0o600)
  const checked = await verifyFile(log, '--write-head', head)
  t.is(checked.code, 0, checked.output)
  t.regex(checked.output, /entries in \d chains?: nothing is wrong/)
  t.regex(checked.output, /No kept head was given/)

  await client.sign(privateKeyId, 'later', 'HASH_FUNCTION_SHA256')
  t.is((await exportLog(log)).code, 0)
  const grown = await verifyFile(log, '--head', head, '--write-head', head)
  t.is(grown.code, 0, grown.output)
  t.notRegex(grown.output, /No kept head/)

  const text = readFileSync(log, 'utf8')
  const lines = text.split('\n')
  const bad = pathOf('bad.jsonl')
  for (const [tampered, expected] of [
    [[...lines.slice(0, -2), ''].join('\n'), /ends before entry \d+, which the kept head knows/],
    [text.replace('COMPLETED', 'KEY_NOT_FOUND'), /Line \d+: the signature is not the signer's/],
    ['', /ends before entry/],
  ] as const) {
    writeFileSync(bad, tampered)
    const found = await verifyFile(bad, '--head', head, '--write-head', head)
    t.is(found.code, 1, found.output)
    t.regex(found.output, expected)
  }
  t.is((await verifyFile(log, '--head', head)).code, 0, 'a log that is wrong leaves the kept head alone')
})

test.serial('what is called wrongly says so and ends with another code', async (t) => {
  t.is((await npm('verify-log', '--', 'x')).code, 2)
  t.is((await verifyFile(pathOf('none.jsonl'))).code, 2)
  t.is((await npm('export-log')).code, 2)
  for (const script of ['export-log', 'verify-log']) {
    const { code, output } = await npm(script, '--', 'x', '--unknown')
    t.is(code, 2)
    t.notRegex(output, /^\s+at /m, 'no stack')
  }
  const unreadable = await exportLog(pathOf('x.jsonl'), '--credentials', pathOf('none.json'))
  t.is(unreadable.code, 1)
  const stranger = pathOf('stranger.json')
  writeFileSync(stranger, JSON.stringify({ baseUrl: apiBaseUrl, ...operator, organizationId }))
  const refused = await exportLog(pathOf('x.jsonl'), '--credentials', stranger)
  t.is(refused.code, 1)
  t.regex(refused.output, /the service answered 401/)
  t.false(refused.output.includes(operator.apiPrivateKey))
})

test.serial('an exported log with activities shows body and result as they were', async (t) => {
  const lines = await exportedLines(client)
  const completed = lines.filter((line) => line.result !== undefined)
  t.true(completed.length > 0)
  for (const line of completed) {
    t.is(
      factsOf(line).resultDigest,
      createHash('sha256')
        .update(line.result as string)
        .digest('hex'),
    )
  }
})
