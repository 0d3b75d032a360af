/** The scheme `exact` on chains of the EVM: EIP-3009 authorizations, sent by a relayer that pays the gas. */
import { isEvmChain, SenderUnavailableError, StartError, type PluginHost } from '../../../../gateway/plugin-api.ts'
import type { Address } from 'viem'
import { refuse } from '../../reasons.ts'
import { SendImpossible, SendLater, type Scheme, type SchemeMember } from '../scheme.ts'
import { detailOf, payerOf, readAuthorization } from './authorization.ts'
import { checkState, checkWindow, estimateTransfer, guarded, settlementCall } from './chain-checks.ts'
import { OwnSignatures } from './own-signatures.ts'
import { progressOf } from './progress.ts'
import { exactEip155Reasons, refuseExact } from './reasons.ts'
import { available, call, ChainUnavailable } from './rpc.ts'
import { checkSigned } from './signed-checks.ts'
import { domainSeparatorCall, type TokenOnChain } from './token.ts'
import { domainSeparator } from './typed-data.ts'

/** What the estimate may be off by: a payee's balance can be empty by then and cost a new slot. */
const GAS_MARGIN_PERCENT = 130n
const GAS_MARGIN = 10_000n
/** What is not mined by then is cancelled: sellers have given up long before. */
const SEND_FOR_MS = 600_000
/** Until a lane that was full is tried again. */
const LANE_PAUSE_MS = 200

export const exactEip155: SchemeMember = {
  name: 'exact-eip155',
  reasons: exactEip155Reasons,
  async open(host, settings, hooks) {
    const chain = host.chains.get(settings.network)
    if (chain === undefined || !isEvmChain(chain) || settings.asset === '') return undefined
    const { assetName: name, assetVersion: version, relayerKeys, feeCeiling } = settings
    const asset = settings.asset.toLowerCase() as Address
    const domain = { name, version, chainId: chain.chainId, asset }
    const separator = domainSeparator(domain)
    const signatures = new OwnSignatures(separator)
    const { gasLimitMax, network } = settings
    const { client, agreed } = chain
    const height = () => chain.height()
    const token: TokenOnChain = { client, agreed, height, asset, separator, signatures, gasMax: gasWithin(gasLimitMax) }
    await checkDomainOnChain(host, token)
    const sender = chain.openSender({
      name: 'x402-exact',
      relayerKeys,
      feeCeiling,
      mayStillSend: (key) => hooks.mayStillSend(key),
      onChange: (record) => hooks.onChange(record.key),
    })
    const relayer = async () => (await sender.relayers())[0]

    const scheme: Scheme = {
      scheme: 'exact',
      network,
      signersPattern: 'eip155:*',
      signers: () => sender.relayers(),
      usedRefusal: refuseExact('invalid_exact_evm_authorization_used'),
      payerOf,
      read: readAuthorization,
      knowsAsset: (asked) => asked.toLowerCase() === asset,
      checkSigned: (authorization, terms, known) => checkSigned(token, domain, authorization, terms, known),
      async checkNow(authorization) {
        const refusal = checkWindow(detailOf(authorization), host.nowMs())
        return refusal ?? checkState(token, authorization, await relayer())
      },
      async prepare(authorization) {
        const expired = checkWindow(detailOf(authorization), host.nowMs())
        if (expired !== undefined) return expired
        const from = await relayer()
        return guarded(async () => {
          const [gas, fees, block] = await Promise.all([
            estimateTransfer(token, authorization, from),
            available(() => sender.quoteFees()),
            available(() => client.getBlockNumber()),
          ])
          if (typeof gas === 'object') return gas
          const gasLimit = gasLimitFor(gas)
          if (gasLimit > gasLimitMax) return refuse('x402_gas_estimate_unavailable')
          const plan = {
            gasLimit: String(gasLimit),
            feeCeiling: String(fees.feeCeiling),
            sinceBlock: String(block),
          }
          return { costMax: gasLimit * fees.feeCeiling + settings.dataFeeMax, plan }
        })
      },
      async send(key, authorization, { plan }) {
        const detail = detailOf(authorization)
        try {
          await sender.send({
            key,
            to: asset,
            data: await settlementCall(token, detail),
            gasLimit: BigInt(plan['gasLimit'] as string),
            feeCeiling: BigInt(plan['feeCeiling'] as string),
            validUntilMs: validUntilMs(detail.validBefore, host.nowMs()),
          })
        } catch (error) {
          if (!(error instanceof SenderUnavailableError)) throw error
          throw error.reason === 'relayer_not_configured' ? new SendImpossible() : new SendLater()
        }
      },
      look: (key, authorization, plan) =>
        progressOf({ token, sender, nowMs: () => host.nowMs() }, key, authorization, plan),
      async wait(key, withinMs) {
        const record = await sender.get(key)
        if (record === undefined) return pause(Math.min(withinMs, LANE_PAUSE_MS))
        // What is in a block and has not paid is waited for until nothing can change it.
        const states = record.state === 'included' ? (['final'] as const) : (['included', 'final'] as const)
        await sender.waitFor(key, states, withinMs)
      },
    }
    return scheme
  },
}

/**
 * A wrong domain would make every payer's signature invalid, so it is found at the start, if a node answers by then.
 * @throws {StartError}
 */
async function checkDomainOnChain(host: PluginHost, { client, asset, separator }: TokenOnChain): Promise<void> {
  try {
    const found = await call(client, { to: asset, data: domainSeparatorCall() })
    if (found?.toLowerCase() === separator) return
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    host.logger.warn('asset_unchecked')
    return
  }
  throw new StartError(
    'KEYSTEAD_X402_ASSET_NAME, KEYSTEAD_X402_ASSET_VERSION or KEYSTEAD_CHAIN_ID is not what KEYSTEAD_X402_ASSET itself says (EIP-712 domain)',
  )
}

function gasLimitFor(gas: bigint): bigint {
  return (gas * GAS_MARGIN_PERCENT) / 100n + GAS_MARGIN
}

/** The most that a transfer may take for its limit to be within this one. */
function gasWithin(gasLimitMax: bigint): bigint {
  return gasLimitMax > GAS_MARGIN ? ((gasLimitMax - GAS_MARGIN) * 100n) / GAS_MARGIN_PERCENT : 0n
}

/** An authorization may be valid for ever; those that come after it do not wait so long for its nonce. */
function validUntilMs(validBefore: string, nowMs: number): number {
  const most = BigInt(nowMs + SEND_FOR_MS)
  const ends = BigInt(validBefore) * 1000n
  return Number(ends < most ? ends : most)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
