/**
 * What policies may speak of: the keywords of each field of a policy and their types, as publicly documented (policy
 * language of the signing API), without what this service does not have: uploaded ABIs and IDLs, Tempo.
 *
 * Numbers of 256 bits are documented as `int`; here they compare over their whole range.
 */
import { bool, dynamic, int, list, string, struct, timestamp, type StructType } from '../language/types.ts'

export const user = struct('User', { id: string, tags: list(string), email: string, alias: string })

export const credential = struct('Credential', {
  id: string,
  user_id: string,
  type: string,
  credential_id: string,
  public_key: string,
})

const activity = struct('Activity', {
  type: string,
  kind: string,
  resource: string,
  action: string,
  params: struct('ActivityParams', {
    hash_function: string,
    encoding: string,
    type: string,
    target_public_key: string,
    user_ids: list(string),
    user_id: string,
    api_key_ids: list(string),
    wallet_id: string,
  }),
})

const wallet = struct('Wallet', { id: string, imported: bool, exported: bool, label: string })

const privateKey = struct('PrivateKey', {
  id: string,
  tags: list(string),
  imported: bool,
  exported: bool,
  label: string,
})

const ethereumTransaction = struct('EthereumTransaction', {
  from: string,
  to: string,
  data: string,
  value: int,
  gas: int,
  gas_price: int,
  chain_id: int,
  nonce: int,
  max_fee_per_gas: int,
  max_priority_fee_per_gas: int,
  max_fee_per_blob_gas: int,
  type: string,
})

const typedData = struct('Eip712TypedData', {
  primary_type: string,
  // Whoever makes the domain also says what types its members have.
  domain: struct('Eip712Domain', {
    name: dynamic,
    version: dynamic,
    chain_id: dynamic,
    verifying_contract: dynamic,
    salt: dynamic,
  }),
  message: dynamic,
})

const authorization = struct('Eip7702Authorization', { address: string, chain_id: int, nonce: int })

const tableLookup = struct('AddressTableLookup', {
  address_table_key: string,
  writable_indexes: list(int),
  readonly_indexes: list(int),
})

const solanaTransaction = struct('SolanaTransaction', {
  account_keys: list(string),
  program_keys: list(string),
  instructions: list(
    struct('Instruction', {
      program_key: string,
      accounts: list(struct('Account', { account_key: string, signer: bool, writable: bool })),
      instruction_data_hex: string,
      address_table_lookups: list(tableLookup),
    }),
  ),
  transfers: list(struct('Transfer', { from: string, to: string, amount: int })),
  spl_transfers: list(
    struct('SPLTransfer', {
      from: string,
      to: string,
      amount: int,
      owner: string,
      signers: list(string),
      token_mint: string,
    }),
  ),
  recent_blockhash: string,
  address_table_lookups: list(tableLookup),
})

const bitcoinTransaction = struct('BitcoinTransaction', {
  version: string,
  inputs: list(struct('BitcoinTxInput', { tx_id: string, vout: int, sequence: int })),
  outputs: list(
    struct('BitcoinTxOutput', { value: int, script_pubkey: string, address: string, address_type: string }),
  ),
  locktime: struct('BitcoinTxLocktime', { amount: int, type: string }),
  fee: int,
})

/** Each type of contract has some of the fields. */
const tronContract = struct('TronContract', {
  type: string,
  permission_id: int,
  owner_address: string,
  to_address: string,
  amount: int,
  contract_address: string,
  call_value: int,
  data: string,
  call_token_value: int,
  token_id: int,
  resource: string,
  balance: int,
  receiver_address: string,
  lock: bool,
  lock_period: int,
  frozen_balance: int,
  unfreeze_balance: int,
  account_address: string,
  account_type: int,
  asset_name: string,
  votes: list(struct('TronVote', { vote_address: string, vote_count: int })),
  support: bool,
})

const tronTransaction = struct('TronTransaction', {
  ref_block_bytes: string,
  ref_block_hash: string,
  expiration: int,
  timestamp: int,
  data: string,
  fee_limit: int,
  contract: list(tronContract),
})

export const keywords = {
  condition: struct('condition', {
    activity,
    wallet,
    wallets: list(wallet),
    wallet_account: struct('WalletAccount', { address: string }),
    private_key: privateKey,
    eth: struct('eth', { tx: ethereumTransaction, eip_712: typedData, eip_7702_authorization: authorization }),
    solana: struct('solana', { tx: solanaTransaction }),
    bitcoin: struct('bitcoin', { tx: bitcoinTransaction }),
    tron: struct('tron', { tx: tronTransaction }),
  }),
  consensus: struct('consensus', { approvers: list(user), credentials: list(credential) }),
  time: struct('time', { time: struct('time', { now: timestamp }) }),
} as const satisfies Record<string, StructType>

/** The fields of a policy that hold expressions. */
export type PolicyField = keyof typeof keywords
