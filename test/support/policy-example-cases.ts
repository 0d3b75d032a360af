/** Transactions that each document in policies/examples must allow, and such that it must not. */
import { encodeFunctionData, erc20Abi, parseAbi, type Hex, type TransactionSerializable } from 'viem'
import { EXAMPLE_KEY } from './policy-examples.ts'

export interface ExampleRequest {
  transaction: TransactionSerializable
  /** Of the account that is to sign. */
  privateKey: string
}

export interface ExampleCase {
  /** Of the user whom the document names. */
  userId: string
  allowed: Record<string, ExampleRequest>
  denied: Record<string, ExampleRequest>
}

export const PAYER = '6e0d7a52-51f1-4a0c-9c57-1f2f0f6f5a01'
export const SERVICE = 'c5b0e6a1-93d4-4c8e-8f67-2a9d1e3b5f04'
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const DAI = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb'
const WETH = '0x4200000000000000000000000000000000000006'
export const STATION = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const RELAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const SOMEBODY = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const OTHER_KEY = '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

type Change = Omit<TransactionSerializable, 'type'>

function signed(transaction: TransactionSerializable, privateKey = EXAMPLE_KEY): ExampleRequest {
  return { transaction, privateKey }
}

/** A call on Base, changed in what a case is about. */
function call(to: Hex, data: Hex | undefined, change: Change = {}): ExampleRequest {
  return signed({ ...base, to, ...(data && { data }), ...change } as TransactionSerializable)
}
const base = {
  type: 'eip1559',
  chainId: 8453,
  nonce: 0,
  gas: 100_000n,
  maxFeePerGas: 1_000_000_000n,
  maxPriorityFeePerGas: 1_000_000n,
} as const
const { maxFeePerGas: _fee, maxPriorityFeePerGas: _tip, ...legacy } = { ...base, type: 'legacy', gasPrice: 1n } as const

const transfer = (amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [SOMEBODY, amount] })
const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [SOMEBODY, 1n] })
const weth = (functionName: 'deposit' | 'withdraw') =>
  functionName === 'deposit'
    ? encodeFunctionData({ abi: parseAbi(['function deposit()']) })
    : encodeFunctionData({ abi: parseAbi(['function withdraw(uint256)']), args: [1n] })
const word: Hex = `0x${'11'.repeat(32)}`
const byParts = parseAbi([
  'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
  'function receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
])
const partArgs = [SOMEBODY, RELAYER, 1n, 0n, 1n, word, 27, word, word] as const
const settle = encodeFunctionData({ abi: byParts, functionName: 'transferWithAuthorization', args: partArgs })
const receive = encodeFunctionData({ abi: byParts, functionName: 'receiveWithAuthorization', args: partArgs })
const settleBytes = encodeFunctionData({
  abi: parseAbi(['function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)']),
  args: [SOMEBODY, RELAYER, 1n, 0n, 1n, word, word],
})
const execute = encodeFunctionData({ abi: parseAbi(['function execute(bytes32,bytes)']), args: [word, '0x'] })
const tuple = { chainId: 8453, address: STATION, nonce: 0, r: word, s: word, yParity: 0 } as const
const type4: Change = { type: 'eip7702', authorizationList: [tuple] } as Change
const DELEGATE = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const guard = parseAbi(['function execute(address,address,bytes)', 'function run(address,address,bytes)'])
const guarded = (delegate: Hex, functionName: 'execute' | 'run' = 'execute') =>
  encodeFunctionData({ abi: guard, functionName, args: [SOMEBODY, delegate, execute] })
const relayed = guarded(DELEGATE)
/** What the sending engine takes a stuck nonce with. */
const cancel = (change: Change = {}, to: Hex = RELAYER) => call(to, undefined, { gas: 21_000n, ...change })
const wrongCancels = {
  'a cancel to somebody': cancel({}, SOMEBODY),
  'a cancel with ether': cancel({ value: 1n }),
  'a cancel with data': call(RELAYER, '0x00', { gas: 21_000n }),
  'a cancel with more gas': cancel({ gas: 21_001n }),
  'a cancel above its ceiling': cancel({ maxFeePerGas: 10_000_000_001n }),
  'a cancel on another chain': cancel({ chainId: 1 }),
  'a cancel of another key': signed({ ...base, to: SOMEBODY, gas: 21_000n }, OTHER_KEY),
  'a cancel of type 4': cancel(type4),
}

export const ether = (value: bigint, change: Change = {}) =>
  call(SOMEBODY, undefined, { gas: 21_000n, value, ...change })
