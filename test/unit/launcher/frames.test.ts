import test from 'ava'
import { encodeFrame, frameKinds, FrameReader, type Frame } from '../../../signer-core/protocol/frames.ts'
import { FRAME_BYTES_MAX } from '../../../signer-core/protocol/limits.ts'

const frames: Frame[] = [
  { callId: 1, kind: 'activity', payload: Buffer.from('{"a":1}') },
  { callId: 0xffff_ffff, kind: 'answer', payload: Buffer.alloc(0) },
  { callId: 0, kind: 'ready', payload: Buffer.from('x'.repeat(300)) },
]
const stream = Buffer.concat(frames.map(encodeFrame))
const plain = (list: Frame[]) => list.map((frame) => ({ ...frame, payload: Buffer.from(frame.payload).toString() }))

test('frames come out whole wherever the stream is cut', (t) => {
  for (let cut = 0; cut <= stream.length; cut++) {
    const reader = new FrameReader()
    t.deepEqual(plain([...reader.push(stream.subarray(0, cut)), ...reader.push(stream.subarray(cut))]), plain(frames))
  }
  const reader = new FrameReader()
  t.deepEqual(plain([...stream].flatMap((byte) => reader.push(Uint8Array.of(byte)))), plain(frames))
})

test('the longest frame is read, one byte more is refused from its header alone', (t) => {
  const header = (lengthBytes: number) => {
    const bytes = Buffer.alloc(9)
    bytes.writeUInt32BE(lengthBytes)
    return bytes
  }
  const payload = Buffer.alloc(FRAME_BYTES_MAX)
  t.is(new FrameReader().push(encodeFrame({ callId: 1, kind: 'answer', payload }))[0]?.payload.length, FRAME_BYTES_MAX)
  t.deepEqual(new FrameReader().push(header(FRAME_BYTES_MAX)), [])
  t.throws(() => new FrameReader().push(header(FRAME_BYTES_MAX + 1)), { name: 'FrameError' })
  t.throws(() => encodeFrame({ callId: 1, kind: 'answer', payload: Buffer.alloc(FRAME_BYTES_MAX + 1) }), {
    name: 'FrameError',
  })
})

test('an unknown kind is refused, also in the second frame of a chunk', (t) => {
  const unknown = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1, frameKinds.length)
  t.throws(() => new FrameReader().push(unknown), { name: 'FrameError' })
  t.throws(() => new FrameReader().push(Buffer.concat([stream, unknown])), { name: 'FrameError' })
})
