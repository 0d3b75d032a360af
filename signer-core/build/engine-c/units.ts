/** What is compiled, and how: every C file of the libraries that the engine uses, and the engine's own. */
import type { sources } from './sources.ts'

/** Names of the libraries, and `engine` for our own files. */
export type Part = keyof typeof sources | 'engine'

export interface Unit {
  part: Part
  /** From the part's folder. */
  path: string
  flags: readonly string[]
}

const COMMON = ['--target=wasm32-wasip1', '-O3', '-DNDEBUG', '-mbulk-memory', '-fvisibility=hidden']
/** Warnings about text that is not ours help nobody. */
const LIBRARY = [...COMMON, '-w']

const SECP256K1_INCLUDE = ['-Isecp256k1/include', '-Isecp256k1', '-Isecp256k1/src']
const SECP256K1 = [
  '-DENABLE_MODULE_RECOVERY=1',
  '-DENABLE_MODULE_EXTRAKEYS=1',
  '-DENABLE_MODULE_SCHNORRSIG=1',
  // WebAssembly has no 64 by 64 to 128 bit multiplication.
  '-DUSE_FORCE_WIDEMUL_INT64=1',
  '-DECMULT_GEN_PREC_BITS=4',
  // Table for verification: 16 KiB of points.
  '-DECMULT_WINDOW_SIZE=8',
  '-DUSE_EXTERNAL_DEFAULT_CALLBACKS=1',
  ...SECP256K1_INCLUDE,
]
const BEARSSL = [
  ...['-DBR_64=1', '-DBR_USE_UNIX_TIME=0', '-DBR_USE_URANDOM=0', '-DBR_AES_X86NI=0', '-DBR_SSE2=0'],
  ...['-Ibearssl/inc', '-Ibearssl/src'],
]
const SODIUM_ROOT = 'src/libsodium'
const SODIUM = [
  '-DCONFIGURED=1',
  ...[`-Isodium/${SODIUM_ROOT}/include`, `-Isodium/${SODIUM_ROOT}/include/sodium`, '-Isodium/made/sodium'],
]

function unitsOf(part: Part, folder: string, names: string, flags: readonly string[]): Unit[] {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => ({ part, path: `${folder}/${name}.c`, flags: [...LIBRARY, ...flags] }))
}

const i31 = 'add bitlen decmod decode decred encode fmont iszero moddiv modpow montmul muladd ninv31 rshift sub tmont'
const libraryUnits: readonly Unit[] = [
  ...unitsOf('secp256k1', 'src', 'secp256k1 precomputed_ecmult precomputed_ecmult_gen', SECP256K1),
  ...unitsOf('bearssl', 'src/ec', 'ec_p256_m31 ec_secp256r1 ec_secp384r1 ec_secp521r1', BEARSSL),
  ...unitsOf('bearssl', 'src/ec', 'ecdsa_i31_sign_raw ecdsa_i31_bits', BEARSSL),
  ...unitsOf('bearssl', 'src/int', `${i31.replaceAll(/\w+/g, 'i31_$&')} i32_div32`, BEARSSL),
  ...unitsOf('bearssl', 'src/hash', 'sha2small sha2big dig_size ghash_ctmul64', BEARSSL),
  ...unitsOf('bearssl', 'src/symcipher', 'aes_ct aes_ct64 aes_ct64_enc aes_ct64_ctr', BEARSSL),
  ...unitsOf('bearssl', 'src', 'aead/gcm kdf/hkdf mac/hmac rand/hmac_drbg', BEARSSL),
  ...unitsOf('bearssl', 'src/codec', 'ccopy dec32be dec32le dec64be dec64le enc32be enc32le enc64be enc64le', BEARSSL),
  ...unitsOf('sodium', `${SODIUM_ROOT}/crypto_sign/ed25519/ref10`, 'keypair sign open', SODIUM),
  ...unitsOf('sodium', `${SODIUM_ROOT}/crypto_core/ed25519/ref10`, 'ed25519_ref10', SODIUM),
  ...unitsOf('sodium', `${SODIUM_ROOT}/crypto_hash/sha512/cp`, 'hash_sha512_cp', SODIUM),
  ...unitsOf('sodium', `${SODIUM_ROOT}/crypto_verify/sodium`, 'verify', SODIUM),
  ...unitsOf('sodium', `${SODIUM_ROOT}/crypto_generichash/blake2b/ref`, 'blake2b-ref blake2b-compress-ref', SODIUM),
  ...unitsOf('sodium', `${SODIUM_ROOT}/crypto_generichash/blake2b/ref`, 'generichash_blake2b', SODIUM),
]

/** libsodium's configure script makes this header; the engine uses nothing of it but that it is there. */
export const SODIUM_VERSION_HEADER = '#ifndef sodium_version_H\n#define sodium_version_H\n#include "export.h"\n#endif\n'

/** @param names The engine's own C files. @param defines Further flags for them, for builds that tests make. */
export function unitsWith(names: readonly string[], defines: readonly string[]): Unit[] {
  const flags = [...COMMON, '-std=c11', '-Wall', '-Wextra', '-Werror', ...defines]
  // Headers of the libraries are not ours to warn about.
  const system = [...SECP256K1_INCLUDE, ...BEARSSL, ...SODIUM].map((flag) => flag.replace(/^-I/, '-isystem'))
  return [...libraryUnits, ...names.map((path) => ({ part: 'engine' as const, path, flags: [...flags, ...system] }))]
}

const STACK_BYTES = 65_536
/** 96 pages: 4.25 MiB of arena (arena.c), the tables and the stack. */
const MEMORY_BYTES = 96 * 65_536

export const linkFlags: readonly string[] = [
  '--target=wasm32-wasip1',
  '-nostartfiles',
  // A full stack runs out of the memory instead of into the data.
  `-Wl,--no-entry,--gc-sections,--strip-all,--stack-first,-z,stack-size=${STACK_BYTES}`,
  `-Wl,--initial-memory=${MEMORY_BYTES},--max-memory=${MEMORY_BYTES}`,
]
