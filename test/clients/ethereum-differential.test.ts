/** Random Ethereum transactions made by ethers, whole and broken: what we accept, ethers reads and writes the same. */
import test from 'ava'
import { Signature, Transaction, type TransactionLike } from 'ethers'
import { ethereum } from '../../signer-core/gate/transactions/ethereum.ts'
import { bytesToHex } from '../../signer-core/protocol/bytes.ts'
import { fuzzCount, seedOfRun, SeededRandom } from '../support/seeded-random.ts'
import { brokenInput, digest, hex, signerOf } from '../support/transactions.ts'

const TRANSACTIONS = 1_000
const signer = signerOf('secp256k1', '11'.repeat(32))

type Facts = Record<string, unknown>
function ours(bytes: Uint8Array): Facts | undefined {
  try {
    return (ethereum.parse(bytes, signer, digest).facts.eth as { tx: Facts }).tx
  } catch {
    return undefined
  }
}

const typeNames = ['LEGACY', 'TYPE_1', 'TYPE_2', 'TYPE_3', 'TYPE_4']

/** The same facts from ethers' reading. */
function theirs(read: Transaction): Facts {
  const { type, accessList, authorizationList } = read
  return {
    type: typeNames[read.type ?? -1],
    chain_id: type === 0 && read.chainId === 0n ? undefined : read.chainId.toString(),
    nonce: read.nonce.toString(),
    gas: read.gasLimit.toString(),
    gas_price: String(read.gasPrice ?? read.maxFeePerGas),
    to: read.to?.toLowerCase() ?? '',
    value: read.value.toString(),
    data: read.data,
    access_list:
      type === 0
        ? undefined
        : accessList?.map((each) => ({ address: each.address.toLowerCase(), storage_keys: each.storageKeys })),
    blob_versioned_hashes: read.blobVersionedHashes ?? undefined,
    authorization_list: authorizationList?.map(({ address, chainId, nonce, signature }) => ({
      chain_id: chainId.toString(),
      address: address.toLowerCase(),
      nonce: nonce.toString(),
      y_parity: signature.yParity,
      r: signature.r,
      s: signature.s,
    })),
  }
}

/** As a node of any chain would take it; nonces within the double that ethers keeps them in. */
function randomTransaction(random: SeededRandom): Transaction {
  const bytes = (length: number) => `0x${bytesToHex(random.bytes(length))}`
  const wei = () => BigInt(random.pick(['0x0', '0x1', '0x7f', '0x80', bytes(1 + random.below(12))]))
  const address = () => bytes(20)
  const type = random.below(5)
  const fee = wei()
  const base: TransactionLike = {
    type,
    nonce: random.pick([0, 1, 127, 128, random.below(2 ** 32)]),
    gasLimit: BigInt(21_000 + random.below(30_000_000)),
    value: wei(),
    data: random.pick(['0x', bytes(random.below(200))]),
    // Nowhere to: a contract is made, which types 3 and 4 cannot do.
    ...((type >= 3 || random.below(5) > 0) && { to: address() }),
    chainId: BigInt(1 + random.below(2 ** 31)),
  }
  if (type <= 1) base.gasPrice = fee
  else Object.assign(base, { maxFeePerGas: fee + wei(), maxPriorityFeePerGas: fee })
  if (type >= 1) {
    const entry = () => ({ address: address(), storageKeys: random.list(random.below(3), () => bytes(32)) })
    base.accessList = random.list(random.below(3), entry)
  }
  if (type === 3) {
    base.maxFeePerBlobGas = wei()
    base.blobVersionedHashes = random.list(1 + random.below(3), () => `0x01${bytes(31).slice(2)}`)
  }
  if (type === 4) base.authorizationList = random.list(1 + random.below(3), () => authorization(random, address()))
  return Transaction.from(base)
}

function authorization(random: SeededRandom, address: string) {
  const word = () => `0x00${bytesToHex(random.bytes(30))}01`
  const signature = Signature.from({ r: word(), s: word(), yParity: random.pick([0, 1] as const) })
  return { address, chainId: BigInt(random.below(2 ** 31)), nonce: BigInt(random.below(2 ** 31)), signature }
}

test('random transactions, whole and broken: ethers reads the same and writes the same bytes', (t) => {
  const seed = seedOfRun()
  const random = new SeededRandom(seed)
  const counts = { whole: 0, broken: 0, accepted: 0, unsafe: 0 }
  const compare = (bytes: Uint8Array, facts: Facts) => {
    const text = `0x${bytesToHex(bytes)}`
    const read = Transaction.from(text)
    t.is(read.unsignedSerialized, text)
    for (const [name, value] of Object.entries(theirs(read))) t.deepEqual(facts[name], value, `${name} of ${text}`)
  }
  for (let i = 0; i < fuzzCount(TRANSACTIONS); i++) {
    const whole = hex(randomTransaction(random).unsignedSerialized.slice(2))
    const facts = ours(whole)
    if (facts === undefined) return t.fail(`seed ${seed}: refused ${bytesToHex(whole)}`)
    compare(whole, facts)
    counts.whole++
    for (let faults = 0; faults < 5; faults++) {
      const broken = brokenInput([whole], (limit) => random.below(limit))
      counts.broken++
      const accepted = ours(broken)
      if (accepted === undefined) continue
      // Chain ids and nonces beyond a double are refused by ethers, not read otherwise.
      if (![accepted.chain_id, accepted.nonce].every((each) => Number(each ?? 0) <= Number.MAX_SAFE_INTEGER)) {
        counts.unsafe++
        continue
      }
      counts.accepted++
      compare(broken, accepted)
    }
  }
  t.log(`seed ${seed}: ${JSON.stringify(counts)}`)
  t.true(counts.accepted > counts.broken * 0.05)
})
