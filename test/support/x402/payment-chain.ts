/** A local chain with the test token, on which anything may be arranged. */
import {
  createTestClient,
  http,
  parseEther,
  publicActions,
  walletActions,
  type Address,
  type Hex,
  type PrivateKeyAccount,
  type PublicClient,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startAnvil, DEV_CHAIN_ID } from '../../../cli/anvil.ts'
import { readContract } from '../../../cli/contracts.ts'
import { mined } from '../../../cli/mined.ts'
import { gatewaysReader } from '../local-chain.ts'

const RELAYER: Address = '0x00000000000000000000000000000000000fee5a'
const RELAYER_WEI = parseEther('1000')

export interface PaymentChain {
  rpcUrl: string
  chainId: number
  token: Address
  domain: { name: string; version: string; chainId: number; verifyingContract: Address }
  /** May do anything. */
  client: ReturnType<typeof clientOf>
  owner: Address
  /** Pays for settlements; unlocked as well. */
  relayer: Address
  /** An account with tokens and no ETH. */
  buyer(units?: bigint): Promise<PrivateKeyAccount>
  mint(to: Address, units: bigint): Promise<void>
  balance(of: Address): Promise<bigint>
  /** Calls a function of the token as its owner. */
  own(functionName: string, args: readonly unknown[]): Promise<void>
  /** A contract of the build. */
  deploy(name: string, args: readonly unknown[]): Promise<Address>
  stop(): Promise<void>
}

export async function startPaymentChain(flags: readonly string[] = []): Promise<PaymentChain> {
  const anvil = await startAnvil({ flags })
  const client = clientOf(anvil.rpcUrl)
  const [owner] = await client.getAddresses()
  if (owner === undefined) throw new Error('anvil has no account')
  const deploy = async (name: string, args: readonly unknown[]): Promise<Address> => {
    const { abi, bytecode } = readContract(name)
    const deployed = () => client.deployContract({ abi, bytecode, args, account: owner, chain: null })
    const { contractAddress } = await mined(client, deployed)
    if (!contractAddress) throw new Error(`${name} was not deployed`)
    return contractAddress
  }
  await client.impersonateAccount({ address: RELAYER })
  await client.setBalance({ address: RELAYER, value: RELAYER_WEI })
  const token = await deploy('TestToken', [])
  const { abi } = readContract('TestToken')
  const own = async (functionName: string, args: readonly unknown[]): Promise<void> => {
    const call = { address: token, abi, functionName, args, account: owner, chain: null }
    await mined(client, () => client.writeContract(call))
  }
  const mint = (to: Address, units: bigint) => own('mint', [to, units])
  return {
    rpcUrl: anvil.rpcUrl,
    chainId: DEV_CHAIN_ID,
    token,
    domain: { name: 'Keystead Test Dollar', version: '1', chainId: DEV_CHAIN_ID, verifyingContract: token },
    client,
    owner,
    relayer: RELAYER,
    mint,
    own,
    deploy,
    async buyer(units = 100_000_000n) {
      const account = privateKeyToAccount(generatePrivateKey())
      await mint(account.address, units)
      return account
    },
    balance: (of) =>
      client.readContract({ address: token, abi, functionName: 'balanceOf', args: [of] }) as Promise<bigint>,
    stop: () => anvil.stop(),
  }
}

function clientOf(rpcUrl: string) {
  return createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
}

export function readerOf({ rpcUrl, chainId }: PaymentChain): PublicClient {
  return gatewaysReader(rpcUrl, chainId)
}

/** A random 32-byte nonce. */
export function newNonce(): Hex {
  return generatePrivateKey()
}
