/** The part of WebAssembly's JavaScript interface that the host uses; TypeScript has it only among browser types. */
declare namespace WebAssembly {
  interface Module {}
  interface Memory {
    readonly buffer: ArrayBuffer
  }
  interface Instance {
    readonly exports: Record<string, unknown>
  }
  type Imports = Record<string, Record<string, unknown>>
  const Module: new (bytes: Uint8Array) => Module
  const Memory: new (limits: { initial: number; maximum?: number }) => Memory
  const Instance: new (module: Module, imports: Imports) => Instance
}
