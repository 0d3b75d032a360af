/** Why the fast engine could not be built, in one sentence for whoever asked for it. */
export class EngineBuildError extends Error {
  override name = 'EngineBuildError'
}
