/** From text to tokens. */
import { ExpressionError } from './errors.ts'

export interface Token {
  /** `text`: a string with its quotes taken off; `end`: behind the last one. */
  kind: 'name' | 'integer' | 'text' | 'sign' | 'end'
  text: string
  /** In UTF-16 units from the start. */
  at: number
}

const BLANK = /[ \t\r\n]*/y
/** A name, a number, a string or a sign. Strings have no escapes and end at the next quote. */
const TOKEN =
  // oxlint-disable-next-line no-control-regex
  /([A-Za-z_][A-Za-z0-9_]*)|([0-9]+)(?![A-Za-z0-9_])|'([^'\u0000-\u001f]*)'|(&&|\|\||==|!=|<=|>=|\.\.|[<>!()[\],.-])/y

/** @throws {ExpressionError} at the first character that begins no token. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let at = afterBlanks(source, 0)
  while (at < source.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(source)
    if (found === null) throw new ExpressionError(unreadable(source[at]), at)
    const [, name, integer, text, sign] = found
    if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else if (integer !== undefined) tokens.push({ kind: 'integer', text: integer, at })
    else if (text !== undefined) tokens.push({ kind: 'text', text, at })
    else tokens.push({ kind: 'sign', text: sign as string, at })
    at = afterBlanks(source, TOKEN.lastIndex)
  }
  tokens.push({ kind: 'end', text: '', at })
  return tokens
}

function afterBlanks(source: string, at: number): number {
  BLANK.lastIndex = at
  BLANK.test(source)
  return BLANK.lastIndex
}

function unreadable(first: string | undefined): string {
  if (first === "'") return 'a string without its end'
  if (first === '"') return 'strings stand in single quotes'
  if (/[0-9]/.test(first ?? '')) return 'a number is decimal digits and nothing else'
  return 'a character that the language does not have'
}
