/**
 * A small scanner for TypeScript and JavaScript: enough to tell code from comments, strings and regular expressions.
 * It finds imports and names that a plain text search would also find in comments, or miss across lines.
 */

export interface Token {
  readonly kind: 'name' | 'string' | 'template' | 'regexp' | 'sign'
  /** A string's content as written, without quotes or with its escapes; else the text itself. */
  readonly text: string
}

const BLANK = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const WORD = /[\p{ID_Start}$_#@\d][\p{ID_Continue}$.\u200c\u200d]*/uy
const NAME = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy
const STRING = /'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"/y
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(`|\$\{)/y
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

/** After these a slash begins a regular expression, although they are names. */
const OPERATOR_NAMES = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'await',
  'yield',
])

/**
 * Splits source text into tokens. Numbers come as names, since nothing here asks for them.
 * @throws {Error} at a character sequence that it cannot read, such as a string without an end.
 */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  /** For each open brace: whether it belongs to a template's `${`. */
  const braces: boolean[] = []
  let at = 0

  function take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match !== null) at = pattern.lastIndex
    return match
  }

  function takeTemplate(): void {
    const part = take(TEMPLATE_PART)
    if (part === null) throw new Error(`a template without an end at ${at}`)
    tokens.push({ kind: 'template', text: part[0].slice(0, -(part[1] as string).length) })
    if (part[1] === '${') braces.push(true)
  }

  function takeSign(): void {
    const sign = source[at] as string
    at += 1
    if (sign === '`') return takeTemplate()
    if (sign === '}' && braces.pop() === true) return takeTemplate()
    if (sign === '{') braces.push(false)
    if (sign === "'" || sign === '"') throw new Error(`a string without an end at ${at}`)
    tokens.push({ kind: 'sign', text: sign })
  }

  while (at < source.length) {
    if (take(BLANK) !== null) continue
    const string = take(STRING)
    const name = string === null ? (take(NAME) ?? (/[\d@]/.test(source[at] as string) ? take(WORD) : null)) : null
    const regexp = string === null && name === null && slashBeginsRegexp(tokens.at(-1)) ? take(REGEXP) : null
    if (string !== null) tokens.push({ kind: 'string', text: string[1] ?? string[2] ?? '' })
    else if (name !== null) tokens.push({ kind: 'name', text: name[0] })
    else if (regexp !== null) tokens.push({ kind: 'regexp', text: regexp[0] })
    else takeSign()
  }
  return tokens
}

function slashBeginsRegexp(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'name') return OPERATOR_NAMES.has(before.text)
  return before.kind === 'sign' && !')]}'.includes(before.text)
}

/** What a dynamic import of anything but a plain string is listed as. */
export const COMPUTED = '(computed)'

/** Everything that the source imports or exports from: static, type-only, dynamic, `import('x').T`, `require`. */
export function importsOf(source: string): string[] {
  const tokens = tokensOf(source)
  const imports: string[] = []
  tokens.forEach((token, i) => {
    const [before, beforeThat] = [tokens[i - 1]?.text, tokens[i - 2]]
    const isCall = before === '(' && beforeThat?.kind === 'name' && /^(?:import|require)$/.test(beforeThat.text)
    // A method that is called `import` imports nothing.
    if (isCall && tokens[i - 3]?.text === '.') return
    const afterKeyword = tokens[i - 1]?.kind === 'name' && (before === 'from' || before === 'import')
    if (token.kind === 'string' && (afterKeyword || isCall)) imports.push(token.text)
    else if (isCall) imports.push(COMPUTED)
  })
  return imports
}

/** Which of these global names the source uses: on their own or as members of globalThis, not as members or keys. */
export function globalsUsed(source: string, names: ReadonlySet<string>): string[] {
  const tokens = tokensOf(source)
  const used = tokens.filter((token, i) => {
    if (token.kind !== 'name' || !names.has(token.text)) return false
    const before = tokens[i - 1]?.text
    if (before === '.') return tokens.slice(Math.max(0, i - 3), i).some(({ text }) => text === 'globalThis')
    return !(tokens[i + 1]?.text === ':' && (before === '{' || before === ','))
  })
  return [...new Set(used.map(({ text }) => text))]
}
