/** Speaks to the launcher's operator socket, which is local and never reachable over HTTP. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { encodeFrame, FrameReader } from '../signer-core/protocol/frames.ts'
import type { Answer, Identity, Notarized, OperatorCall } from '../signer-core/protocol/messages.ts'
import type { Founding } from '../signer-core/protocol/organization-record.ts'

/** @throws when the signer refuses or no launcher answers. */
export function foundOrganization(dataDir: string, founding: Founding): Promise<Notarized> {
  return callOperator<Notarized>(dataDir, { foundOrganization: JSON.stringify(founding) })
}

/** The uncompressed P-256 key, lower-case hex, that signs export bundles; clients compare it as text. */
export async function signerPublicKey(dataDir: string): Promise<string> {
  return (await callOperator<Identity>(dataDir, { identity: true })).publicKey
}

/** Whether a launcher has this data folder. It listens from the first moments of its start on. */
export async function launcherAnswers(dataDir: string): Promise<boolean> {
  const socket = connect(join(dataDir, 'signer.sock'))
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function callOperator<T>(dataDir: string, call: OperatorCall): Promise<T> {
  const answer = (await exchange(join(dataDir, 'signer/operator.sock'), call)) as Answer<T>
  if (!answer.ok) throw new Error(`the signer refused: ${answer.refusal.message}`)
  return answer.value
}

function exchange(socketPath: string, message: object): Promise<unknown> {
  const payload = Buffer.from(JSON.stringify(message))
  const reader = new FrameReader()
  const socket = connect(socketPath)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the launcher closed the connection')))
    socket.once('connect', () => socket.write(encodeFrame({ callId: 1, kind: 'operator', payload })))
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) {
        if (frame.kind === 'answer') resolve(JSON.parse(Buffer.from(frame.payload).toString()))
        else reject(new Error('the signer is not available'))
        socket.end()
      }
    })
  })
}
