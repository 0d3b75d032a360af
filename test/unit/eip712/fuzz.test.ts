/** Whatever the payload, it is read or refused, with bounded work. */
import test, { type ExecutionContext } from 'ava'
import { payloadToSign, type Payload } from '../../../signer-core/gate/payload.ts'
import { BODY_BYTES_MAX } from '../../../signer-core/protocol/limits.ts'
import { RefusalError } from '../../../signer-core/protocol/refusals.ts'
import type { Digest } from '../../../signer-core/gate/digest.ts'
import { digest } from '../../support/address-tools.ts'
import { mutated } from '../../support/mutate-json.ts'
import { randomTypedData } from '../../support/random-typed-data.ts'
import { fuzzCount, seedOfRun, SeededRandom } from '../../support/seeded-random.ts'
import { sampleTypedData, single } from '../../support/typed-data.ts'

/**
 * Work is counted, not timed: hashing is what a payload can make expensive, and it costs the same on every machine. A
 * hang shows itself as the runner's timeout.
 */
const DIGESTS_MAX = 10_000
const DIGESTED_BYTES_MAX = 4 * BODY_BYTES_MAX

const work = { digests: 0, bytes: 0 }
const countedDigest: Digest = (algorithm, data) => {
  work.digests++
  work.bytes += data.length
  return digest(algorithm, data)
}

/** Whether it was read. Any exception but a refusal fails the test by escaping. */
function isRead(payload: string, encoding: Payload['encoding']): boolean {
  try {
    payloadToSign({ payload, encoding, hashFunction: 'HASH_FUNCTION_NO_OP' }, 'secp256k1', countedDigest)
    return true
  } catch (error) {
    if (error instanceof RefusalError) return false
    throw new Error(`not a refusal, for ${payload.slice(0, 10_000)}`, { cause: error })
  }
}

function checkWork(t: ExecutionContext, read: () => void, why: string): void {
  Object.assign(work, { digests: 0, bytes: 0 })
  read()
  if (work.digests > DIGESTS_MAX || work.bytes > DIGESTED_BYTES_MAX) {
    t.fail(`${work.digests} digests of ${work.bytes} bytes: ${why.slice(0, 1000)}`)
  }
}

test('damaged payloads are read or refused', (t) => {
  const seed = seedOfRun()
  const count = fuzzCount(100_000)
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const authorization = JSON.stringify({ address: `0x${'ab'.repeat(20)}`, chainId: '0x1', nonce: 7 })
  let read = 0
  for (let i = 0; i < count; i++) {
    const sample = random.pick([JSON.stringify(sampleTypedData()), randomTypedData(random).text, authorization])
    const encoding = sample === authorization ? 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION' : 'PAYLOAD_ENCODING_EIP712'
    const payload = mutated(sample, random)
    checkWork(t, () => (read += isRead(payload, encoding) ? 1 : 0), payload)
  }
  t.log(`${count} inputs, ${read} read`)
  // Damage that is never noticed, or always, would prove little.
  t.true(read > count * 0.01 && read < count * 0.9, String(read))
})

const times = (count: number) => Array.from({ length: count }, (_, i) => i)

/** As much work as a payload of the longest body can ask for. */
function heavyPayloads(): [why: string, data: unknown][] {
  const chain = Object.fromEntries(times(3000).map((i) => [`A${i}`, [{ name: 'a', type: `A${(i + 1) % 3000}[]` }]]))
  const members = times(3000).map((i) => ({ name: `m${i}`, type: `A${i}` }))
  const instances = Object.fromEntries(times(3000).map((i) => [`m${i}`, { a: [] }]))
  const wide = times(3000).map((i) => ({ name: `m${i}`, type: 'Wide[]' }))
  return [
    ['structs that refer to each other', single('Many', instances, { ...chain, Many: members })],
    ['many members of one type', single('Wide', {}, { Wide: wide })],
    ['many empty texts', single('string[]', Array(80_000).fill(''))],
    ['as many empty texts as allowed', single('string[]', Array(4000).fill(''))],
    ['many small numbers', single('uint8[]', Array(120_000).fill(0))],
    [
      'many empty structs',
      single(
        'B[]',
        times(80_000).map(() => ({})),
        { B: [] },
      ),
    ],
    [
      'many empty arrays',
      single(
        'uint8[][]',
        times(80_000).map(() => []),
      ),
    ],
    ['one long text', single('string', 'é'.repeat(120_000))],
    ['long bytes', single('bytes', `0x${'ab'.repeat(120_000)}`)],
    ['a long number', single('uint256', '9'.repeat(250_000))],
    ['a long hexadecimal number', single('uint256', `0x${'f'.repeat(250_000)}`)],
    ['a long type', single(`uint8${'[]'.repeat(120_000)}`, [])],
    ['a long type name', single('B'.repeat(250_000), [])],
    ['many types', single('bool', true, Object.fromEntries(times(15_000).map((i) => [`A${i}`, []])))],
  ]
}

test('the heaviest payloads ask for bounded work', (t) => {
  for (const [why, data] of heavyPayloads()) {
    const payload = JSON.stringify(data)
    t.true(payload.length < BODY_BYTES_MAX, `${why} ${payload.length}`)
    checkWork(t, () => isRead(payload, 'PAYLOAD_ENCODING_EIP712'), why)
  }
  const nested = ['['.repeat(260_000), '{"a":'.repeat(50_000), '"'.repeat(260_000), '\\'.repeat(260_000)]
  for (const payload of nested) checkWork(t, () => isRead(payload, 'PAYLOAD_ENCODING_EIP712'), payload)
})
