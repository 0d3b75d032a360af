/** Typed structured data (EIP-712): from the JSON text that wallets exchange to the digest that is signed. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../protocol/strict-json.ts'
import { concatBytes } from '../../protocol/bytes.ts'
import type { Digest } from '../digest.ts'
import { hasExactly, readJsonObject } from '../json-payload.ts'
import { PayloadError } from '../payload-error.ts'
import { StructHasher } from './hash-struct.ts'
import { readTypes, type Types } from './types.ts'

export interface TypedData {
  /** 32 bytes. */
  digest: Uint8Array
  /** `{ eth: { eip_712: { primary_type, domain, message } } }`: everything that is signed. */
  facts: JsonObject
}

const DOMAIN = 'EIP712Domain'
/** The members that EIP-712 knows, and what policies call them. */
const domainFacts = {
  name: 'name',
  version: 'version',
  chainId: 'chain_id',
  verifyingContract: 'verifying_contract',
  salt: 'salt',
}

/**
 * Accepts only data that its types describe completely: every member has a type and every type its member.
 *
 * @param text Untrusted `{ domain, types, primaryType, message }`. `types.EIP712Domain` may be absent when `domain` is
 * empty, as viem sends it: the domain then has no members.
 * @throws {PayloadError} for anything else.
 */
export function readTypedData(text: string, digest: Digest): TypedData {
  const payload = readJsonObject(text)
  if (!hasExactly(payload, ['domain', 'types', 'primaryType', 'message'])) {
    throw new PayloadError('typed data must have domain, types, primaryType and message, nothing else')
  }
  const { domain, primaryType, message } = payload
  const types = withDomain(readTypes(payload.types), domain)
  if (typeof primaryType !== 'string' || primaryType === DOMAIN || !types.has(primaryType)) {
    throw new PayloadError('primaryType must be one of types')
  }
  const hasher = new StructHasher(types, digest)
  const separator = hasher.hash(DOMAIN, domain)
  const struct = hasher.hash(primaryType, message)
  return {
    digest: digest('keccak256', concatBytes(Uint8Array.of(0x19, 0x01), separator.word, struct.word)),
    facts: {
      eth: {
        eip_712: { primary_type: primaryType, domain: renamed(separator.fact as JsonObject), message: struct.fact },
      },
    },
  }
}

/** The types with a domain among them that policies can judge. */
function withDomain(types: Types, domain: JsonValue | undefined): Types {
  const members = types.get(DOMAIN)
  if (members === undefined) {
    const isEmpty = isJsonObject(domain) && Object.keys(domain).length === 0
    if (!isEmpty) throw new PayloadError('a domain that is not empty needs types.EIP712Domain')
    return new Map([...types, [DOMAIN, []]])
  }
  for (const { name, type } of members) {
    if (!Object.hasOwn(domainFacts, name))
      throw new PayloadError('EIP712Domain has a member that EIP-712 does not know')
    // Some chains write chainId, verifyingContract or salt as texts; a struct or an array would be no name of anything.
    if (type.kind !== 'atomic') throw new PayloadError('a member of EIP712Domain must not be a struct or an array')
  }
  return types
}

function renamed(domain: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(domain).map(([name, fact]) => [domainFacts[name as keyof typeof domainFacts], fact]),
  )
}
