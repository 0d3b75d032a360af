/** What the real SDKs sent, replayed through the built gate and engine with the same keys: the results are the same. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { Bench } from '../support/component.ts'
import { knownKey } from '../support/known-keys.ts'

interface KnownKey {
  privateKey: string
  address: string
  privateKeyId?: string
}
interface SdkCase {
  name: string
  requests: { path: string; type: string; parameters: { signWith: string } }[]
  results: object[]
}
const { keys, cases } = JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/sdk-requests.json'), 'utf8')) as {
  keys: Record<'secp256k1' | 'ed25519', KnownKey>
  cases: SdkCase[]
}

const dataKey = randomBytes(32)
const bench = await Bench.open(dataKey)
const imported = (Object.entries(keys) as ['secp256k1' | 'ed25519', KnownKey][]).map(([curve, each]) => ({
  names: [each.address, each.privateKeyId],
  key: knownKey(
    dataKey,
    bench.organizationId,
    curve === 'secp256k1' ? 'CURVE_SECP256K1' : 'CURVE_ED25519',
    each.privateKey,
    each.privateKeyId,
  ),
}))

test('24 cases of viem, ethers, solana and cosmjs', (t) => {
  t.is(cases.length, 24)
  for (const { name, requests, results } of cases) {
    const answers = requests.map(({ type, parameters }) => {
      const { key } = imported.find(({ names }) => names.includes(parameters.signWith)) ?? {}
      const request = bench.request(type, parameters, key === undefined ? [] : [key])
      return JSON.parse(bench.component.gate.perform(request).result) as object
    })
    t.true(answers.length > 0, name)
    t.deepEqual(answers, results, name)
  }
})
