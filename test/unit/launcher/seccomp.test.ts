import test from 'ava'
import { seccompProgram } from '../../../signer-core/launcher/seccomp.ts'

const X86_64 = 0xc000_003e
const I386 = 0x4000_0003
const ALLOW = 0x7fff_0000
const EPERM = 0x0005_0001
const ENOSYS = 0x0005_0026
const KILL = 0x8000_0000

/** Runs the program as the kernel would: the opcodes of linux/filter.h that it uses, and no others. */
function run(
  program: Uint8Array,
  { number, arch = X86_64, argument0 = 0n }: { number: number; arch?: number; argument0?: bigint },
): number {
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, number, true)
  data.setUint32(4, arch, true)
  data.setBigUint64(16, argument0, true)
  const view = new DataView(program.buffer, program.byteOffset, program.length)
  let accumulator = 0
  for (let at = 0; at < program.length / 8; at++) {
    const code = view.getUint16(8 * at, true)
    const operand = view.getUint32(8 * at + 4, true)
    const jump = (taken: boolean) => void (at += view.getUint8(8 * at + (taken ? 2 : 3)))
    if (code === 0x20) accumulator = data.getUint32(operand, true)
    else if (code === 0x15) jump(accumulator === operand)
    else if (code === 0x35) jump(accumulator >= operand)
    else if (code === 0x45) jump((accumulator & operand) !== 0)
    else if (code === 0x06) return operand
    else throw new Error(`opcode ${code}`)
  }
  throw new Error('ran off the end')
}

const program = seccompProgram()

test('the program is whole instructions, below the limit of the kernel', (t) => {
  t.is(program.length % 8, 0)
  t.true(program.length / 8 <= 4_096)
})

test('network, processes, namespaces and kernel doors are refused', (t) => {
  const denied = [41, 42, 43, 44, 46, 47, 49, 50, 57, 58, 101, 155, 161, 165, 166, 175, 246, 248, 250, 272, 288, 298]
  for (const number of [...denied, 304, 308, 310, 311, 313, 319, 321, 322, 323, 425, 426, 427, 438]) {
    t.is(run(program, { number }), EPERM, String(number))
  }
})

test('what the host needs is allowed: each neighbour of a refused number that is not refused itself', (t) => {
  // read, write, mmap, mprotect, munmap, futex, execve, exit_group, getrandom, epoll_pwait2, rseq
  for (const number of [0, 1, 9, 10, 11, 202, 59, 231, 318, 441, 334])
    t.is(run(program, { number }), ALLOW, String(number))
  for (const number of [40, 51, 60, 100, 102, 174, 320 + 4, 400, 512])
    t.is(run(program, { number }), ALLOW, String(number))
})

test('threads are allowed, processes are not', (t) => {
  const CLONE_THREAD = 0x0001_0000n
  t.is(run(program, { number: 56, argument0: CLONE_THREAD | 0x3d0f00n }), ALLOW)
  t.is(run(program, { number: 56, argument0: 17n }), EPERM)
  t.is(run(program, { number: 56, argument0: CLONE_THREAD << 32n }), EPERM)
  t.is(run(program, { number: 435 }), ENOSYS)
})

test('another architecture is killed, the x32 door is closed', (t) => {
  t.is(run(program, { number: 0, arch: I386 }), KILL)
  t.is(run(program, { number: 0x4000_0000 }), EPERM)
  t.is(run(program, { number: 0x4000_0000 + 41 }), EPERM)
  t.is(run(program, { number: 0x3fff_ffff }), ALLOW)
})
