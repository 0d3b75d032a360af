import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ApiError, apiErrors, presentError, type ApiErrorCode } from '../../../gateway/http/errors.ts'
import { refusalKinds, type RefusalCode } from '../../../signer-core/protocol/refusals.ts'

const codes = Object.keys(apiErrors) as ApiErrorCode[]
const readme = readFileSync(join(import.meta.dirname, '../../../gateway/README.md'), 'utf8')

test('every error has the shape that clients parse', (t) => {
  for (const code of codes) {
    const shown = presentError(new ApiError(code)) as {
      code: number
      message: string
      details: object[]
      turnkeyErrorCode: string
    }
    t.true(Number.isInteger(shown.code) && shown.code > 0, code)
    t.not(shown.message, '', code)
    t.deepEqual(shown.details[0], {
      '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail',
      turnkeyErrorCode: shown.turnkeyErrorCode,
    })
  }
})

test('every refusal of the signer has its error; only what ends an activity has none', (t) => {
  for (const [code, kind] of Object.entries(refusalKinds)) {
    const error = ApiError.ofRefusal({ code: code as RefusalCode, message: 'm', field: '' })
    t.is(error.code === 'INTERNAL', kind === 'execution', code)
  }
})

test('the table and its documentation agree, both ways', (t) => {
  const row = /^\| `([A-Z_]+)` +\| (?:the same|`([A-Z_]+)`) +\| (\d+) +\| (\d+) +\|/gm
  const rows = [...readme.matchAll(row)].map(([, code = '', wire = code, status, grpc]) => [
    code,
    wire,
    Number(status),
    Number(grpc),
  ])
  const wireOf = (code: ApiErrorCode) =>
    (presentError(new ApiError(code)) as { turnkeyErrorCode: string }).turnkeyErrorCode
  t.deepEqual(
    rows,
    codes.map((code) => [code, wireOf(code), apiErrors[code].status, apiErrors[code].grpc]),
  )
})
