/**
 * A deny list for the host as a classic BPF program (seccomp(2), linux/seccomp.h, linux/bpf_common.h), x86_64 only.
 * It is the second wall behind namespaces and Node's permission model: it lets through what Node needs to start.
 */

/** Numbers of arch/x86/entry/syscalls/syscall_64.tbl, Linux 6.18. One line per reason. */
const denied = {
  // No network and no passing of file descriptors: the host talks by read and write alone.
  socket: 41,
  connect: 42,
  accept: 43,
  sendto: 44,
  sendmsg: 46,
  recvmsg: 47,
  bind: 49,
  listen: 50,
  accept4: 288,
  recvmmsg: 299,
  sendmmsg: 307,
  // Other processes: no looking into them, no handles on them.
  ptrace: 101,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  pidfd_send_signal: 424,
  pidfd_open: 434,
  pidfd_getfd: 438,
  process_madvise: 440,
  perf_event_open: 298,
  // No way out of the namespaces and no change of the file tree.
  pivot_root: 155,
  chroot: 161,
  mount: 165,
  umount2: 166,
  unshare: 272,
  name_to_handle_at: 303,
  open_by_handle_at: 304,
  setns: 308,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  // Parts of the kernel that were broken into often, and that no signer needs.
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  bpf: 321,
  userfaultfd: 323,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  modify_ldt: 154,
  personality: 135,
  // The machine itself.
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  iopl: 172,
  ioperm: 173,
  init_module: 175,
  delete_module: 176,
  kexec_load: 246,
  finit_module: 313,
  kexec_file_load: 320,
  // No child processes and no code from memory. execve stays: it is how the host itself starts.
  fork: 57,
  vfork: 58,
  memfd_create: 319,
  execveat: 322,
} as const

const CLONE = 56
const CLONE3 = 435
const CLONE_THREAD = 0x0001_0000
const AUDIT_ARCH_X86_64 = 0xc000_003e
/** Calls of the x32 ABI carry this bit and would slip past a list of plain numbers. */
const X32_SYSCALL_BIT = 0x4000_0000

const LOAD_WORD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_GREATER_OR_EQUAL = 0x35
const JUMP_SET = 0x45
const RETURN = 0x06
const KILL_PROCESS = 0x8000_0000
const ALLOW = 0x7fff_0000
const ERRNO = 0x0005_0000
const EPERM = 1
const ENOSYS = 38

/** Offsets in struct seccomp_data; the low half of the first argument on a little-endian machine. */
const NUMBER_AT = 0
const ARCH_AT = 4
const ARGUMENT_0_AT = 16

type Instruction = [code: number, jumpTrue: number, jumpFalse: number, operand: number]

/** The program as `bwrap --seccomp` reads it: eight bytes per instruction, little-endian. */
export function seccompProgram(): Uint8Array {
  const numbers = Object.values(denied)
  return encode([
    [LOAD_WORD, 0, 0, ARCH_AT],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH_X86_64],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, NUMBER_AT],
    [JUMP_GREATER_OR_EQUAL, 0, 1, X32_SYSCALL_BIT],
    [RETURN, 0, 0, ERRNO | EPERM],
    // clone3 keeps its flags in memory, where a filter cannot look: glibc then falls back to clone.
    [JUMP_EQUAL, 0, 1, CLONE3],
    [RETURN, 0, 0, ERRNO | ENOSYS],
    [JUMP_EQUAL, 0, 4, CLONE],
    [LOAD_WORD, 0, 0, ARGUMENT_0_AT],
    [JUMP_SET, 0, 1, CLONE_THREAD],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, ERRNO | EPERM],
    // The last of these lies right before ALLOW; each jumps over the rest and over ALLOW.
    ...numbers.map((number, i): Instruction => [JUMP_EQUAL, numbers.length - i, 0, number]),
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, ERRNO | EPERM],
  ])
}

function encode(instructions: Instruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [i, [code, jumpTrue, jumpFalse, operand]] of instructions.entries()) {
    view.setUint16(8 * i, code, true)
    view.setUint8(8 * i + 2, jumpTrue)
    view.setUint8(8 * i + 3, jumpFalse)
    view.setUint32(8 * i + 4, operand, true)
  }
  return bytes
}
