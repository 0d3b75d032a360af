import test from 'ava'
import { readAuthorization } from '../../../signer-core/gate/eip7702-authorization.ts'
import { PayloadError } from '../../../signer-core/gate/payload-error.ts'
import { bytesToHex } from '../../../signer-core/protocol/bytes.ts'
import { digest } from '../../support/address-tools.ts'

const address = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B'
const valid = { address, chainId: 1, nonce: 0 }
const read = (data: unknown) => readAuthorization(JSON.stringify(data), digest)
const digestOf = (data: unknown) => bytesToHex(read(data).digest)

test('policies see everything that is signed, in one spelling', (t) => {
  t.deepEqual(read({ address, chainId: '0xaa36a7', nonce: '65536' }).facts, {
    eth: { eip_7702_authorization: { address: address.toLowerCase(), chain_id: '11155111', nonce: '65536' } },
  })
})

test('the spelling does not matter, what is said does', (t) => {
  const same = [
    { nonce: '0x0', chainId: '0x01', address: address.toLowerCase() },
    { address: `0x${address.slice(2).toUpperCase()}`, chainId: '1', nonce: '0' },
  ]
  for (const data of same) t.is(digestOf(data), digestOf(valid))
  const different = [
    valid,
    { ...valid, chainId: 0 },
    { ...valid, nonce: 1 },
    { ...valid, chainId: (2n ** 256n - 1n).toString() },
    { ...valid, nonce: (2n ** 64n - 1n).toString() },
    { ...valid, address: `0x${'00'.repeat(20)}` },
  ]
  t.is(new Set(different.map(digestOf)).size, different.length)
})

test('anything else is refused', (t) => {
  const broken = [
    null,
    [],
    {},
    { address, chainId: 1 },
    { ...valid, contractAddress: address },
    { ...valid, address: address.slice(2) },
    { ...valid, address: `${address}00` },
    { ...valid, address: null },
    { ...valid, chainId: -1 },
    { ...valid, chainId: 1.5 },
    { ...valid, chainId: (2n ** 256n).toString() },
    { ...valid, chainId: null },
    { ...valid, nonce: -1 },
    { ...valid, nonce: (2n ** 64n).toString() },
    { ...valid, nonce: '' },
    { ...valid, nonce: true },
  ]
  for (const data of broken) t.throws(() => read(data), { instanceOf: PayloadError }, JSON.stringify(data))
  const twice = `{"address":"${address}","chainId":1,"chainId":2,"nonce":0}`
  t.throws(() => readAuthorization(twice, digest), { instanceOf: PayloadError })
})
