/** Documents with policies as people write them: JSON or YAML, one policy, a list, or the parameters of createPolicies. */
import { isCollection, isMap, isScalar, LineCounter, parseDocument, type Document, type Node } from 'yaml'
import { z } from 'zod'
import { effects, policyFaults, policyFields } from '../policies/policy.ts'
import {
  filledIn,
  parameterOf,
  parametersSchema,
  unknownNames,
  type Parameters,
  type ParameterTexts,
} from './policy-parameters.ts'

const expression = z.string().optional()
/** Strict, because a misspelt `conditon` would leave a policy that always holds. */
const policySchema = z.strictObject({
  policyName: z.string().min(1),
  effect: z.enum(effects),
  consensus: expression,
  condition: expression,
  time: expression,
  notes: z.string().optional(),
})
export type PolicyDocument = z.infer<typeof policySchema>

export interface DocumentFault {
  /** Of the member at fault in the file, counted from 1. */
  line: number
  column: number
  message: string
}

export interface ReadPolicies {
  policies: PolicyDocument[]
  faults: DocumentFault[]
}

/**
 * @param text Of the file. Faults name the place in the file, and of an expression also the place in it, as it is when
 * the parameters are filled in.
 * @param values Of the document's parameters: all of them. Without any, its examples are filled in.
 */
export function readPolicies(text: string, values?: ParameterTexts): ReadPolicies {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, intAsBigInt: true })
  const placed = (offset: number, message: string): DocumentFault => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col, message }
  }
  if (document.errors.length > 0) {
    return { policies: [], faults: document.errors.map((error) => placed(error.pos[0], error.message)) }
  }
  const { parameters, faults: parameterFaults } = readParameters(document, values)
  const read = pathsOf(document).map((path) => readPolicy(document, path, parameters))
  if (read.length === 0) return { policies: [], faults: [placed(0, 'there is no policy in the document')] }
  const faults = [...parameterFaults, ...read.flatMap((each) => each.faults)]
  return {
    policies: read.flatMap(({ policy }) => (policy === undefined ? [] : [policy])),
    faults: faults.map(({ path, message }) => placed(offsetOf(document, path), message)),
  }
}

type Path = (string | number)[]
interface PathFault {
  path: Path
  message: string
}

/** Where the policies stand. */
function pathsOf({ contents }: Document): Path[] {
  const listPath = isMap(contents) && contents.has('policies') ? ['policies'] : []
  const list =
    listPath.length === 0 ? contents : (contents as { get(key: string, keep: true): unknown }).get('policies', true)
  if (isMap(list)) return [listPath]
  return isCollection(list) ? list.items.map((_, i) => [...listPath, i]) : []
}

function readParameters(
  document: Document,
  values: ParameterTexts | undefined,
): { parameters: Parameters; faults: PathFault[] } {
  const { contents } = document
  const isListed = isMap(contents) && contents.has('policies') && contents.has('parameters')
  const node = isListed ? (document.getIn(['parameters'], true) as Node) : undefined
  const read = parametersSchema.safeParse(node?.toJS(document) ?? {})
  if (!read.success)
    return { parameters: {}, faults: read.error.issues.flatMap((one) => faultsOf(one, ['parameters'])) }
  const examples = read.data
  if (values === undefined) return { parameters: examples, faults: [] }
  const foreign = Object.keys(values).filter((name) => !Object.hasOwn(examples, name))
  const faults = foreign.map((name): PathFault => ({ path: [], message: `the document has no parameter ${name}` }))
  const parameters = Object.entries(examples).flatMap(([name, example]) => {
    const written = values[name]
    const parameter = written === undefined ? undefined : parameterOf(example, written)
    if (parameter !== undefined) return [[name, parameter] as const]
    const what = written === undefined ? 'is not set' : 'is set to what is not of its kind'
    faults.push({ path: ['parameters', name], message: `the parameter ${name} ${what}` })
    return [[name, example] as const]
  })
  return { parameters: Object.fromEntries(parameters), faults }
}

function readPolicy(
  document: Document,
  path: Path,
  parameters: Parameters,
): { policy?: PolicyDocument; faults: PathFault[] } {
  const node = path.length === 0 ? document : (document.getIn(path, true) as Node)
  const read = policySchema.safeParse(node.toJS(document as never))
  if (!read.success) {
    return { faults: read.error.issues.flatMap((issue) => faultsOf(issue, path)) }
  }
  const unknown = policyFields.flatMap((field) =>
    unknownNames(read.data[field] ?? '', parameters).map((name) => ({
      path: [...path, field],
      message: `${field}: the document has no parameter ${name}`,
    })),
  )
  if (unknown.length > 0) return { faults: unknown }
  const policy = withParameters(read.data, parameters)
  const faults = policyFaults(policy).map(({ field, line, column, message }) => ({
    path: [...path, field],
    message: `${field}, line ${line}, column ${column}: ${message}`,
  }))
  return { policy, faults }
}

function withParameters(policy: PolicyDocument, parameters: Parameters): PolicyDocument {
  const filled = policyFields.flatMap((field) => {
    const written = policy[field]
    return written === undefined ? [] : [[field, filledIn(written, parameters)] as const]
  })
  return { ...policy, ...Object.fromEntries(filled) }
}

function faultsOf(issue: z.core.$ZodIssue, path: Path): PathFault[] {
  if (issue.code !== 'unrecognized_keys') {
    const at = issue.path as Path
    return [{ path: [...path, ...at], message: `${at.join('.') || 'the policy'}: ${issue.message}` }]
  }
  const known = ['policyName', 'effect', ...policyFields, 'notes'].join(', ')
  return issue.keys.map((key) => ({ path: [...path, key], message: `${key} is no member of a policy (${known})` }))
}

/** Of the member's value, or of what it is missing in. */
function offsetOf(document: Document, path: Path): number {
  for (let i = path.length; i > 0; i--) {
    const node = document.getIn(path.slice(0, i), true) as Node | undefined
    if (node?.range) return node.range[0] + (isScalar(node) && node.type?.startsWith('QUOTE') === true ? 1 : 0)
  }
  return 0
}
