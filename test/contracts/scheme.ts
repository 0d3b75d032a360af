/** What every x402 scheme must do, run through the facilitator over HTTP. */
import type { TestFn } from 'ava'
import { commonReasons } from '../../plugins/x402/reasons.ts'
import type { SchemeMember } from '../../plugins/x402/schemes/scheme.ts'
import type { Facilitator } from '../support/x402/facilitator.ts'
import type { Json } from '../support/x402/payments.ts'

export interface SchemeSubject {
  facilitator: Facilitator
  /** A fresh payment that can be settled, as version 1 has it. */
  body(): Promise<Record<string, Json>>
  /** What the payee has. */
  received(): Promise<bigint>
  price: bigint
  dispose(): Promise<void>
}

/** Payloads that no scheme has. */
const GARBAGE: Json[] = [null, true, 0, '', 'text', [], {}, [{}], { authorization: null }, { payer: {} }]

export function testScheme(test: TestFn, { name, reasons }: SchemeMember, start: () => Promise<SchemeSubject>): void {
  let subject: SchemeSubject
  test.before(`${name}: start`, async () => {
    subject = await start()
  })
  test.after.always(`${name}: stop`, () => subject.dispose())

  const reasonsOf = (): Set<string> => new Set([...Object.keys(commonReasons), ...Object.keys(reasons)])
  const change = async (of: 'paymentPayload' | 'paymentRequirements', members: Record<string, Json>) => {
    const body = await subject.body()
    return { ...body, [of]: { ...(body[of] as Record<string, Json>), ...members } }
  }
  const refused = async (body: Json): Promise<string> => {
    const before = await subject.received()
    const verified = await subject.facilitator.post('verify', body)
    const settled = await subject.facilitator.post('settle', body)
    const { errorReason } = settled.json
    const isRefused = settled.json['success'] === false && errorReason === verified.json['invalidReason']
    if (!isRefused || (await subject.received()) !== before)
      throw new Error(`not refused: ${JSON.stringify(settled.json)}`)
    if (!reasonsOf().has(String(errorReason))) throw new Error(`not in a table: ${String(errorReason)}`)
    return String(errorReason)
  }

  test.serial(`${name}: its reasons are words of its own`, (t) => {
    for (const [code, condition] of Object.entries(reasons)) {
      t.regex(code, /^[a-z][a-z0-9_]+$/)
      t.not(condition, '')
      t.false(Object.hasOwn(commonReasons, code), code)
    }
  })

  test.serial(`${name}: a payment is settled once, and verified no more`, async (t) => {
    const body = await subject.body()
    const before = await subject.received()
    const { json: verified } = await subject.facilitator.post('verify', body)
    t.like(verified, { isValid: true })
    const { json: settled } = await subject.facilitator.post('settle', body)
    t.like(settled, { success: true, payer: verified['payer'] })
    t.not(settled['transaction'], '')
    t.is(await subject.received(), before + subject.price)
    t.deepEqual((await subject.facilitator.post('settle', body)).json, { ...settled, replayed: true })
    t.like((await subject.facilitator.post('verify', body)).json, { isValid: false })
    t.is(await subject.received(), before + subject.price)
  })

  test.serial(`${name}: fifty settles of one payment move it once`, async (t) => {
    const body = await subject.body()
    const before = await subject.received()
    const answers = await Promise.all(Array.from({ length: 50 }, () => subject.facilitator.post('settle', body)))
    t.true(answers.every(({ json }) => json['success'] === true || json['errorReason'] === 'x402_settlement_in_flight'))
    t.is(await subject.received(), before + subject.price)
  })

  test.serial(`${name}: what is no payload of its own is malformed`, async (t) => {
    for (const payload of GARBAGE) t.is(await refused(await change('paymentPayload', { payload })), 'invalid_request')
  })

  test.serial(`${name}: more than was signed, another payee, another asset`, async (t) => {
    const more = { maxAmountRequired: String(subject.price + 1n) }
    t.true(Object.hasOwn(reasons, await refused(await change('paymentRequirements', more))))
    const other = await subject.body()
    const { payTo } = other['paymentRequirements'] as { payTo: string }
    const last = payTo.at(-1) === 'a' ? 'b' : 'a'
    const elsewhere = { payTo: `${payTo.slice(0, -1)}${last}` }
    t.true(Object.hasOwn(reasons, await refused(await change('paymentRequirements', elsewhere))))
    const asset = `0x${'1'.repeat(40)}`
    t.is(await refused(await change('paymentRequirements', { asset })), 'x402_asset_not_allowed')
  })

  test.serial(`${name}: is listed in both versions, with who pays`, async (t) => {
    const { json } = await subject.facilitator.get('supported')
    const { kinds, signers } = json as { kinds: { x402Version: number }[]; signers: Record<string, string[]> }
    t.deepEqual(
      kinds.map(({ x402Version }) => x402Version),
      [1, 2],
    )
    t.true(Object.values(signers).flat().length > 0)
  })
}
