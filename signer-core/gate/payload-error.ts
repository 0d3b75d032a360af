/** Why a structured payload says nothing that we sign. Texts come from the code, never from the payload. */
export class PayloadError extends Error {
  override name = 'PayloadError'
}
