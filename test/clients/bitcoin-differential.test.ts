/** Random PSBTs, whole and broken: what we accept, @scure/btc-signer reads the same and signs with the same bytes. */
import { SigHash, Transaction } from '@scure/btc-signer'
import test from 'ava'
import { IN, readPsbt, writePsbt } from '../../signer-core/gate/transactions/psbt.ts'
import { bytesToHex } from '../../signer-core/protocol/bytes.ts'
import { factsOf, foreign, KEY, kinds, own, pair, parse, psbtOf, scripts, type BitcoinFacts } from '../support/psbts.ts'
import { fuzzCount, seedOfRun, SeededRandom } from '../support/seeded-random.ts'
import { brokenInput, hex, signAll } from '../support/transactions.ts'

const TRANSACTIONS = 80
/** The library is stricter about what it would make itself; whatever it can read it shall read. */
const LENIENT = {
  allowUnknownVersion: true,
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowLegacyWitnessUtxo: true,
}

function accepted(bytes: Uint8Array): { facts: BitcoinFacts; signed: Uint8Array } | undefined {
  try {
    return { facts: factsOf(bytes), signed: signAll(KEY, parse(bytes)) }
  } catch {
    return undefined
  }
}

function randomPsbt(random: SeededRandom): Uint8Array {
  const value = () => BigInt(1_000 + random.below(2 ** 31))
  const outputs = random.list(1 + random.below(3), () => ({
    value: BigInt(random.below(300)),
    script: random.pick([foreign, ...kinds.map((kind) => own(kind)?.script as Uint8Array)]),
  }))
  // One input of each kind at most: the support makes one transaction for each, and equal ones would be spent twice.
  const some = kinds.filter(() => random.below(2) === 0)
  const inputs = (some.length === 0 ? kinds : some).map((kind) => ({ kind, value: value() }))
  const locktime = random.pick([0, 1, 499_999_999, 500_000_000, 2 ** 32 - 1])
  const psbt = psbtOf(inputs, outputs, locktime)
  // The library signs by taproot only where the internal key is named.
  const named = pair(IN.tapInternalKey, scripts.key.subarray(1))
  return writePsbt({
    ...psbt,
    inputs: psbt.inputs.map((pairs, i) => (inputs[i]?.kind === 'p2tr' ? [...pairs, named] : pairs)),
  })
}

/** Every signature by input: partial ones with their keys, and those of taproot. */
function signaturesIn(psbt: Uint8Array): string[][] {
  const wanted: number[] = [IN.partialSig, IN.tapKeySig]
  return readPsbt(psbt).inputs.map((pairs) =>
    pairs.filter(({ type }) => wanted.includes(type)).map(({ key, value }) => bytesToHex(key) + bytesToHex(value)),
  )
}

const ownScripts = new Set(kinds.map((kind) => bytesToHex(own(kind)?.script as Uint8Array)))

/** The script that the input spends, if a witness UTXO names it: after 8 bytes of amount and one of length. */
function scriptSpent(psbt: Uint8Array, i: number): string | undefined {
  const witness = readPsbt(psbt).inputs[i]?.find(({ type }) => type === IN.witnessUtxo)?.value
  return witness && bytesToHex(witness.subarray(9))
}

/** A fault may have taken the internal key's name away. */
function isUnnamedTaproot(psbt: Uint8Array, i: number): boolean {
  const named = readPsbt(psbt).inputs[i]?.some(({ type }) => type === IN.tapInternalKey)
  return scriptSpent(psbt, i)?.startsWith('51') === true && !named
}

/** The library signs whatever script has the key's hash in it, such as one that a fault made of ours; we do not. */
function isForeign(psbt: Uint8Array, i: number): boolean {
  const script = scriptSpent(psbt, i)
  return script !== undefined && !ownScripts.has(script)
}

/** What the library says of the same bytes, or why it will not read them. */
function theirs(bytes: Uint8Array) {
  try {
    return Transaction.fromPSBT(bytes, LENIENT)
  } catch (error) {
    return (error as Error).message
  }
}

function factsIn(read: Transaction) {
  const indices = (length: number) => Array.from({ length }, (_, i) => i)
  return {
    version: String(read.version | 0),
    inputs: indices(read.inputsLength).map((i) => {
      const { txid, index, sequence } = read.getInput(i)
      return { tx_id: bytesToHex(txid as Uint8Array), vout: index, sequence }
    }),
    outputs: indices(read.outputsLength).map((i) => {
      const { amount, script } = read.getOutput(i)
      return { value: String(amount), script_pubkey: bytesToHex(script as Uint8Array) }
    }),
    locktime: read.lockTime,
  }
}

test('random PSBTs, whole and broken: inputs, outputs, fee and signatures agree', (t) => {
  const seed = seedOfRun()
  const random = new SeededRandom(seed)
  const counts = { whole: 0, broken: 0, accepted: 0, signedAlike: 0 }
  const unread: Record<string, number> = {}
  const compare = (bytes: Uint8Array, { facts, signed }: { facts: BitcoinFacts; signed: Uint8Array }) => {
    const text = `seed ${seed}: ${bytesToHex(bytes)}`
    const read = theirs(bytes)
    if (typeof read === 'string') {
      unread[read] = (unread[read] ?? 0) + 1
      return
    }
    const outputs = facts.outputs.map(({ value, script_pubkey }) => ({ value, script_pubkey }))
    const { version, inputs } = facts
    t.deepEqual(factsIn(read), { version, inputs, outputs, locktime: facts.locktime.amount }, text)
    if (facts.fee !== undefined) t.is(String(read.fee), facts.fee, text)
    read.sign(hex(KEY), [SigHash.DEFAULT, SigHash.ALL], new Uint8Array(32))
    const signatures = signaturesIn(signed)
    const before = signaturesIn(bytes)
    const known = signaturesIn(read.toPSBT(0)).map((each, i) => {
      if (isForeign(bytes, i)) return before[i]
      return isUnnamedTaproot(bytes, i) ? signatures[i] : each
    })
    t.deepEqual(signatures, known, text)
    counts.signedAlike++
  }
  for (let i = 0; i < fuzzCount(TRANSACTIONS); i++) {
    const whole = randomPsbt(random)
    const mine = accepted(whole)
    if (mine === undefined) return t.fail(`seed ${seed}: refused ${bytesToHex(whole)}`)
    compare(whole, mine)
    counts.whole++
    for (let faults = 0; faults < 10; faults++) {
      const broken = brokenInput([whole], (limit) => random.below(limit))
      counts.broken++
      const still = accepted(broken)
      if (still === undefined) continue
      counts.accepted++
      compare(broken, still)
    }
  }
  t.log(`seed ${seed}: ${JSON.stringify(counts)}, unread by the library: ${JSON.stringify(unread)}`)
  t.true(counts.signedAlike > counts.whole)
})
