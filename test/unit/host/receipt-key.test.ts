/** The key of a host's receipts: its signatures verify, with the lower s, and no two processes share it. */
import { createPublicKey, verify } from 'node:crypto'
import test from 'ava'
import { ReceiptKey } from '../../../signer-core/host/receipt-key.ts'

const SPKI_HEAD = '3059301306072a8648ce3d020106082a8648ce3d030107034200'
const HALF_ORDER = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n

test('200 signatures verify under the public key, all with the lower s', (t) => {
  const receiptKey = new ReceiptKey()
  const der = Buffer.concat([Buffer.from(SPKI_HEAD, 'hex'), receiptKey.publicKey])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  for (let i = 0; i < 200; i++) {
    const signature = receiptKey.sign(`receipt ${i}`)
    t.regex(signature, /^[0-9a-f]{128}$/)
    t.true(BigInt(`0x${signature.slice(64)}`) <= HALF_ORDER)
    const bytes = Buffer.from(signature, 'hex')
    const dsaKey = { key, dsaEncoding: 'ieee-p1363' } as const
    t.true(verify('sha256', Buffer.from(`receipt ${i}`), dsaKey, bytes))
    t.false(verify('sha256', Buffer.from(`receipt ${i + 1}`), dsaKey, bytes))
  }
})

test('each process has its own', (t) => {
  t.notDeepEqual(Buffer.from(new ReceiptKey().publicKey), Buffer.from(new ReceiptKey().publicKey))
})
