/** The smallest scheme: banknotes on the toy chain. Worked example of `plugins/README.md`. */
import { z } from 'zod'
import type { Authorization } from '../../../plugins/x402/payment.ts'
import type { Refusal } from '../../../plugins/x402/reasons.ts'
import type { Progress, Scheme, SchemeMember } from '../../../plugins/x402/schemes/scheme.ts'
import { isToyChain, type ToyChain } from '../toy-chain/toy-chain.ts'

const reasons = {
  cash_not_signed: 'the note does not bear its payer’s name',
  cash_other_payee: 'the note is for somebody else',
  cash_too_little: 'the note is for less',
  cash_pockets_empty: 'the payer has not so much',
  cash_spent: 'the note was spent before',
} as const

/** Whoever writes his own name has signed. */
const noteSchema = z.object({
  payer: z.string().regex(/^[a-z]{1,20}$/),
  payee: z.string().regex(/^[a-z]{1,20}$/),
  amount: z.string().regex(/^[1-9][0-9]{0,30}$/),
  number: z.string().regex(/^[0-9]{1,20}$/),
  signature: z.string().max(40),
})
type Note = z.infer<typeof noteSchema>

const COST = 1n
const CASHIER = 'cashier'

export const cash: SchemeMember = {
  name: 'cash-toy',
  reasons,
  open(host, settings, hooks) {
    const chain = host.chains.get(settings.network)
    if (chain === undefined || !isToyChain(chain)) return Promise.resolve(undefined)
    return Promise.resolve(cashOn(chain, hooks))
  },
}

function cashOn(chain: ToyChain, hooks: Parameters<SchemeMember['open']>[2]): Scheme {
  const ended = new Map<string, Progress>()
  const checkNow = async ({ payer, amount }: Authorization): Promise<Refusal | undefined> =>
    (chain.balances.get(payer) ?? 0n) < amount ? refuse('cash_pockets_empty') : undefined
  return {
    scheme: 'cash',
    network: chain.caip2,
    signersPattern: 'toy:*',
    signers: () => Promise.resolve([CASHIER]),
    usedRefusal: refuse('cash_spent'),
    payerOf: (payload) => z.object({ payer: z.string().max(20) }).safeParse(payload).data?.payer ?? '',
    read(payload, { network, asset }) {
      const note = noteSchema.safeParse(payload).data
      if (note === undefined) return undefined
      const { payer, payee, number } = note
      const key = `${network}:${asset}:${payer}:${number}`
      return { key, payer, payee, asset, amount: BigInt(note.amount), detail: note }
    },
    knowsAsset: (asset) => asset === 'coin',
    async checkSigned({ payee, payer, amount, detail }, terms) {
      if ((detail as Note).signature !== `signed ${payer}`) return refuse('cash_not_signed')
      if (payee !== terms.payTo) return refuse('cash_other_payee')
      return amount < terms.amount ? refuse('cash_too_little') : undefined
    },
    checkNow,
    async prepare(authorization) {
      return (await checkNow(authorization)) ?? { costMax: COST, plan: {} }
    },
    async send(sendKey, { payer, payee, amount }) {
      if (ended.has(sendKey)) return
      const isPaid = (await hooks.mayStillSend(sendKey)) && chain.pay(sendKey, payer, payee, amount)
      const transaction = chain.paid.get(sendKey) ?? ''
      const paid: Progress = { state: 'paid', transaction, byOther: false, final: true, cost: COST }
      ended.set(sendKey, isPaid ? paid : { state: 'unpaid', refusal: refuse('cash_pockets_empty'), cost: 0n })
    },
    look: (sendKey) => Promise.resolve(ended.get(sendKey) ?? { state: 'notSent' }),
    wait: () => Promise.resolve(),
  }
}

function refuse(code: keyof typeof reasons): Refusal {
  return { code }
}
