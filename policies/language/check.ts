/** Types of expressions: a name or field that no request has, or an operation on the wrong type, is refused at once. */
import { ExpressionError } from './errors.ts'
import type { Node } from './syntax.ts'
import {
  areEquatable,
  bool,
  dynamic,
  int,
  isKind,
  list,
  nameOf,
  string,
  timestamp,
  type StructType,
  type Type,
} from './types.ts'

type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>
type Locals = ReadonlyMap<string, Type>

/**
 * Checks a whole expression.
 * @param keywords What the expression may speak of.
 * @throws {ExpressionError} with the place of the first fault; also when the expression is not a bool.
 */
export function checkExpression(node: Node, keywords: StructType): void {
  new Checker(keywords).expect(node, bool, new Map())
}

class Checker {
  private readonly keywords: StructType
  constructor(keywords: StructType) {
    this.keywords = keywords
  }

  expect(node: Node, expected: Type, locals: Locals): void {
    const type = this.typeOf(node, locals)
    if (!isKind(type, expected.kind)) throw fault(node, `this is ${nameOf(type)}, but ${nameOf(expected)} is needed`)
  }

  private typeOf(node: Node, locals: Locals): Type {
    switch (node.kind) {
      case 'literal':
        return this.literalType(node)
      case 'cron-span':
        return this.timed(node, bool)
      case 'list':
        return this.listType(node, locals)
      case 'name':
        return this.nameType(node, locals)
      case 'field':
        return fieldType(node, this.typeOf(node.of, locals))
      case 'index':
        return this.indexType(node, locals)
      case 'slice':
        return this.sliceType(node, locals)
      case 'not':
        this.expect(node.operand, bool, locals)
        return bool
      case 'logic':
        for (const operand of node.operands) this.expect(operand, bool, locals)
        return bool
      case 'comparison':
        return this.comparisonType(node, locals)
      case 'quantifier':
        return this.quantifierType(node, locals)
      case 'contains':
        return membership(node, this.typeOf(node.value, locals), this.typeOf(node.of, locals))
      case 'count':
        itemType(node, this.typeOf(node.of, locals))
        return int
    }
  }

  private literalType(node: NodeOf<'literal'>): Type {
    switch (typeof node.value) {
      case 'boolean':
        return bool
      case 'bigint':
        return int
      case 'string':
        return string
      case 'number':
        return this.timed(node, timestamp)
    }
  }

  /** Timestamps and spans belong where the time is a keyword. */
  private timed(node: Node, type: Type): Type {
    if (!Object.hasOwn(this.keywords.fields, 'time')) throw fault(node, 'times belong into the time field of a policy')
    return type
  }

  private nameType({ at, name }: NodeOf<'name'>, locals: Locals): Type {
    const type = locals.get(name) ?? memberOf(this.keywords, name)
    if (type === undefined) throw new ExpressionError(`no such keyword: ${optionsOf(this.keywords)}`, at)
    return type
  }

  private listType(node: NodeOf<'list'>, locals: Locals): Type {
    const types = node.items.map((item) => this.typeOf(item, locals))
    const [first = dynamic] = types
    types.forEach((type, i) => {
      if (!areEquatable(first, type))
        throw fault(node.items[i] as Node, 'the items of a list must be of one scalar type')
    })
    return list(types.find((type) => type.kind === 'dynamic') ?? first)
  }

  private indexType(node: NodeOf<'index'>, locals: Locals): Type {
    const of = this.typeOf(node.of, locals)
    // A key of a map; what it holds is dynamic.
    if (of.kind === 'dynamic' && node.index.kind === 'literal' && typeof node.index.value === 'string') return dynamic
    this.expect(node.index, int, locals)
    if (of.kind === 'list') return of.item
    if (of.kind === 'string' || of.kind === 'dynamic') return of
    throw fault(node, `${nameOf(of)} has no indices: only lists and strings have`)
  }

  private sliceType(node: NodeOf<'slice'>, locals: Locals): Type {
    const of = this.typeOf(node.of, locals)
    this.expect(node.start, int, locals)
    this.expect(node.end, int, locals)
    if (of.kind === 'list' || of.kind === 'string' || of.kind === 'dynamic') return of
    throw fault(node, `${nameOf(of)} has no slices: only lists and strings have`)
  }

  private comparisonType(node: NodeOf<'comparison'>, locals: Locals): Type {
    const [left, right] = [this.typeOf(node.left, locals), this.typeOf(node.right, locals)]
    if (node.operator === 'in') return membership(node, left, right)
    const ordered = isKind(left, 'int') || left.kind === 'timestamp'
    const isOrder = node.operator !== '==' && node.operator !== '!='
    const orderable = ordered && (isKind(right, 'int') || right.kind === 'timestamp')
    if (areEquatable(left, right) && (!isOrder || orderable)) return bool
    throw fault(node, `${node.operator} does not take ${nameOf(left)} and ${nameOf(right)}`)
  }

  private quantifierType(node: NodeOf<'quantifier'>, locals: Locals): Type {
    const of = this.typeOf(node.of, locals)
    const item = itemType(node, of)
    if (locals.has(node.item) || memberOf(this.keywords, node.item) !== undefined) {
      throw fault(node, 'the name of the item is taken')
    }
    this.expect(node.predicate, bool, new Map([...locals, [node.item, item]]))
    return node.method === 'filter' ? of : bool
  }
}

function fieldType(node: NodeOf<'field'>, of: Type): Type {
  if (of.kind === 'dynamic') return dynamic
  if (of.kind === 'list') throw fault(node, `${nameOf(of)} has no fields; methods are written like count()`)
  if (of.kind !== 'struct') throw fault(node, `${nameOf(of)} has no fields`)
  const type = memberOf(of, node.name)
  if (type === undefined) throw fault(node, `no such field: ${optionsOf(of)}`)
  return type
}

function itemType(node: Node, of: Type): Type {
  if (of.kind === 'list') return of.item
  if (of.kind === 'dynamic') return dynamic
  throw fault(node, `${nameOf(of)} is no list`)
}

function membership(node: Node, value: Type, of: Type): Type {
  const item = itemType(node, of)
  if (!areEquatable(value, item)) throw fault(node, `a list of ${nameOf(item)} cannot hold ${nameOf(value)}`)
  return bool
}

function memberOf(of: StructType, name: string): Type | undefined {
  return Object.hasOwn(of.fields, name) ? of.fields[name] : undefined
}

function optionsOf(of: StructType): string {
  return `${of.name} has ${Object.keys(of.fields).join(', ')}`
}

function fault(node: Node, message: string): ExpressionError {
  return new ExpressionError(message, node.at)
}
