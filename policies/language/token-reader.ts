import { ExpressionError } from './errors.ts'
import type { Token } from './tokens.ts'

/** Words that name nothing. */
const RESERVED = ['true', 'false', 'in']

/** Reads tokens one by one; what the parser stands on. */
export class TokenReader {
  private next = 0
  private readonly tokens: readonly Token[]
  /** @param tokens The last is the end. */
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  /** The one to be read; the end is never passed. */
  protected get token(): Token {
    return this.tokens[this.next] as Token
  }

  protected skip(): void {
    this.next++
  }

  protected takes(sign: string): boolean {
    if (this.token.kind !== 'sign' || this.token.text !== sign) return false
    this.skip()
    return true
  }

  /** @throws {ExpressionError} */
  protected expect(sign: string): void {
    if (!this.takes(sign)) throw this.fault(`${sign} should stand here`)
  }

  /** @throws {ExpressionError} */
  protected name(): string {
    const { kind, text } = this.token
    if (kind !== 'name' || RESERVED.includes(text)) {
      throw this.fault(kind === 'end' ? 'the expression ends too early' : 'a name or a value should stand here')
    }
    this.skip()
    return text
  }

  /** @throws {ExpressionError} */
  protected text(): string {
    const { kind, text } = this.token
    if (kind !== 'text') throw this.fault('a string should stand here')
    this.skip()
    return text
  }

  protected fault(message: string): ExpressionError {
    return new ExpressionError(message, this.token.at)
  }
}
