/** The verifier against a real log and 1,000 ways of tampering with it, each of which it must find. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import test from 'ava'
import { verifyLog, type Head } from '../../cli/verify-log.ts'
import { ReceiptKey } from '../../signer-core/host/receipt-key.ts'
import { Bench } from '../support/component.ts'
import { factsOf, logFile, LogWriter, type LogLine } from '../support/receipt-log.ts'
import { SeededRandom, seedOfRun } from '../support/seeded-random.ts'
import { Team } from '../support/team.ts'

const TAMPERINGS = 1_000
const seed = seedOfRun()
const random = new SeededRandom(seed)

const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)
const publicKey = Buffer.from(bench.component.gate.identity()).toString('hex')
const { key } = bench.create('CURVE_SECP256K1')
const signing = (payload: string) => bench.signRequest(key, payload, 'HASH_FUNCTION_SHA256')

/** Three chains of nine: signatures, each third a refusal. */
function chainLines(of: Bench, request: (payload: string) => ReturnType<typeof signing>): LogLine[] {
  const writer = new LogWriter(of)
  return Array.from({ length: 9 }, (_, i) =>
    writer.decide(i % 3 === 2 ? { ...request(`${i}`), keys: [] } : request(`ü ${i}`)),
  )
}

const chains = Array.from({ length: 3 }, () => chainLines(bench, signing))
const lines = chains.flat()
const headOf = (of: LogLine[]): Head => verifyLog(logFile(of), publicKey).head
const kept = headOf(lines)

/** The log of another organization, and one of another signer, to take entries from. */
const stranger = await Bench.open(dataKey)
const strangerKey = stranger.create('CURVE_SECP256K1').key
const foreign = chainLines(stranger, (payload) => stranger.signRequest(strangerKey, payload, 'HASH_FUNCTION_SHA256'))
const impostor = await Bench.open(randomBytes(32), bench.organizationId)
const impostorKey = impostor.create('CURVE_SECP256K1').key
const forged = chainLines(impostor, (payload) => impostor.signRequest(impostorKey, payload, 'HASH_FUNCTION_SHA256'))

/** Also of a host, but of none that made these chains. */
const strangeKey = new ReceiptKey()

const problemsOf = (log: Uint8Array, head?: Head) => verifyLog(log, publicKey, head).problems
const at = () => random.below(lines.length)
const other = (than: number) => (than + 1 + random.below(lines.length - 1)) % lines.length
const without = (index: number) => lines.filter((_, i) => i !== index)

/** Changes one character of one member, always to another one. */
function edited(): LogLine[] {
  const index = at()
  const line = lines[index] as LogLine
  const member = random.pick(Object.keys(line) as (keyof LogLine)[])
  const value = line[member] as string
  const place = random.below(value.length)
  const before = value.charCodeAt(place)
  const after = String.fromCharCode(before === 0x7e ? 0x20 : before + 1)
  return lines.with(index, { ...line, [member]: value.slice(0, place) + after + value.slice(place + 1) })
}

/** Changes one byte of the file itself. */
function editedByte(): Buffer {
  const log = logFile(lines)
  const place = random.below(log.length)
  log[place] = (log[place] as number) ^ (1 << random.below(8))
  return log
}

const tamperings: Record<string, () => LogLine[] | Buffer> = {
  'an entry deleted': () => without(at()),
  'two entries swapped': () => {
    const a = at()
    const b = other(a)
    return lines.with(a, lines[b] as LogLine).with(b, lines[a] as LogLine)
  },
  'an entry moved': () => {
    const index = at()
    return without(index).toSpliced(other(index), 0, lines[index] as LogLine)
  },
  'a member edited': edited,
  'a byte of the file edited': editedByte,
  'the end cut off': () => logFile(lines).subarray(0, random.below(logFile(lines).length)),
  'the last entries cut off': () => lines.slice(0, random.below(lines.length)),
  'the last entries of a chain cut off': () => {
    const [of, length] = [random.below(3), random.below(9)]
    return chains.flatMap((chain, i) => (i === of ? chain.slice(0, length) : chain))
  },
  'the first entries of a chain cut off': () => {
    const [of, from] = [random.below(3), 1 + random.below(9)]
    return chains.flatMap((chain, i) => (i === of ? chain.slice(from) : chain))
  },
  'an entry duplicated': () => lines.toSpliced(random.below(lines.length + 1), 0, lines[at()] as LogLine),
  'an entry replaced by another': () => {
    const index = at()
    return lines.with(index, lines[other(index)] as LogLine)
  },
  'an entry of another chain, signed by another': () => lines.with(at(), random.pick(forged)),
  'an entry of another organization': () => lines.toSpliced(random.below(lines.length + 1), 0, random.pick(foreign)),
  'the signature of another entry': () => {
    const index = at()
    const line = lines[index] as LogLine
    return lines.with(index, { ...line, signature: (lines[other(index)] as LogLine).signature })
  },
  'an entry signed by a key that the identity does not vouch for': () => {
    const index = at()
    const line = lines[index] as LogLine
    return lines.with(index, { ...line, signature: strangeKey.sign(line.text) })
  },
  'the result of another entry': () => {
    const index = random.pick([0, 1, 3, 4, 6, 7])
    const line = lines[index] as LogLine
    return lines.with(index, { ...line, result: `${line.result} ` })
  },
}

