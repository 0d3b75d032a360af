/** What we read in Ethereum transactions and what viem reads in the same bytes: what we accept must not differ. */
import test from 'ava'
import { parseTransaction, serializeTransaction, toHex, type TransactionSerializable } from 'viem'
import { ethereum } from '../../signer-core/gate/transactions/ethereum.ts'
import { fuzzCount, seedOfRun } from '../support/seeded-random.ts'
import { brokenInput, digest, hex, numbers, signerOf, transactionVectors } from '../support/transactions.ts'

const INPUTS = 30_000
const signer = signerOf('secp256k1', '11'.repeat(32))
const vectors = transactionVectors('ethereum').map(({ unsignedTransaction }) => hex(unsignedTransaction))

type Facts = Record<string, unknown>

function ours(bytes: Uint8Array): Facts | undefined {
  try {
    return (ethereum.parse(bytes, signer, digest).facts.eth as { tx: Facts }).tx
  } catch {
    return undefined
  }
}

const types: Record<string, string> = {
  legacy: 'LEGACY',
  eip2930: 'TYPE_1',
  eip1559: 'TYPE_2',
  eip4844: 'TYPE_3',
  eip7702: 'TYPE_4',
}

/** The same facts from viem's reading, as far as it has them. */
function theirs(bytes: Uint8Array): Facts {
  const read = parseTransaction(toHex(bytes))
  const decimal = (value: bigint | number | undefined) => value?.toString()
  return {
    type: types[read.type ?? ''],
    chain_id: decimal(read.chainId),
    nonce: decimal(read.nonce ?? 0),
    gas: decimal(read.gas ?? 0),
    gas_price: decimal(read.gasPrice ?? read.maxFeePerGas ?? 0),
    to: read.to?.toLowerCase() ?? '',
    value: decimal(read.value ?? 0),
    data: read.data ?? '0x',
    ...lists(read),
  }
}

/** viem leaves an empty access list out. */
function lists({ type, accessList, blobVersionedHashes, authorizationList }: ReturnType<typeof parseTransaction>) {
  const access = (accessList ?? []).map((each) => ({ address: each.address, storage_keys: each.storageKeys }))
  const authorizations = authorizationList?.map(({ chainId, address, nonce, yParity, r, s }) => ({
    chain_id: String(chainId),
    address: address.toLowerCase(),
    nonce: String(nonce),
    y_parity: yParity,
    r,
    s,
  }))
  return {
    access_list: type === 'legacy' ? undefined : access,
    blob_versioned_hashes: blobVersionedHashes,
    authorization_list: authorizations,
  }
}

test('vectors and broken vectors: viem reads the same and writes the same bytes', (t) => {
  const seed = seedOfRun()
  const below = numbers(seed)
  const counts = { accepted: 0, unsafe: 0 }
  const inputs = [...vectors, ...Array.from({ length: fuzzCount(INPUTS) }, () => brokenInput(vectors, below))]
  for (const bytes of inputs) {
    const facts = ours(bytes)
    if (facts === undefined) continue
    // viem keeps chain id and nonce in a double.
    if ([facts.chain_id, facts.nonce].some((number) => Number(number) > Number.MAX_SAFE_INTEGER)) {
      counts.unsafe++
      continue
    }
    counts.accepted++
    const read = theirs(bytes)
    for (const [name, value] of Object.entries(read)) t.deepEqual(facts[name], value, `${name} of ${toHex(bytes)}`)
    const again: TransactionSerializable = parseTransaction(toHex(bytes))
    t.true(serializeTransaction(again) === toHex(bytes), toHex(bytes))
  }
  t.log(`seed ${seed}: ${counts.accepted} accepted and equal, ${counts.unsafe} beyond viem's numbers`)
  t.true(counts.accepted > 1000)
})
