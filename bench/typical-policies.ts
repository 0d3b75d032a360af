/** Twenty policies as a payments team might keep: allowlists, limits, approvals and guards; one of them allows the request. */

const users = Array.from({ length: 5 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`)
const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`
const list = (items: string[]) => `[${items.map((each) => `'${each}'`).join(', ')}]`
const allowlist = list(Array.from({ length: 10 }, (_, i) => address(i + 1)))

export interface TypicalPolicy {
  policyName: string
  effect: 'EFFECT_ALLOW' | 'EFFECT_DENY'
  condition?: string
  consensus?: string
  time?: string
  notes: string
}

/** @param userId Who may sign any transaction with the key of this id. */
export function typicalPolicies(userId: string, keyId: string): TypicalPolicy[] {
  const transaction = "activity.kind == 'SIGN_TRANSACTION'"
  const ofTwo = `approvers.filter(user, user.id in ${list(users)}).count() >= 2`
  const policy = (effect: 'ALLOW' | 'DENY', condition: string, consensus = '', time = ''): TypicalPolicy => {
    return { policyName: 'typical', effect: `EFFECT_${effect}`, condition, consensus, time, notes: '' }
  }
  const call = (chain: number, contract: string, selector: string) =>
    `${transaction} && eth.tx.chain_id == ${chain} && eth.tx.to == '${contract}' && eth.tx.data[0..10] == '${selector}' && eth.tx.value == 0 && eth.tx.max_fee_per_gas <= 2000000000`
  const transfer = (chain: number, limit: string) =>
    `${transaction} && eth.tx.chain_id == ${chain} && eth.tx.to in ${allowlist} && eth.tx.value <= ${limit}`
  return [
    policy('ALLOW', transfer(8453, '1000000000000000000'), `approvers.any(user, user.id == '${userId}')`),
    policy('ALLOW', `${transaction} && private_key.id == '${keyId}'`, `approvers.any(user, user.id == '${userId}')`),
    ...[1, 10, 42161].map((chain) => policy('ALLOW', transfer(chain, '500000000000000000'), ofTwo)),
    ...[1, 2, 3, 4].map((i) => policy('ALLOW', call(8453, address(100 + i), '0xa9059cbb'), ofTwo)),
    policy('ALLOW', transfer(8453, '9000000000000000000'), ofTwo, "CronSpan('0 9 * * 1-5', '8h', 'UTC')"),
    policy(
      'ALLOW',
      `activity.kind == 'SIGN_RAW_PAYLOAD' && eth.eip_712.primary_type == 'TransferWithAuthorization' && eth.eip_712.domain.verifying_contract == '${address(7)}' && eth.eip_712.message['value'] <= 100000000`,
    ),
    policy('ALLOW', `activity.kind == 'SIGN_RAW_PAYLOAD' && eth.eip_7702_authorization.address == '${address(8)}'`),
    policy('ALLOW', "activity.resource == 'WALLET' && activity.action == 'CREATE'", ofTwo),
    policy('ALLOW', "activity.resource == 'POLICY'", ofTwo),
    policy('ALLOW', "activity.resource == 'USER' && activity.action != 'DELETE'", ofTwo),
    policy(
      'DENY',
      "activity.kind in ['SIGN_RAW_PAYLOAD', 'SIGN_RAW_PAYLOADS'] && activity.params.hash_function == 'HASH_FUNCTION_NO_OP' && !(activity.params.encoding in ['PAYLOAD_ENCODING_EIP712', 'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION'])",
    ),
    policy('DENY', "activity.action == 'EXPORT'"),
    policy('DENY', `${transaction} && eth.tx.to == '${address(0)}'`),
    policy('DENY', `${transaction} && eth.tx.type == 'TYPE_4'`),
    policy('DENY', `${transaction} && eth.tx.value > 100000000000000000000`),
  ]
}
