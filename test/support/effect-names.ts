/** Names of what a process writes while it settles: the collection, and how far the document says it has come. */

interface Written {
  phase?: string
  state?: string
  reported?: boolean
  untold?: number
  attempts?: { raw?: string; sentAtBlock?: number }[]
  held?: Record<string, string>
  slots?: unknown[]
}

/** @param text The document's JSON. */
export function effectOf(collection: string, text: string): string {
  const document = JSON.parse(text) as Written
  return `${collection} ${stageOf(document)}`.trim()
}

function stageOf({ phase, state, reported, untold, attempts, held, slots }: Written): string {
  if (held !== undefined) return Object.keys(held).length === 0 ? 'empty' : 'held'
  if (slots !== undefined) return slots.length === 0 ? 'empty' : 'given'
  if (state !== undefined) {
    const last = attempts?.at(-1)
    const attempt = last === undefined ? '' : last.raw === undefined ? ', to be signed' : ''
    return `${state}${attempt}${untold === 1 ? ', untold' : ''}`
  }
  return `${phase ?? ''}${reported === true ? ', reported' : ''}`
}
