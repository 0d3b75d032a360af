/** A chain of a test's own, with what tests need of one. */
import type { ExecutionContext } from 'ava'
import {
  createTestClient,
  http,
  publicActions,
  walletActions,
  type Abi,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem'
import { clientOver } from '../../gateway/chains/evm-chain.ts'
import { RpcPool } from '../../gateway/chains/rpc/pool.ts'
import { startAnvil, type AnvilOptions } from '../../cli/anvil.ts'
import { readContract } from '../../cli/contracts.ts'
import { mined } from '../../cli/mined.ts'

export type LocalChain = Awaited<ReturnType<typeof startLocalChain>>

export function clientOf(rpcUrl: string) {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 10 })
  return client.extend(publicActions).extend(walletActions)
}

/** Reads as plug-ins do: over the gateway's own endpoints, so that refusals come as they come there. */
export function gatewaysReader(rpcUrl: string, chainId: number): PublicClient {
  const pool = new RpcPool([rpcUrl], chainId)
  return clientOver((method, params) => pool.request(method, params))
}

/** Ends with the test, or with the whole file when `t` is none. */
export async function startLocalChain(options: AnvilOptions = {}) {
  const anvil = await startAnvil(options)
  const client = clientOf(anvil.rpcUrl)
  const [owner] = (await client.getAddresses()) as [Address]

  /** From the unlocked account that owns everything. */
  async function deploy(name: string, args: readonly unknown[] = []): Promise<{ address: Address; abi: Abi }> {
    const { abi, bytecode } = readContract(name)
    const deployed = () => client.deployContract({ abi, bytecode, args, account: owner, chain: null })
    const { contractAddress } = await mined(client, deployed)
    return { address: contractAddress as Address, abi }
  }

  return { rpcUrl: anvil.rpcUrl, client, owner, deploy, stop: () => anvil.stop() }
}

/** Starts one and stops it after the test. */
export async function localChain(t: ExecutionContext, options?: AnvilOptions): Promise<LocalChain> {
  const chain = await startLocalChain(options)
  t.teardown(() => chain.stop())
  return chain
}

export const hex32 = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
