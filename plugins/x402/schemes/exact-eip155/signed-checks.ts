/** Whether the payer signed this transfer, to this payee and of this amount. */
import type { Authorization, Terms } from '../../payment.ts'
import type { Refusal } from '../../reasons.ts'
import { detailOf, type ExactDetail } from './authorization.ts'
import { checkContractSignature } from './chain-checks.ts'
import { refuseExact } from './reasons.ts'
import { isErc6492 } from './signature.ts'
import type { TokenOnChain } from './token.ts'
import type { TokenDomain } from './typed-data.ts'

export async function checkSigned(
  token: TokenOnChain,
  domain: TokenDomain,
  authorization: Authorization,
  terms: Terms,
  known: Authorization['detail'] | undefined,
): Promise<Refusal | undefined> {
  const detail = detailOf(authorization)
  return checkDomain(domain, terms) ?? (await checkSignature(token, detail, known)) ?? checkAgainstTerms(detail, terms)
}

/** The seller told the payer what to sign for: with another domain than the token's own the signature is for nothing. */
function checkDomain({ name, version }: TokenDomain, { extra }: Terms): Refusal | undefined {
  if (extra['name'] === name && extra['version'] === version) return undefined
  return refuseExact('invalid_exact_evm_signature', 'extra names another signing domain than the token has')
}

async function checkSignature(
  token: TokenOnChain,
  detail: ExactDetail,
  known: Authorization['detail'] | undefined,
): Promise<Refusal | undefined> {
  if ((await token.signatures.splitOf(detail)) !== undefined) return undefined
  if (isErc6492(detail.signature)) {
    return refuseExact('invalid_exact_evm_signature', 'ERC-6492 signatures are not taken: deploy the wallet first')
  }
  // A contract may judge anew after it was paid; what it once accepted is accepted.
  if (known !== undefined && isSame(detail, known as unknown as ExactDetail)) return undefined
  return checkContractSignature(token, detail)
}

function isSame(one: ExactDetail, other: ExactDetail): boolean {
  return (Object.keys(one) as (keyof ExactDetail)[]).every((name) => one[name] === other[name])
}

function checkAgainstTerms({ to, value }: ExactDetail, { payTo, amount, amountRule }: Terms): Refusal | undefined {
  if (to !== payTo.toLowerCase()) return refuseExact('invalid_exact_evm_recipient_mismatch')
  if (BigInt(value) < amount) return refuseExact('invalid_exact_evm_insufficient_value')
  if (amountRule === 'exactly' && BigInt(value) !== amount) {
    return refuseExact('invalid_exact_evm_payload_authorization_value_mismatch')
  }
  return undefined
}
