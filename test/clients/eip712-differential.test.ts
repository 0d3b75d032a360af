/** Random typed data: the signer's digest is viem's. */
import test from 'ava'
import { hashTypedData } from 'viem'
import { readTypedData } from '../../signer-core/gate/eip712/typed-data.ts'
import { bytesToHex } from '../../signer-core/protocol/bytes.ts'
import { digest } from '../support/address-tools.ts'
import { randomTypedData, type RandomTypedData } from '../support/random-typed-data.ts'
import { seedOfRun, SeededRandom } from '../support/seeded-random.ts'

const STRUCTURES = 5000

test('5,000 random structures have the digest that viem gives them', (t) => {
  const seed = seedOfRun()
  t.log(`seed ${seed}`)
  const random = new SeededRandom(seed)
  const digests = new Set<string>()
  for (let i = 0; i < STRUCTURES; i++) {
    const { text, types, ...rest } = randomTypedData(random)
    const ours = `0x${bytesToHex(readTypedData(text, digest).digest)}`
    // viem leaves the domain away when its type is missing; the SDK's adapter sends an empty one.
    const known: RandomTypedData['types'] = { EIP712Domain: [], ...types }
    const theirs = hashTypedData({ ...rest, types: known })
    if (ours !== theirs) t.is(ours, theirs, text)
    digests.add(ours)
  }
  // Most structures differ, or the generator would prove little.
  t.true(digests.size > STRUCTURES * 0.8, String(digests.size))
})
