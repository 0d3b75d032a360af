import test from 'ava'
import {
  bytesToHex,
  concatBytes,
  equalBytes,
  hexToBytes,
  lengthPrefixed,
  uint32,
  utf8ToBytes,
} from '../../../signer-core/protocol/bytes.ts'

test('UTF-8 is the same as the platform’s', (t) => {
  for (const text of ['', 'plain', 'percent % %41', 'é', '✓ 漢字', '😀\u0000\u007f\u0080\u07ff\u0800\uffff']) {
    t.deepEqual(utf8ToBytes(text), new TextEncoder().encode(text), text)
  }
  t.throws(() => utf8ToBytes('\ud800'))
})

test('hexadecimal in both directions', (t) => {
  t.deepEqual(hexToBytes('00fFAb'), Uint8Array.of(0, 255, 171))
  t.deepEqual(hexToBytes('0x0102'), Uint8Array.of(1, 2))
  t.deepEqual(hexToBytes(''), new Uint8Array())
  for (const bad of ['0', 'zz', '\u0130\u0131', 'é0', ' 0', '0x0', '0 1', '00\n', '0x0x00'])
    t.is(hexToBytes(bad), undefined, bad)
  t.is(bytesToHex(Uint8Array.of(0, 15, 255)), '000fff')
})

test('length prefixes keep fields apart', (t) => {
  const a = lengthPrefixed(utf8ToBytes('ab'), utf8ToBytes('c'))
  const b = lengthPrefixed(utf8ToBytes('a'), utf8ToBytes('bc'))
  t.false(equalBytes(a, b))
  t.deepEqual(a, concatBytes(uint32(2), utf8ToBytes('ab'), uint32(1), utf8ToBytes('c')))
  t.deepEqual(uint32(0x01020304), Uint8Array.of(1, 2, 3, 4))
})

test('equality looks at length and content', (t) => {
  t.true(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2)))
  t.false(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3)))
  t.false(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 3)))
})