const usdc = (amount: bigint, change?: Change) => call(USDC, transfer(amount), change)
export const exampleCases: Record<string, ExampleCase> = {
  'spend-limit': {
    userId: PAYER,
    allowed: {
      '0.1 ETH': ether(10n ** 17n),
      'the dearest fee': ether(1n, { maxFeePerGas: 5_000_000_000n }),
      'a transfer of 16^7 - 1': usdc(16n ** 7n - 1n),
    },
    denied: {
      'one wei more': ether(10n ** 17n + 1n),
      'another chain': ether(1n, { chainId: 1 }),
      'a fee above the ceiling': ether(1n, { maxFeePerGas: 5_000_000_001n }),
      'gas above the ceiling': ether(1n, { gas: 21_001n }),
      'ether with data': call(SOMEBODY, '0x00', { gas: 21_000n, value: 1n }),
      'a transfer of 16^7': usdc(16n ** 7n),
      'the largest transfer': usdc(2n ** 256n - 1n),
      'another token': call(DAI, transfer(1n)),
      'an approval': call(USDC, approve),
      'a transfer that is cut off': call(USDC, transfer(1n).slice(0, 60) as Hex),
      'a transfer with ether': usdc(1n, { value: 1n }),
      'a legacy transaction': signed({ ...legacy, gas: 21_000n, to: SOMEBODY, value: 1n }),
    },
  },
  'contract-allowlist': {
    userId: PAYER,
    allowed: {
      'a deposit of one ether': call(WETH, weth('deposit'), { value: 10n ** 18n }),
      'a withdrawal': call(WETH, weth('withdraw')),
      'a transfer': usdc(2n ** 200n),
      'of the other token': call(DAI, transfer(1n)),
    },
    denied: {
      'a deposit of more': call(WETH, weth('deposit'), { value: 10n ** 18n + 1n }),
      'an approval': call(USDC, approve),
      'a function of the other contract': call(WETH, transfer(1n)),
      'an unknown contract': call(SOMEBODY, transfer(1n)),
      'plain ether': ether(1n),
      'another chain': usdc(1n, { chainId: 10 }),
      'gas above the ceiling': usdc(1n, { gas: 120_001n }),
      'a new contract': signed({ ...base, data: transfer(1n) }),
    },
  },
  'x402-key': {
    userId: SERVICE,
    allowed: {
      'a settlement by parts': call(USDC, settle),
      'a settlement by bytes': call(USDC, settleBytes),
      'at both ceilings': call(USDC, settle, { gas: 200_000n, maxFeePerGas: 5_000_000_000n }),
      'a cancel at its ceiling': cancel({ maxFeePerGas: 10_000_000_000n }),
    },
    denied: {
      receiveWithAuthorization: call(USDC, receive),
      'a transfer': usdc(1n),
      'another token': call(DAI, settle),
      'another chain': call(USDC, settle, { chainId: 84_532 }),
      'a settlement with ether': call(USDC, settle, { value: 1n }),
      'gas above the ceiling': call(USDC, settle, { gas: 200_001n }),
      'a fee above the ceiling': call(USDC, settle, { maxFeePerGas: 5_000_000_001n }),
      'another key of the organization': signed({ ...base, to: USDC, data: settle }, OTHER_KEY),
      'type 4': call(USDC, settle, type4),
      'plain ether': ether(1n),
      ...wrongCancels,
    },
  },
  'relayer-key': {
    userId: SERVICE,
    allowed: {
      'type 2': call(STATION, relayed),
      'type 4': call(STATION, relayed, type4),
      'at both ceilings': call(STATION, relayed, { gas: 5_000_000n, maxFeePerGas: 5_000_000_000n }),
      'a cancel at its ceiling': cancel({ maxFeePerGas: 10_000_000_000n }),
    },
    denied: {
      'another delegate': call(STATION, guarded(SOMEBODY)),
      'another function': call(STATION, guarded(DELEGATE, 'run')),
      'a call that is cut off': call(STATION, relayed.slice(0, 136) as Hex),
      'an unnamed contract': call(SOMEBODY, relayed),
      'an account itself': call(SOMEBODY, execute, type4),
      itself: call(RELAYER, relayed, type4),
      'with ether': call(STATION, relayed, { value: 1n }),
      'another chain': call(STATION, relayed, { chainId: 1 }),
      'gas above the ceiling': call(STATION, relayed, { gas: 5_000_001n }),
      'a fee above the ceiling': call(STATION, relayed, { maxFeePerGas: 5_000_000_001n }),
      'type 0': signed({ ...legacy, to: STATION, data: relayed }),
      'another key of the organization': signed({ ...base, to: STATION, data: relayed }, OTHER_KEY),
      ...wrongCancels,
    },
  },
  'relayer-key-for-accounts': {
    userId: SERVICE,
    allowed: { 'type 2': call(SOMEBODY, execute), 'type 4': call(SOMEBODY, execute, type4) },
    denied: {
      'another function': call(SOMEBODY, transfer(1n), type4),
      'no function': call(SOMEBODY, undefined, type4),
      itself: call(RELAYER, execute),
      'with ether': call(SOMEBODY, execute, { value: 1n }),
      'another chain': call(SOMEBODY, execute, { chainId: 1 }),
      'a fee above the ceiling': call(SOMEBODY, execute, { maxFeePerGas: 5_000_000_001n }),
    },
  },
}
