/** Accounts without ETH, what they sign, and a relayer that hands it in on a local chain. */
import {
  BaseError,
  decodeErrorResult,
  encodeFunctionData,
  type Abi,
  type Address,
  type Hex,
  type PrivateKeyAccount,
  type SignedAuthorization,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { DEV_CHAIN_ID } from '../../../cli/anvil.ts'
import { readContract } from '../../../cli/contracts.ts'
import { mined } from '../../../cli/mined.ts'
import { batchDelegate, batchDomain, batchTypes } from '../../../plugins/gas-relay/delegates/batch-delegate.ts'
import type { Batch, Call, SignedBatch } from '../../../plugins/gas-relay/delegates/delegate.ts'
import { guarded } from '../../../plugins/gas-relay/delegates/guard.ts'
import { startLocalChain, type LocalChain } from '../local-chain.ts'

/** Of TestToken. */
export const UNITS = 10_000_000n
export const GAS_LIMIT = 1_000_000n

export type DelegationChain = Awaited<ReturnType<typeof startDelegationChain>>

export async function startDelegationChain(flags: readonly string[] = []) {
  const chain = await startLocalChain({ flags })
  const { client, owner } = chain
  const [token, delegate, guard, callee] = [
    await chain.deploy('TestToken'),
    await chain.deploy('BatchDelegate'),
    await chain.deploy('DelegationGuard'),
    await chain.deploy('TestCallee'),
  ]
  const relayer = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: relayer.address, value: 10n ** 20n })

  const balance = (of: Address) =>
    client.readContract({ address: token.address, abi: token.abi, functionName: 'balanceOf', args: [of] })

  /** One after the other: the node gives two at once the same nonce. */
  let minting: Promise<unknown> = Promise.resolve()

  /** Has tokens, no ETH, no nonce. */
  async function newAccount(units = UNITS): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey())
    const minted = minting.then(() => mint(account.address, units))
    minting = minted.catch(() => undefined)
    await minted
    return account
  }

  async function mint(to: Address, units: bigint): Promise<void> {
    const args = [to, units]
    await mined(client, () =>
      client.writeContract({ ...token, functionName: 'mint', args, account: owner, chain: null }),
    )
  }

  /** Signed by the relayer and mined. */
  async function send(to: Address, data: Hex, authorizationList: SignedAuthorization[] = [], value = 0n) {
    const [nonce, { baseFeePerGas }] = await Promise.all([
      client.getTransactionCount({ address: relayer.address }),
      client.getBlock(),
    ])
    const common = {
      to,
      data,
      value,
      nonce,
      chainId: DEV_CHAIN_ID,
      gas: GAS_LIMIT,
      maxFeePerGas: (baseFeePerGas ?? 0n) * 2n + 1n,
      maxPriorityFeePerGas: 1n,
    }
    const raw = await relayer.signTransaction(
      authorizationList.length > 0 ? { ...common, type: 'eip7702', authorizationList } : { ...common, type: 'eip1559' },
    )
    return mined(client, () => client.sendRawTransaction({ serializedTransaction: raw }))
  }

  /** What the same call would revert with; undefined when it would not. */
  async function revertOf(
    to: Address,
    data: Hex,
    value = 0n,
  ): Promise<{ name: string; args: readonly unknown[] } | undefined> {
    try {
      await client.call({ to, data, value, account: relayer.address })
      return undefined
    } catch (error) {
      const revert = (error as BaseError).walk((each) => typeof (each as { data?: unknown }).data === 'string')
      const raw = (revert as unknown as { data?: Hex } | null)?.data ?? '0x'
      if (raw === '0x') return { name: '', args: [] }
      const { errorName, args = [] } = decodeErrorResult({ abi: errorsAbi, data: raw })
      return { name: errorName, args }
    }
  }

  return {
    ...chain,
    token: token.address,
    delegate: delegate.address,
    guard: guard.address,
    callee: callee.address,
    relayer,
    newAccount,
    balance: balance as (of: Address) => Promise<bigint>,
    send,
    revertOf,
    authorize: (account: PrivateKeyAccount, members: { chainId?: number; nonce?: number; address?: Address } = {}) =>
      account.signAuthorization({ address: delegate.address, chainId: DEV_CHAIN_ID, nonce: 0, ...members }),
    guarded: (account: Address, data: Hex) => guarded(account, delegate.address, data),
  }
}

const errorsAbi: Abi = ['BatchDelegate', 'DelegationGuard', 'TestCallee', 'TestToken'].flatMap((name) =>
  readContract(name).abi.filter(({ type }) => type === 'error'),
)

export function encodeCall(contract: string, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: readContract(contract).abi, functionName, args })
}

export function transfer(token: Address, to: Address, units: bigint): Call {
  return { to: token, value: 0n, data: encodeCall('TestToken', 'transfer', [to, units]) }
}

export function inAnHour(): bigint {
  return BigInt(Math.floor(Date.now() / 1000) + 3_600)
}

/** @param domain What differs from the right one. */
export async function signBatch(
  account: PrivateKeyAccount,
  calls: readonly Call[],
  { nonce = 0n, deadline = inAnHour() }: Partial<Batch> = {},
  domain: { name?: string; chainId?: number; verifyingContract?: Address } = {},
): Promise<SignedBatch> {
  const signature = await account.signTypedData({
    domain: { ...batchDomain(account.address, DEV_CHAIN_ID), ...domain },
    types: batchTypes,
    primaryType: 'Batch',
    message: { calls, nonce, deadline },
  })
  return { calls, nonce, deadline, signature }
}

export const dataOf = (batch: SignedBatch): Hex => batchDelegate.calldata(batch)

export type { LocalChain }
