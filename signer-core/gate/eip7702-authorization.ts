/** Authorization to set an account's code (EIP-7702), from the JSON text that viem sends. */
import { bytesToHex, concatBytes } from '../protocol/bytes.ts'
import type { JsonObject, JsonValue } from '../protocol/strict-json.ts'
import type { Digest } from './digest.ts'
import { hasExactly, readHex, readInteger, readJsonObject } from './json-payload.ts'
import { PayloadError } from './payload-error.ts'
import { bigEndian, writeRlp } from './transactions/rlp.ts'

export interface Authorization {
  /** 32 bytes. */
  digest: Uint8Array
  /** `{ eth: { eip_7702_authorization: { address, chain_id, nonce } } }`, numbers as decimal texts. */
  facts: JsonObject
}

/** EIP-7702, MAGIC. */
const MAGIC = Uint8Array.of(0x05)

/**
 * @param text Untrusted `{ address, chainId, nonce }`: 20 bytes of hexadecimal with 0x; integers of 256 and 64 bits as
 * numbers, decimal or 0x texts. Chain id 0 is valid: the authorization then holds on every chain.
 * @throws {PayloadError} for anything else.
 */
export function readAuthorization(text: string, digest: Digest): Authorization {
  const payload = readJsonObject(text)
  if (!hasExactly(payload, ['address', 'chainId', 'nonce'])) {
    throw new PayloadError('an authorization must have address, chainId and nonce, nothing else')
  }
  const address = readHex(payload.address as JsonValue)
  if (address?.length !== 20) throw new PayloadError('address must be 0x and 40 hexadecimal digits')
  const chainId = unsigned(payload.chainId as JsonValue, 256)
  const nonce = unsigned(payload.nonce as JsonValue, 64)
  const fields = writeRlp([bigEndian(chainId), address, bigEndian(nonce)])
  return {
    digest: digest('keccak256', concatBytes(MAGIC, fields)),
    facts: {
      eth: {
        eip_7702_authorization: {
          address: `0x${bytesToHex(address)}`,
          chain_id: chainId.toString(),
          nonce: nonce.toString(),
        },
      },
    },
  }
}

function unsigned(value: JsonValue, bits: number): bigint {
  const read = readInteger(value)
  if (read === undefined || read < 0n || read >= 1n << BigInt(bits)) {
    throw new PayloadError('chainId must be an integer of 256 bits, nonce one of 64 bits')
  }
  return read
}
