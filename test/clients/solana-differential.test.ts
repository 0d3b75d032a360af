/** Random Solana transactions made by @solana/web3.js, whole and broken: what we accept, web3.js reads the same. */
import {
  AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import test from 'ava'
import { LOOKED_UP, type SolanaAccount } from '../../signer-core/gate/transactions/solana-facts.ts'
import { solana } from '../../signer-core/gate/transactions/solana.ts'
import { bytesToHex } from '../../signer-core/protocol/bytes.ts'
import { fuzzCount, seedOfRun, SeededRandom } from '../support/seeded-random.ts'
import { brokenInput, digest, signerOf } from '../support/transactions.ts'

const TRANSACTIONS = 1_000
const signer = signerOf('ed25519', '11'.repeat(32))
const own = new PublicKey(signer.publicKey)

interface Facts {
  account_keys: string[]
  instructions: { program_key: string; accounts: SolanaAccount[]; instruction_data_hex: string }[]
  recent_blockhash: string
  address_table_lookups: { address_table_key: string; writable_indexes: number[]; readonly_indexes: number[] }[]
}

function ours(bytes: Uint8Array): { facts: Facts; message: Uint8Array } | undefined {
  try {
    const { facts, toSign } = solana.parse(bytes, signer, digest)
    return { facts: (facts.solana as unknown as { tx: Facts }).tx, message: toSign[0]?.message as Uint8Array }
  } catch {
    return undefined
  }
}

/** The same facts from web3.js' reading: legacy and version 0 messages have one interface. */
function theirs({ message }: VersionedTransaction): Facts {
  const lookups = message.addressTableLookups
  const lookedUp = lookups.flatMap(({ writableIndexes, readonlyIndexes }) => [...writableIndexes, ...readonlyIndexes])
  const keys = [...message.staticAccountKeys.map((key) => key.toBase58()), ...lookedUp.map(() => LOOKED_UP)]
  const account = (index: number): SolanaAccount => ({
    account_key: keys[index] as string,
    signer: message.isAccountSigner(index),
    writable: message.isAccountWritable(index),
  })
  return {
    account_keys: keys,
    instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      program_key: keys[programIdIndex] as string,
      accounts: accountKeyIndexes.map(account),
      instruction_data_hex: bytesToHex(data),
    })),
    recent_blockhash: message.recentBlockhash,
    address_table_lookups: lookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
      address_table_key: accountKey.toBase58(),
      writable_indexes: writableIndexes,
      readonly_indexes: readonlyIndexes,
    })),
  }
}

/** Programs nobody knows, so that no rule about transfers refuses a transaction. */
function randomTransaction(random: SeededRandom): VersionedTransaction {
  const publicKey = () => new PublicKey(random.bytes(32))
  const pool = [own, ...random.list(1 + random.below(5), publicKey)]
  const looked = random.list(1 + random.below(4), publicKey)
  const instructions = random.list(1 + random.below(3), () => {
    const keys = random.list(random.below(6), () => ({
      pubkey: random.pick([...pool, ...looked]),
      isSigner: false,
      isWritable: random.below(2) === 0,
    }))
    const signers = [{ pubkey: random.pick(pool), isSigner: true, isWritable: random.below(2) === 0 }]
    const data = Buffer.from(random.bytes(random.pick([0, 1, 9, 130])))
    return new TransactionInstruction({ programId: publicKey(), keys: [...keys, ...signers], data })
  })
  const recentBlockhash = publicKey().toBase58()
  const message = new TransactionMessage({ payerKey: own, recentBlockhash, instructions })
  if (random.below(2) === 0) return new VersionedTransaction(message.compileToLegacyMessage())
  const state = { deactivationSlot: 0n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: looked }
  const tables = random.below(2) === 0 ? [] : [new AddressLookupTableAccount({ key: publicKey(), state })]
  return new VersionedTransaction(message.compileToV0Message(tables))
}

test('random transactions, whole and broken: web3.js reads the same and writes the same bytes', (t) => {
  const seed = seedOfRun()
  const random = new SeededRandom(seed)
  const counts = { whole: 0, broken: 0, accepted: 0 }
  const compare = (bytes: Uint8Array, { facts, message }: { facts: Facts; message: Uint8Array }) => {
    const text = `seed ${seed}: ${bytesToHex(bytes)}`
    const read = VersionedTransaction.deserialize(bytes)
    t.is(bytesToHex(read.serialize()), bytesToHex(bytes))
    t.is(bytesToHex(message), bytesToHex(read.message.serialize()))
    const known = theirs(read)
    const { account_keys, recent_blockhash, address_table_lookups } = facts
    const instructions = facts.instructions.map(({ program_key, accounts, instruction_data_hex }) => ({
      program_key,
      accounts,
      instruction_data_hex,
    }))
    t.deepEqual({ account_keys, instructions, recent_blockhash, address_table_lookups }, known, text)
  }
  for (let i = 0; i < fuzzCount(TRANSACTIONS); i++) {
    const whole = randomTransaction(random).serialize()
    const read = ours(whole)
    if (read === undefined) return t.fail(`seed ${seed}: refused ${bytesToHex(whole)}`)
    compare(whole, read)
    counts.whole++
    for (let faults = 0; faults < 5; faults++) {
      const broken = brokenInput([whole], (limit) => random.below(limit))
      counts.broken++
      const accepted = ours(broken)
      if (accepted === undefined) continue
      counts.accepted++
      compare(broken, accepted)
    }
  }
  t.log(`seed ${seed}: ${JSON.stringify(counts)}`)
  t.true(counts.accepted > counts.broken * 0.05)
})
