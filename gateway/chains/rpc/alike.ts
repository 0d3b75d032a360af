/** What of two endpoints' answers has to be the same: programs add members of their own, and write addresses as they like. */

type Members = Record<string, unknown>

const LOG = ['address', 'topics', 'data', 'blockHash', 'transactionHash', 'logIndex']
const RECEIPT = ['transactionHash', 'blockHash', 'blockNumber', 'status', 'gasUsed', 'effectiveGasPrice', 'logs']

/** @param result Of the method. @returns a text that is the same for answers that say the same. */
export function alikeText(method: string, result: unknown): string {
  return JSON.stringify(compared(method, result) ?? null).toLowerCase()
}

function compared(method: string, result: unknown): unknown {
  if (method === 'eth_getLogs' && Array.isArray(result)) return result.map((log) => only(LOG, log))
  if (method !== 'eth_getTransactionReceipt') return result
  const receipt = only(RECEIPT, result)
  if (!isMembers(receipt) || !Array.isArray(receipt['logs'])) return receipt
  return { ...receipt, logs: receipt['logs'].map((log) => only(LOG, log)) }
}

function only(names: readonly string[], value: unknown): unknown {
  return isMembers(value) ? Object.fromEntries(names.map((name) => [name, value[name]])) : value
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
