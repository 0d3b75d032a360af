/**
 * Transfers that a Solana transaction states openly: Transfer of the System program, and Transfer, TransferChecked and
 * TransferCheckedWithFee of both token programs. A transfer made inside another program, or by another instruction of
 * these programs, is not among them; policies judge those by program key and data.
 *
 * The programs overlook bytes after what they read. We refuse them, and with them every odd form of a transfer, so that
 * what a policy sees is what the program does.
 */
import type { NamedInstruction, SolanaAccount } from './solana-facts.ts'
import { TransactionError } from './transaction.ts'
import { ByteReader } from './wire.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const TOKEN_PROGRAMS = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']

/** SystemInstruction::Transfer, as bincode writes it: u32, then u64 lamports. */
const SYSTEM_TRANSFER = 2

/** TokenInstruction tags (spl-token, instruction.rs; Token-2022, transfer_fee). */
const TRANSFER = 3
const TRANSFER_CHECKED = 12
const TRANSFER_FEE_EXTENSION = 26
const TRANSFER_CHECKED_WITH_FEE = 1
/** Several instructions in one (SIMD-0266): transfers would hide in it. */
const BATCH = 255

export type SolTransfer = { from: string; to: string; amount: string }

export function solTransfer({ program, accounts, data }: NamedInstruction): SolTransfer | undefined {
  if (program !== SYSTEM_PROGRAM) return undefined
  const reader = new ByteReader(data)
  if (reader.uint32() !== SYSTEM_TRANSFER) return undefined
  const amount = reader.uint64().toString()
  reader.end()
  return { from: keyAt(accounts, 0), to: keyAt(accounts, 1), amount }
}

export type SplTransfer = {
  from: string
  to: string
  amount: string
  owner: string
  /** Signers of a multisig owner. */
  signers: string[]
  /** Empty where the instruction does not name it. */
  token_mint: string
  /** Token-2022, TransferCheckedWithFee. */
  fee?: string
}

export function splTransfer({ program, accounts, data }: NamedInstruction): SplTransfer | undefined {
  if (!TOKEN_PROGRAMS.includes(program)) return undefined
  const reader = new ByteReader(data)
  const tag = reader.byte()
  if (tag === BATCH) throw new TransactionError('batches of token instructions are not offered')
  const withFee = tag === TRANSFER_FEE_EXTENSION
  if (withFee && reader.byte() !== TRANSFER_CHECKED_WITH_FEE) return undefined
  if (tag !== TRANSFER && tag !== TRANSFER_CHECKED && !withFee) return undefined
  const amount = reader.uint64().toString()
  const hasMint = tag !== TRANSFER
  // Decimals: checked on the chain against the mint, which is named.
  if (hasMint) reader.byte()
  const fee = withFee ? { fee: reader.uint64().toString() } : {}
  reader.end()
  return { ...parties(accounts, hasMint), amount, ...fee }
}

/** Source, mint unless unchecked, destination, owner, and behind them the signers of an owner that is a multisig. */
function parties(accounts: SolanaAccount[], hasMint: boolean): Omit<SplTransfer, 'amount'> {
  const [from, mint] = [keyAt(accounts, 0), hasMint ? keyAt(accounts, 1) : '']
  const rest = accounts.slice(hasMint ? 2 : 1)
  const signers = rest.slice(2).filter(({ signer }) => signer)
  return {
    from,
    to: keyAt(rest, 0),
    owner: keyAt(rest, 1),
    signers: signers.map(({ account_key }) => account_key),
    token_mint: mint,
  }
}

function keyAt(accounts: SolanaAccount[], index: number): string {
  const account = accounts[index]
  if (account === undefined) throw new TransactionError('a transfer with too few accounts')
  return account.account_key
}