test('the untouched log passes, with its own head and without', (t) => {
  t.deepEqual(problemsOf(logFile(lines)), [])
  t.deepEqual(problemsOf(logFile(lines), kept), [])
  const verdict = verifyLog(logFile(lines), publicKey, kept)
  t.is(verdict.entryCount, 27)
  t.deepEqual(verdict.notes, [])
  t.deepEqual(
    Object.values(verdict.head.chains).map((each) => each.sequence),
    [9, 9, 9],
  )
  t.is(lines.filter((line) => factsOf(line).outcome === 'KEY_NOT_FOUND').length, 9)
})

test(`each of ${TAMPERINGS} tamperings is found`, (t) => {
  t.log(`seed ${seed}`)
  const names = Object.keys(tamperings)
  const original = logFile(lines)
  const counts = new Map<string, number>()
  for (let i = 0; i < TAMPERINGS; i++) {
    const name = names[i % names.length] as string
    const tampered = (tamperings[name] as () => LogLine[] | Buffer)()
    const log = Array.isArray(tampered) ? logFile(tampered) : tampered
    t.false(log.equals(original), name)
    t.not(problemsOf(log, kept).length, 0, `${name}, case ${i}`)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  t.log([...counts].map(([name, count]) => `${count} × ${name}`).join(', '))
})

test('a longer log passes against an older head, a shorter one against a newer does not', (t) => {
  const older = [...(chains[0] as LogLine[]).slice(0, 5), ...(chains[1] as LogLine[])]
  t.deepEqual(problemsOf(logFile(lines), headOf(older)), [])
  t.regex(problemsOf(logFile(older), kept).join(' '), /ends before entry 9/)
  t.deepEqual(problemsOf(logFile([]), headOf([])), [])
  t.is(problemsOf(logFile([]), kept).length, 3)
})

test('without a head a missing end does not show: the limit that the verifier states', (t) => {
  t.deepEqual(problemsOf(logFile(lines.slice(0, -3))), [])
  t.deepEqual(problemsOf(logFile(chains.slice(1).flat())), [])
})

test('an activity that waited is not taken for one that was decided again', async (t) => {
  const team = await Team.open(dataKey)
  const signed = team.bench.create('CURVE_SECP256K1').key
  const [a, b, c] = [team.join('a'), team.join('b'), team.join('c')]
  const consensus = 'approvers.count() >= 3'
  team.policy('ALLOW', { condition: "activity.resource == 'PRIVATE_KEY'", consensus })
  const writer = new LogWriter(team.bench)
  /** Found waiting twice, and then decided as often as told; as exported without `--activities`. */
  const linesOf = (what: 'APPROVE' | 'REJECT', endCount: number) => {
    const target = team.signing(signed, a, what)
    const waiting = team.perform(target)
    const votes = [team.vote(target, b), team.vote(target, c, what)]
    const ends = Array.from({ length: endCount }, () => team.again(target, waiting, votes))
    const requests = [target, team.again(target, waiting, votes.slice(0, 1)), ...ends]
    const decided = requests.map((request) => writer.decide(request))
    return decided.map(({ receiptId, text, signature }) => ({ receiptId, text, signature }))
  }
  const once = [...linesOf('APPROVE', 1), ...linesOf('REJECT', 1)]
  const waited = ['CONSENSUS_NEEDED', 'CONSENSUS_NEEDED']
  t.deepEqual(
    once.map((line) => factsOf(line).outcome),
    [...waited, 'COMPLETED', ...waited, 'REJECTED'],
  )
  const verdict = verifyLog(logFile(once), publicKey)
  t.deepEqual(verdict.problems, [])
  t.deepEqual(verdict.notes, [])
  const { notes } = verifyLog(logFile([...once, ...linesOf('APPROVE', 2)]), publicKey)
  t.is(notes.length, 1)
  t.regex(notes[0] ?? '', /has 2 receipts of its end/)
})

test('a head of another log, and a chain that was begun anew, are found', (t) => {
  t.true(problemsOf(logFile(lines), headOf(chains[0] as LogLine[])).length === 0)
  const foreignHead = verifyLog(logFile(foreign), publicKey).head
  t.regex(problemsOf(logFile(lines), foreignHead).join(' '), /not of the organization/)
  const [chainId = '', end] = Object.entries(kept.chains)[0] ?? []
  const altered = { ...kept, chains: { ...kept.chains, [chainId]: { sequence: end?.sequence ?? 0, digest: '00' } } }
  t.regex(problemsOf(logFile(lines), altered).join(' '), /not the one that the kept head knows/)
})

test('another signer’s key verifies nothing, and the other s of a signature is refused', (t) => {
  const impostorPublicKey = Buffer.from(impostor.component.gate.identity()).toString('hex')
  t.is(verifyLog(logFile(lines), impostorPublicKey).problems.length, 27)
  const [first, ...rest] = lines as [LogLine, ...LogLine[]]
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const s = (order - BigInt(`0x${first.signature.slice(64)}`)).toString(16).padStart(64, '0')
  const log = logFile([{ ...first, signature: first.signature.slice(0, 64) + s }, ...rest])
  t.regex(problemsOf(log).join(' '), /Line 1: the signature/)
  t.throws(() => verifyLog(logFile(lines), publicKey.slice(2)), { message: /130 lower-case/ })
})

test('what else the signer’s identity signs is no receipt', (t) => {
  const parameters = { privateKeyId: key.keyId, targetPublicKey: publicKey }
  const { result } = bench.component.gate.perform(bench.request('ACTIVITY_TYPE_EXPORT_PRIVATE_KEY', parameters, [key]))
  const { exportPrivateKeyResult } = JSON.parse(result) as { exportPrivateKeyResult: { exportBundle: string } }
  const bundle = JSON.parse(exportPrivateKeyResult.exportBundle) as { data: string; dataSignature: string }
  const der = Buffer.from(bundle.dataSignature, 'hex')
  const rEnd = 4 + (der[3] as number)
  const digits = (from: number, to: number) => der.subarray(from, to).toString('hex').slice(-64).padStart(64, '0')
  const signature = digits(4, rEnd) + digits(rEnd + 2, der.length)
  const receiptId = `${randomUUID()}/0000000000000001`
  const line = { receiptId, text: Buffer.from(bundle.data, 'hex').toString(), signature }
  t.regex(problemsOf(logFile([line])).join(' '), /is no receipt/)
})

test('the first entry of a chain is signed by the identity and names the key of the others, which are signed by no other', (t) => {
  const [first, second] = lines as [LogLine, LogLine]
  const { receiptKey } = JSON.parse(first.text) as { receiptKey: string }
  t.regex(receiptKey, /^04[0-9a-f]{128}$/)
  t.not(receiptKey, publicKey)
  t.false('receiptKey' in (JSON.parse(second.text) as object))
  // A key that speaks for a chain of its own does not speak for another one's.
  const [own, others] = chains as [LogLine[], LogLine[]]
  const swapped = [
    ...own,
    others[0] as LogLine,
    { ...(others[1] as LogLine), signature: (own[1] as LogLine).signature },
  ]
  t.regex(problemsOf(logFile(swapped)).join(' '), /Line 11: the signature is not the signer's/)
  // Who holds such a key cannot begin a chain.
  const begun = { ...first, signature: new ReceiptKey().sign(first.text) }
  t.regex(problemsOf(logFile([begun])).join(' '), /Line 1: the signature is not the signer's/)
})

test('an activity that was decided twice is a note, and its stored result is that of one receipt', (t) => {
  const writer = new LogWriter(bench)
  const privateKeys = [{ privateKeyName: 'k', curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] }]
  const request = bench.request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', { privateKeys }, [], {
    activityId: randomUUID(),
  })
  const addressed = { ...privateKeys[0], addressFormats: ['ADDRESS_FORMAT_SOLANA'] }
  const body = request.body.replace(JSON.stringify(privateKeys[0]), JSON.stringify(addressed))
  const twice = { ...request, body, bodyDigest: createHash('sha256').update(body).digest() }
  const [lost, stored] = [writer.decide(twice), writer.decide(twice)]
  t.not(lost.result, stored.result, 'two keys were made, one of them is stored')
  const asStored = [lost, stored].map((line) => ({ ...line, result: stored.result as string }))
  const verdict = verifyLog(logFile(asStored), publicKey)
  t.deepEqual(verdict.problems, [])
  t.regex(verdict.notes.join(' '), /has 2 receipts of its end/)
  const neither = asStored.map((line) => ({ ...line, result: '{}' }))
  t.regex(problemsOf(logFile(neither)).join(' '), /not what the signer answered/)
})
