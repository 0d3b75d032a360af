/** Output scripts: those of the signing key, and those that have an address. */
import { bech32, bech32m, createBase58check } from '@scure/base'
import { concatBytes, equalBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import { compressedKey } from './signer-key.ts'
import type { Signer } from './transaction.ts'

export type OutputKind = 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

/** An output that the key can spend. */
export interface KeyOutput {
  kind: OutputKind
  script: Uint8Array
  /** What the signature covers in the script's place (BIP-143's scriptCode); none for taproot. */
  scriptCode: Uint8Array
  /** Of P2SH and P2WSH: must stand in the PSBT. */
  inner: Uint8Array | undefined
}

export interface KeyScripts {
  /** 33 bytes. */
  key: Uint8Array
  outputs: KeyOutput[]
  /** P2SH around P2WPKH and P2WSH: the key's, but not offered. */
  wrapped: Uint8Array[]
}

const OP_CHECKSIG = 0xac

/** P2SH and P2WSH are of the script `<key> OP_CHECKSIG` (BIP-16's and BIP-173's own examples). */
export function keyScripts(signer: Signer, digest: Digest): KeyScripts {
  const hash160 = (data: Uint8Array) => digest('ripemd160', digest('sha256', data))
  const p2sh = (inner: Uint8Array) => bytes(0xa9, 0x14, hash160(inner), 0x87)
  const key = compressedKey(signer)
  const keyHash = hash160(key)
  const p2pkh = bytes(0x76, 0xa9, 0x14, keyHash, 0x88, 0xac)
  const p2pk = bytes(0x21, key, OP_CHECKSIG)
  const p2wpkh = bytes(0x00, 0x14, keyHash)
  const p2wsh = bytes(0x00, 0x20, digest('sha256', p2pk))
  const x = signer.taprootOutputKey
  const none = new Uint8Array(0)
  return {
    key,
    outputs: [
      { kind: 'p2pkh', script: p2pkh, scriptCode: p2pkh, inner: undefined },
      { kind: 'p2sh', script: p2sh(p2pk), scriptCode: p2pk, inner: p2pk },
      { kind: 'p2wpkh', script: p2wpkh, scriptCode: p2pkh, inner: undefined },
      { kind: 'p2wsh', script: p2wsh, scriptCode: p2pk, inner: p2pk },
      ...(x === undefined
        ? []
        : [{ kind: 'p2tr' as const, script: bytes(0x51, 0x20, x), scriptCode: none, inner: undefined }]),
    ],
    wrapped: [p2sh(p2wpkh), p2sh(p2wsh)],
  }
}

function bytes(...parts: (number | Uint8Array)[]): Uint8Array {
  return concatBytes(...parts.map((part) => (typeof part === 'number' ? Uint8Array.of(part) : part)))
}

export interface Network {
  /** Version bytes of base58check (chainparams.cpp) and the human-readable part (BIP-173). */
  p2pkh: number
  p2sh: number
  hrp: string
}

const mainnet: Network = { p2pkh: 0x00, p2sh: 0x05, hrp: 'bc' }
const testnet: Network = { p2pkh: 0x6f, p2sh: 0xc4, hrp: 'tb' }
const regtest: Network = { ...testnet, hrp: 'bcrt' }

/** By the address in `signWith`, mainnet otherwise: the transaction itself does not say. */
export function networkOf(name: string): Network {
  if (/^bcrt1/i.test(name)) return regtest
  // A base58 address of a test network begins with m, n or 2; a key id is a UUID, which has hyphens.
  return /^tb1/i.test(name) || /^[mn2][1-9A-HJ-NP-Za-km-z]{25,34}$/.test(name) ? testnet : mainnet
}

/** Heads and tails of the scripts that have an address, with the length of what stands between them. */
const templates: { kind: OutputKind; head: number[]; length: number; tail: number[] }[] = [
  { kind: 'p2pkh', head: [0x76, 0xa9, 0x14], length: 20, tail: [0x88, 0xac] },
  { kind: 'p2sh', head: [0xa9, 0x14], length: 20, tail: [0x87] },
  { kind: 'p2wpkh', head: [0x00, 0x14], length: 20, tail: [] },
  { kind: 'p2wsh', head: [0x00, 0x20], length: 32, tail: [] },
  { kind: 'p2tr', head: [0x51, 0x20], length: 32, tail: [] },
]

/** undefined: a script without an address that we know. */
export function addressOf(
  script: Uint8Array,
  network: Network,
  digest: Digest,
): { address: string; kind: OutputKind } | undefined {
  for (const { kind, head, length, tail } of templates) {
    const content = script.subarray(head.length, head.length + length)
    if (!equalBytes(script, bytes(...head, content, ...tail)) || content.length !== length) continue
    return { address: encodeAddress(kind, content, network, digest), kind }
  }
  return undefined
}

function encodeAddress(kind: OutputKind, content: Uint8Array, network: Network, digest: Digest): string {
  if (kind === 'p2pkh' || kind === 'p2sh') {
    return createBase58check((data: Uint8Array) => digest('sha256', data)).encode(bytes(network[kind], content))
  }
  if (kind === 'p2tr') return bech32m.encode(network.hrp, [1, ...bech32m.toWords(content)])
  return bech32.encode(network.hrp, [0, ...bech32.toWords(content)])
}
