/** Why the service does not start, in one sentence for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}
