/**
 * From tokens to a syntax tree. From loosest to tightest: `||`, `&&`, comparisons and `in` (not chained), `!`, then
 * fields, indices, slices and methods.
 */
import { ExpressionError } from './errors.ts'
import { callFunction } from './functions.ts'
import { EXPRESSION_DEPTH_MAX, EXPRESSION_LENGTH_MAX } from './limits.ts'
import { childrenOf, comparisons, quantifiers, type Comparison, type Node, type Quantifier } from './syntax.ts'
import { TokenReader } from './token-reader.ts'
import { tokensOf } from './tokens.ts'
import { readInteger } from './values.ts'

/** @throws {ExpressionError} with the place of the first fault. */
export function parseExpression(source: string): Node {
  if (source.length > EXPRESSION_LENGTH_MAX) {
    throw new ExpressionError(`longer than ${EXPRESSION_LENGTH_MAX} characters`, EXPRESSION_LENGTH_MAX)
  }
  return new Parser(tokensOf(source)).whole()
}

const METHODS = [...quantifiers, 'contains', 'count']

class Parser extends TokenReader {
  /** Open brackets, parentheses and negations. */
  private open = 0
  private readonly heights = new Map<Node, number>()

  whole(): Node {
    const node = this.expression()
    if (this.token.kind !== 'end') throw this.fault('the expression should end here')
    return node
  }

  private expression(): Node {
    return this.nested(() => this.logic('||', () => this.logic('&&', () => this.comparison())))
  }

  private logic(operator: '&&' | '||', operand: () => Node): Node {
    const operands = [operand()]
    const { at } = this.token
    while (this.takes(operator)) operands.push(operand())
    return operands.length === 1 ? (operands[0] as Node) : this.made({ kind: 'logic', at, operator, operands })
  }

  private comparison(): Node {
    const left = this.unary()
    const { at } = this.token
    const operator = this.comparisonSign()
    if (operator === undefined) return left
    this.skip()
    const node = this.made({ kind: 'comparison', at, operator, left, right: this.unary() })
    if (this.comparisonSign() !== undefined) throw this.fault('comparisons do not chain: use && or parentheses')
    return node
  }

  private comparisonSign(): Comparison | undefined {
    if (this.token.kind !== 'sign' && this.token.kind !== 'name') return undefined
    return comparisons.find((each) => each === this.token.text)
  }

  private unary(): Node {
    const { at } = this.token
    if (!this.takes('!')) return this.postfix()
    return this.nested(() => this.made({ kind: 'not', at, operand: this.unary() }))
  }

  private postfix(): Node {
    let node = this.primary()
    for (;;) {
      const { at } = this.token
      if (this.takes('.')) node = this.member(node, at)
      else if (this.takes('[')) node = this.indexOrSlice(node, at)
      else return node
    }
  }

  private member(of: Node, at: number): Node {
    const name = this.name()
    if (!this.takes('(')) return this.made({ kind: 'field', at, of, name })
    const node = this.method(of, at, name)
    this.expect(')')
    return this.made(node)
  }

  private method(of: Node, at: number, name: string): Node {
    if (name === 'count') return { kind: 'count', at, of }
    if (name === 'contains') return { kind: 'contains', at, of, value: this.expression() }
    const method = quantifiers.find((each): each is Quantifier => each === name)
    if (method === undefined) throw new ExpressionError(`no such method: there are ${METHODS.join(', ')}`, at)
    const item = this.name()
    this.expect(',')
    return { kind: 'quantifier', at, method, of, item, predicate: this.expression() }
  }

  private indexOrSlice(of: Node, at: number): Node {
    const index = this.expression()
    const end = this.takes('..') ? this.expression() : undefined
    this.expect(']')
    return this.made(
      end === undefined ? { kind: 'index', at, of, index } : { kind: 'slice', at, of, start: index, end },
    )
  }

  private primary(): Node {
    const { kind, text, at } = this.token
    if (kind === 'integer') return this.integer('', at)
    if (kind === 'text') {
      this.skip()
      return this.made({ kind: 'literal', at, value: text })
    }
    if (this.takes('-')) return this.integer('-', at)
    if (this.takes('(')) {
      const node = this.expression()
      this.expect(')')
      return node
    }
    if (this.takes('[')) return this.list(at)
    if (text === 'true' || text === 'false') {
      this.skip()
      return this.made({ kind: 'literal', at, value: text === 'true' })
    }
    const name = this.name()
    return this.takes('(') ? this.call(name, at) : this.made({ kind: 'name', at, name })
  }

  private integer(sign: '' | '-', at: number): Node {
    const { kind, text } = this.token
    if (kind !== 'integer') throw this.fault('a number should stand here')
    if (text.length > 1 && text.startsWith('0')) throw this.fault('numbers have no leading zeros')
    const value = readInteger(sign + text)
    if (value === undefined) throw this.fault('a number must fit int (128 bits with sign) or uint (256 bits)')
    this.skip()
    return this.made({ kind: 'literal', at, value })
  }

  private list(at: number): Node {
    const items: Node[] = []
    do items.push(this.expression())
    while (this.takes(','))
    this.expect(']')
    return this.made({ kind: 'list', at, items })
  }

  /** The functions take nothing but strings as they stand, so that a wrong one is found before it is needed. */
  private call(name: string, at: number): Node {
    const texts = [this.text()]
    while (this.takes(',')) texts.push(this.text())
    this.expect(')')
    const made = callFunction(name, texts)
    if (typeof made === 'string') throw new ExpressionError(made, at)
    return this.made({ at, ...made })
  }

  private nested(read: () => Node): Node {
    if (++this.open > EXPRESSION_DEPTH_MAX) throw this.tooDeep(this.token.at)
    const node = read()
    this.open--
    return node
  }

  /** Chains of fields nest without any bracket, so the tree is measured too. */
  private made(node: Node): Node {
    let height = 1
    for (const child of childrenOf(node)) height = Math.max(height, 1 + (this.heights.get(child) as number))
    if (height > EXPRESSION_DEPTH_MAX) throw this.tooDeep(node.at)
    this.heights.set(node, height)
    return node
  }

  private tooDeep(at: number): ExpressionError {
    return new ExpressionError(`nested more than ${EXPRESSION_DEPTH_MAX} deep`, at)
  }
}
