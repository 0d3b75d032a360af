import { StoreUnavailableError, StoreUrlError } from './store/store-errors.ts'

/** Why the service does not start, in one sentence for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}

/** What Node throws for a folder, and for the address of a listener: its name was not found, or nothing can listen there. */
type SystemError = NodeJS.ErrnoException & { hostname?: string; address?: string; port?: number }

/** Of listen(2) and mkdir(2). */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'this user may not',
  EADDRNOTAVAIL: 'this machine has no such address',
  EEXIST: 'a file has this name',
  ENOTDIR: 'a part of it is a file',
}

/** What the operator can mend as a {@link StartError}, without the store's URL; anything else is a bug and comes back as it is. */
export function asStartError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError) return new StartError(`no store: ${error.message}`, { cause: error })
  if (error instanceof StoreUrlError) return new StartError(error.message, { cause: error })
  if (!(error instanceof Error) || !('syscall' in error)) return error
  const { syscall, code = '', path, hostname, address, port } = error as SystemError
  if (syscall === 'mkdir') return new StartError(`cannot make ${path}: ${reasons[code] ?? code}`, { cause: error })
  if (syscall === 'getaddrinfo') return new StartError(`no address is known of ${hostname}`, { cause: error })
  if (syscall !== 'listen') return error
  const place = port === undefined || port < 0 ? address : `port ${port} of ${address}`
  return new StartError(`cannot listen on ${place}: ${reasons[code] ?? code}`, { cause: error })
}
