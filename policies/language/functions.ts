import { readCronSpan } from './cron-span.ts'
import type { Node } from './syntax.ts'
import { readTimestamp } from './timestamp.ts'

type Made = Pick<Extract<Node, { kind: 'literal' }>, 'kind' | 'value'> | Pick<CronSpanNode, 'kind' | 'span'>
type CronSpanNode = Extract<Node, { kind: 'cron-span' }>

/** The functions of the language. @returns what one makes of its arguments, or a sentence that says what is wrong. */
export function callFunction(name: string, texts: readonly string[]): Made | string {
  const [first = '', second = '', third = ''] = texts
  if (name === 'Timestamp' && texts.length === 1) {
    const value = readTimestamp(first)
    return value === undefined ? 'a timestamp must look like 2026-03-01T00:00:00Z' : { kind: 'literal', value }
  }
  if (name === 'CronSpan' && texts.length === 3) {
    const span = readCronSpan(first, second, third)
    return typeof span === 'string' ? span : { kind: 'cron-span', span }
  }
  return "functions are Timestamp('...') and CronSpan('...', '...', '...')"
}
