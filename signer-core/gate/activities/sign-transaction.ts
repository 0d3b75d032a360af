import { digest, taprootOutputKey } from 'keystead:engine/engine@0.1.0'
import {
  transactionTypes,
  type SignTransaction,
  type TransactionType,
} from '../../protocol/activities/sign-transaction.ts'
import { bytesToHex, hexToBytes } from '../../protocol/bytes.ts'
import { RefusalError } from '../../protocol/refusals.ts'
import { namedKey } from '../named-key.ts'
import type { Operation, Plan, PlanContext } from '../operation.ts'
import { signAll, signingCommitment } from '../signing.ts'
import { transactionFormats } from '../transactions/index.ts'
import { TransactionError, type ParsedTransaction } from '../transactions/transaction.ts'
import type { KeyRecord } from '../wit-types.ts'

/** @param field Member of the parameters that names the key. */
function planSignTransaction(parameters: SignTransaction, context: PlanContext, field: string): Plan {
  const type = transactionTypes.find((each) => each === parameters.type)
  if (type === undefined) {
    throw new RefusalError('TRANSACTION_TYPE_UNSUPPORTED', 'unsupported transaction type', 'parameters.type')
  }
  const { key } = namedKey(context.keys, parameters.signWith, `parameters.${field}`)
  const { toSign, facts, assemble } = parseTransaction(type, parameters, key)
  return {
    commitment: { ...signingCommitment('SIGN_TRANSACTION', key, toSign), type },
    facts,
    subject: { key },
    execute() {
      const signatures = signAll(key, context.organizationId, toSign)
      const signed = refusingTransaction(() => assemble(signatures))
      return { result: { signTransactionResult: { signedTransaction: bytesToHex(signed) } } }
    },
  }
}

function parseTransaction(type: TransactionType, parameters: SignTransaction, key: KeyRecord): ParsedTransaction {
  const { curve, parse } = transactionFormats[type]
  if (key.curve !== curve) throw invalid(`this transaction type needs a key on ${curve}`)
  const bytes = hexToBytes(parameters.unsignedTransaction)
  if (bytes === undefined) throw invalid('unsignedTransaction must be hexadecimal')
  const signer = {
    curve: key.curve,
    publicKey: key.publicKey,
    name: parameters.signWith,
    taprootOutputKey:
      curve === 'secp256k1' && type === 'TRANSACTION_TYPE_BITCOIN' ? taprootOutputKey(key.publicKey) : undefined,
  }
  return refusingTransaction(() => parse(bytes, signer, digest))
}

function refusingTransaction<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TransactionError) throw invalid(`failed to parse transaction: ${error.message}`)
    throw error
  }
}

function invalid(message: string): RefusalError {
  return new RefusalError('TRANSACTION_INVALID', message, 'parameters.unsignedTransaction')
}

export const signTransactionV2: Operation<SignTransaction> = {
  plan: (parameters, context) => planSignTransaction(parameters, context, 'signWith'),
}

export const signTransactionV1: Operation<Omit<SignTransaction, 'signWith'> & { privateKeyId: string }> = {
  plan: ({ privateKeyId, ...transaction }, context) =>
    planSignTransaction({ signWith: privateKeyId, ...transaction }, context, 'privateKeyId'),
}
