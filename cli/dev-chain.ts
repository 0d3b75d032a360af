/**
 * The chain of development mode: anvil with the test token on it and a buyer who has tokens and no ETH. Blocks are mined
 * with each transaction. It is kept when the service is stopped; after a kill -9 it begins anew.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  concat,
  createTestClient,
  getContractAddress,
  http,
  parseEther,
  publicActions,
  walletActions,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { DEV_CHAIN_ID, startAnvil } from './anvil.ts'
import { readContract } from './contracts.ts'
import { mined } from './mined.ts'
import { writePrivateFile } from './private-file.ts'

/** 1,000 tokens of 6 decimals, whenever less than a tenth is left. */
const BUYER_UNITS = 1_000_000_000n
/** github.com/Arachnid/deterministic-deployment-proxy */
const DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SALT: Hex = `0x${'00'.repeat(32)}`
const RELAYER_WEI = parseEther('100')

export interface DevChain {
  rpcUrl: string
  chainId: number
  token: { address: Address; name: string; version: string }
  buyer: { address: Address; privateKey: Hex }
  /** Of the gas relay. */
  delegate: Address
  guard: Address
  /** Gives a relayer gas money. */
  fund(relayer: Address): Promise<void>
  ended: Promise<void>
  stop(): Promise<void>
}

export async function startDevChain(dataDir: string): Promise<DevChain> {
  const anvil = await startAnvil({ statePath: join(dataDir, 'dev-chain-state.json') })
  const chain = chainAt(anvil.rpcUrl)
  const buyer = buyerOf(dataDir)
  const token = await deployedToken(chain)
  await giveTokens(chain, token.address, buyer.address)
  const delegate = await deployedOnce(chain, 'BatchDelegate')
  const guard = await deployedOnce(chain, 'DelegationGuard')
  return {
    rpcUrl: anvil.rpcUrl,
    chainId: DEV_CHAIN_ID,
    token,
    buyer,
    delegate,
    guard,
    fund: (address) => chain.setBalance({ address, value: RELAYER_WEI }),
    ended: anvil.ended,
    stop: () => anvil.stop(),
  }
}

type Client = ReturnType<typeof chainAt>

function chainAt(rpcUrl: string) {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 20 })
  return client.extend(publicActions).extend(walletActions)
}

/** The key is on disk before anything is given to it. */
function buyerOf(dataDir: string): DevChain['buyer'] {
  const path = join(dataDir, 'dev-buyer.json')
  if (!existsSync(path)) writePrivateFile(path, { privateKey: generatePrivateKey() })
  const { privateKey } = JSON.parse(readFileSync(path, 'utf8')) as { privateKey: Hex }
  return { address: privateKeyToAddress(privateKey), privateKey }
}

/** The first transaction of anvil's account; on a chain that was kept it is there already. */
async function deployedToken(chain: Client): Promise<DevChain['token']> {
  const { abi, bytecode } = readContract('TestToken')
  const account = await ownerOf(chain)
  const address = getContractAddress({ from: account, nonce: 0n })
  if ((await chain.getCode({ address })) === undefined) {
    await mined(chain, () => chain.deployContract({ abi, bytecode, account, chain: null }))
  }
  const read = (functionName: string) => chain.readContract({ address, abi, functionName }) as Promise<string>
  return { address, name: await read('name'), version: await read('version') }
}

/** At an address that follows from the bytecode, through the deployer that anvil has at this address. */
async function deployedOnce(chain: Client, name: string): Promise<Address> {
  const { bytecode } = readContract(name)
  const address = getContractAddress({ opcode: 'CREATE2', from: DEPLOYER, salt: SALT, bytecode })
  if ((await chain.getCode({ address })) !== undefined) return address
  const data = concat([SALT, bytecode])
  const account = await ownerOf(chain)
  await mined(chain, () => chain.sendTransaction({ to: DEPLOYER, data, account, chain: null }))
  return address
}

async function giveTokens(chain: Client, address: Address, buyer: Address): Promise<void> {
  const { abi } = readContract('TestToken')
  const balance = (await chain.readContract({ address, abi, functionName: 'balanceOf', args: [buyer] })) as bigint
  if (balance >= BUYER_UNITS / 10n) return
  const account = await ownerOf(chain)
  const mint = { address, abi, functionName: 'mint', args: [buyer, BUYER_UNITS - balance], account, chain: null }
  await mined(chain, () => chain.writeContract(mint))
}

async function ownerOf(chain: Client): Promise<Address> {
  const [owner] = await chain.getAddresses()
  if (owner === undefined) throw new Error('anvil has no account')
  return owner
}
