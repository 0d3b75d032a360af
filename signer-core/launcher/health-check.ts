/** Ends with 0 when the launcher of `KEYSTEAD_DATA_DIR` has a host that can sign; for whoever watches a container. */
import { connect } from 'node:net'
import { join } from 'node:path'
import { encodeFrame, FrameReader } from '../protocol/frames.ts'
import type { SignerStatus } from '../protocol/messages.ts'
import { readSettings } from './settings.ts'

const ANSWER_MS = 2_000

const { dataDir } = readSettings(process.env)
const reader = new FrameReader()
const socket = connect(join(dataDir, 'signer.sock'))
socket.setTimeout(ANSWER_MS, () => process.exit(1))
socket.on('error', () => process.exit(1))
socket.on('close', () => process.exit(1))
socket.on('data', (chunk: Buffer) => {
  for (const { payload } of reader.push(chunk)) {
    const { readyHosts } = JSON.parse(Buffer.from(payload).toString()) as SignerStatus
    process.exit(readyHosts > 0 ? 0 : 1)
  }
})
socket.write(encodeFrame({ callId: 1, kind: 'status', payload: Buffer.from('{}') }))
