/** Solana transactions, legacy and version 0: fills the key's signature slot and leaves the others as they came. */
import { equalBytes } from '../../protocol/bytes.ts'
import { onlySignature } from './signature.ts'
import { solanaFacts } from './solana-facts.ts'
import { readSolana, writeSolana } from './solana-message.ts'
import { TransactionError, type ParsedTransaction, type Signer, type TransactionFormat } from './transaction.ts'

export const solana: TransactionFormat = {
  curve: 'ed25519',
  parse(bytes: Uint8Array, { curve, publicKey }: Signer): ParsedTransaction {
    const transaction = readSolana(bytes)
    const slot = transaction.keys.findIndex((key) => equalBytes(key, publicKey))
    if (curve !== 'ed25519' || slot < 0 || slot >= transaction.required) {
      throw new TransactionError('the key is not among the signers of the transaction')
    }
    return {
      facts: { solana: { tx: solanaFacts(transaction) } },
      toSign: [{ scheme: 'eddsa', message: transaction.message }],
      assemble: (signatures) =>
        writeSolana({
          ...transaction,
          signatures: transaction.signatures.with(slot, onlySignature(signatures, 64)),
        }),
    }
  },
}
