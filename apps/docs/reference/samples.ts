/** The request of an operation as a curl command and as a call of the SDK, made from the examples in the contract. */
import { replyExample } from '@countersign/contract/examples.ts'
import { fullPath, type Operation } from '@countersign/contract/operation.ts'
import { namedId, sampleBody } from './answers.ts'

interface Described {
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

const exampleOf = (schema: Described): unknown => {
  const given = schema.examples?.[0] ?? schema.const ?? schema.enum?.[0] ?? schema.default
  return given ?? (schema.anyOf?.[0] && exampleOf(schema.anyOf[0]))
}

export const parts = (operation: Operation) => {
  const { spec } = operation
  const idOf = (name: string) => namedId(operation, name, exampleOf(params[name] as Described))
  const { properties: params = {} } = (spec.params ?? {}) as Described
  const { properties: query = {}, required = [] } = (spec.query ?? {}) as Described
  const needed = Object.entries(query).filter(([name, schema]) => required.includes(name) && !('default' in schema))
  return {
    path: fullPath(spec).replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(idOf(name)))),
    params: [...fullPath(spec).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => idOf(name)),
    query: Object.fromEntries(needed.map(([name, schema]) => [name, exampleOf(schema)])),
    body: sampleBody(operation),
  }
}

const kebab = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * What the sample sends as its idempotency key. Where the key identifies the resource, the answer shown has it as its ID;
 * elsewhere it names what is done and the day.
 */
export function keyOf(operation: Operation): string | null {
  if (operation.spec.idempotency === 'own') {
    const { data } = replyExample(operation, 201) as { data: { decisionId: string } }
    return data.decisionId
  }
  const [resource = '', verb = ''] = operation.name.split('.')
  return operation.idempotent ? `${kebab(resource)}-${kebab(verb)}-2026-11-15` : null
}

/** For a shell's single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlOf(operation: Operation): string {
  const { spec } = operation
  const { path, query, body } = parts(operation)
  const search = new URLSearchParams(query as Record<string, string>).toString()
  const lines = [
    `curl ${spec.method === 'GET' ? '' : `-X ${spec.method} `}"$COUNTERSIGN_URL${path}${search && `?${search}`}"`,
  ]
  if (spec.access.kind === 'key') lines.push('-H "Authorization: Bearer $COUNTERSIGN_API_KEY"')
  else if (spec.access.kind !== 'public') lines.push('-H "Authorization: Bearer $TOKEN"')
  const key = keyOf(operation)
  if (key !== null) lines.push(`-H 'Idempotency-Key: ${key}'`)
  if (body !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`)
  return lines.join(' \\\n  ')
}

/** As the formatter of this repository writes it: names without quotes, texts in single ones. */
function literal(value: unknown, indent = ''): string {
  const inside = `${indent}  `
  if (typeof value === 'string') {
    const plain = JSON.stringify(value)
    return value.includes("'") ? plain : `'${plain.slice(1, -1).replaceAll('\\"', '"')}'`
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const line = `[${value.map((each) => literal(each, inside)).join(', ')}]`
    return line.length < 90 && !line.includes('\n')
      ? line
      : `[\n${value.map((each) => `${inside}${literal(each, inside)},\n`).join('')}${indent}]`
  }
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(
      ([name, each]) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : literal(name)}: ${literal(each, inside)}`,
    )
    if (fields.length === 0) return '{}'
    const line = `{ ${fields.join(', ')} }`
    return line.length < 90 && !line.includes('\n')
      ? line
      : `{\n${fields.map((each) => `${inside}${each},\n`).join('')}${indent}}`
  }
  return String(value)
}

/** The client of the sample: one for API keys, one for people. */
export const clientOf = ({ spec }: Operation): 'countersign' | 'platform' =>
  spec.surface === 'platform' ? 'platform' : 'countersign'

export function typescriptOf(operation: Operation): string {
  const { spec, name } = operation
  const { params, query, body } = parts(operation)
  const input = spec.body ? [body] : Object.keys(query).length > 0 ? [query] : []
  // Elsewhere the client makes a key of its own.
  const given = spec.idempotency === 'own' ? [...input, { idempotencyKey: keyOf(operation) }] : input
  const call = `${clientOf(operation)}.${name.replace('decisionEvents.', 'decisions.')}(${[...params, ...given].map((each) => literal(each)).join(', ')})`
  if (spec.contentType === 'application/x-ndjson') return `for await (const line of ${call}) console.log(line)`
  return `console.log(await ${call})`
}
