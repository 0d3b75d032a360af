/** Protocol buffers: one form only. */
import test from 'ava'
import { PROTOBUF_FIELDS_MAX, readProtobuf } from '../../../signer-core/gate/transactions/protobuf.ts'
import { message } from '../../support/tron-messages.ts'
import { hex, refusals } from '../../support/transactions.ts'

test('protobuf: one form only', (t) => {
  const sound = message([
    [1, 1],
    [1, 300],
    [2, 'x'],
  ])
  refusals(t, readProtobuf, sound, [
    ['a varint in two bytes', hex('088100'), /varint that is too long/],
    ['a tag in two bytes', hex('880001'), /varint that is too long/],
    ['a length in two bytes', hex('12810078'), /varint that is too long/],
    ['65 bits', hex('08ffffffffffffffffff02'), /varint that is too long/],
    ['eleven bytes', hex('0880808080808080808080808001'), /varint that is too long/],
    ['a zero', hex('0800'), /default value/],
    ['an empty string', hex('1200'), /default value/],
    ['fixed64', hex('090000000000000001'), /wire type/],
    ['a group', hex('0b0c'), /wire type/],
    ['fixed32', hex('0d00000001'), /wire type/],
    ['field 0', hex('0001'), /out of order/],
    ['field 2^29', hex('808080801001'), /out of range/],
    ['descending', hex('10010801'), /out of order/],
    ['a length beyond the end', hex('120578'), /end too early/],
    ['a length of 2^64 - 1', hex('12ffffffffffffffffff0178'), /end too early/],
  ])
  t.deepEqual(readProtobuf(hex('08ffffffffffffffffff01')), [{ number: 1, value: (1n << 64n) - 1n }])
  const many = (count: number) => message(Array.from({ length: count }, () => [1, 1]))
  t.notThrows(() => readProtobuf(many(PROTOBUF_FIELDS_MAX)))
  t.throws(() => readProtobuf(many(PROTOBUF_FIELDS_MAX + 1)), { message: /too many/ })
})
