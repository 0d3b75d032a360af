/** The unmodified @turnkey/solana over both clients: whatever it signs is verified by @solana/web3.js or OpenSSL. */
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient } from '@turnkey/http'
import { TurnkeySigner } from '@turnkey/solana'
import test from 'ava'
import { createPublicKey, verify } from 'node:crypto'
import { Client } from '../support/client.ts'
import { startService } from '../support/service.ts'
import { turnkeyClient } from './turnkey-client.ts'

const service = await startService()
test.after.always(() => service.dispose())
const { baseUrl, organizationId, apiPublicKey, apiPrivateKey } = service.dev

type AnyClient = ConstructorParameters<typeof TurnkeySigner>[0]['client']
// The adapter declares the clients of other releases; a user of newer ones has to say the same.
const clients: Record<string, AnyClient> = {
  '@turnkey/http': new TurnkeyClient(
    { baseUrl },
    new ApiKeyStamper({ apiPublicKey, apiPrivateKey }),
  ) as unknown as AnyClient,
  '@turnkey/sdk-server': turnkeyClient(service.dev),
}

let payer: PublicKey
let from: string
test.before(async () => {
  const { addresses } = await new Client(baseUrl, service.dev).createKey('CURVE_ED25519', ['ADDRESS_FORMAT_SOLANA'])
  from = addresses[0] as string
  payer = new PublicKey(from)
})

const recentBlockhash = new PublicKey(new Uint8Array(32).fill(7)).toBase58()
const other = new PublicKey(new Uint8Array(32).fill(9))
const table = new AddressLookupTableAccount({
  key: new PublicKey(new Uint8Array(32).fill(5)),
  state: {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [other],
  },
})

const instructions = (lamports: number) => [
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 9 }),
  SystemProgram.transfer({ fromPubkey: payer, toPubkey: other, lamports }),
]
const legacy = (lamports: number) =>
  new Transaction({ feePayer: payer, blockhash: recentBlockhash, lastValidBlockHeight: 1 }).add(
    ...instructions(lamports),
  )
const version0 = (lamports: number, tables: AddressLookupTableAccount[] = []) => {
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash, instructions: instructions(lamports) })
  return new VersionedTransaction(message.compileToV0Message(tables))
}

const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
function isSignedBy(signer: PublicKey, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([SPKI_HEAD, signer.toBytes()])
  return verify(undefined, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature)
}

/** By the library for a legacy transaction; web3.js has no such method for version 0. */
function isComplete(transaction: Transaction | VersionedTransaction): boolean {
  if (transaction instanceof Transaction) return transaction.verifySignatures()
  const { message, signatures } = transaction
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures)
  return signers.every((signer, i) => isSignedBy(signer, message.serialize(), signatures[i] as Uint8Array))
}

test('the lookup table is used', (t) => {
  t.is(version0(1, [table]).message.addressTableLookups.length, 1)
})

for (const [clientName, client] of Object.entries(clients)) {
  const signer = new TurnkeySigner({ client, organizationId })
  const kinds: Record<string, (lamports: number) => Transaction | VersionedTransaction> = {
    legacy,
    'version 0': (lamports) => version0(lamports),
    'version 0 with a lookup table': (lamports) => version0(lamports, [table]),
  }

  for (const [kind, make] of Object.entries(kinds)) {
    test(`${clientName}, ${kind}: addSignature`, async (t) => {
      const transaction = make(1)
      t.false(isComplete(transaction))
      await signer.addSignature(transaction, from)
      t.true(isComplete(transaction))
    })

    test(`${clientName}, ${kind}: signTransaction returns the same transaction with a signature`, async (t) => {
      const transaction = make(2)
      const signed = await signer.signTransaction(transaction, from)
      t.true(isComplete(signed))
      t.deepEqual(messageOf(signed), messageOf(transaction))
    })
  }

  test(`${clientName}: signAllTransactions keeps the order`, async (t) => {
    const transactions = [legacy(3), version0(4), version0(5, [table]), legacy(6)]
    const signed = await signer.signAllTransactions(transactions, from)
    t.is(signed.length, 4)
    t.true(signed.every(isComplete))
  })

  test(`${clientName}: signMessage`, async (t) => {
    for (const message of [Buffer.from('hi'), Buffer.from('héllo ✓'), Buffer.alloc(2_000, 3)]) {
      const signature = await signer.signMessage(message, from)
      t.true(isSignedBy(payer, message, signature))
      t.false(isSignedBy(other, message, signature))
    }
  })

  test(`${clientName}: what another has signed stays, in either order`, async (t) => {
    const cosigner = Keypair.generate()
    const both = () => {
      const transfer = SystemProgram.transfer({ fromPubkey: cosigner.publicKey, toPubkey: other, lamports: 1 })
      return legacy(7).add(transfer)
    }
    const first = both()
    first.partialSign(cosigner)
    t.true(isComplete(await signer.signTransaction(first, from)))
    const last = (await signer.signTransaction(both(), from)) as Transaction
    t.false(isComplete(last))
    last.partialSign(cosigner)
    t.true(isComplete(last))
  })

  test(`${clientName}: a transaction of which the key is no signer is refused`, async (t) => {
    const foreign = new Transaction({ feePayer: other, blockhash: recentBlockhash, lastValidBlockHeight: 1 })
    foreign.add(SystemProgram.transfer({ fromPubkey: other, toPubkey: payer, lamports: 1 }))
    await t.throwsAsync(signer.signTransaction(foreign, from), { message: /not among the signers/ })
  })
}

function messageOf(transaction: Transaction | VersionedTransaction): Uint8Array {
  const message = transaction instanceof Transaction ? transaction.serializeMessage() : transaction.message.serialize()
  return Uint8Array.from(message)
}
