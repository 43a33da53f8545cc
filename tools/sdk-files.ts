/** The generated files of packages/sdk: types, the interface of each client, and the tables that the clients run on. */
import { type Json, namedSchemas } from '@countersign/contract/openapi-schemas.ts'
import { fullPath, type Operation, type Surface } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { eventTypes } from '@countersign/contract/webhook-events.ts'
import { commentOf, declarationOf, typeOf } from './schema-types.ts'

const head = '/** Generated from packages/contract by `npm run generate`. */\n'

/** Both clients speak of decisions; the paths of the Proof API call them decision events. */
const resourceNames: Readonly<Record<string, string>> = { decisionEvents: 'decisions' }

interface Method {
  readonly operation: Operation
  readonly resource: string
  readonly verb: string
}

function methodOf(operation: Operation): Method {
  const [resource = '', verb = ''] = operation.name.split('.')
  return { operation, resource: resourceNames[resource] ?? resource, verb }
}

/** The operations of a surface and the public ones outside `/api`, by resource. */
function resourcesOf(surface: Surface): Map<string, Method[]> {
  const methods = operations.filter(({ spec }) => spec.surface === surface || spec.surface === 'root').map(methodOf)
  return Map.groupBy(
    methods.toSorted((a, b) => (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0)),
    ({ resource }) => resource,
  )
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly minProperties?: number
}

const pathNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
const objectOf = (schema: unknown): ObjectSchema => (schema ?? {}) as ObjectSchema

/** What the SDK does to make a repetition harmless; undefined where nothing does. */
function repetition({ spec, idempotent }: Operation): 'header' | 'field' | 'same' | undefined {
  const fields = objectOf(spec.body).properties ?? {}
  if ('idempotencyKey' in fields) return 'field'
  if (idempotent || spec.idempotency === 'own') return 'header'
  return 'executor' in fields ? 'same' : undefined
}

function replyKind({ spec, envelope }: Operation): string {
  if (spec.contentType === 'application/x-ndjson') return 'lines'
  if (spec.contentType === 'text/csv' || spec.contentType === 'text/calendar') return 'text'
  if (spec.contentType === 'application/octet-stream' || spec.contentType === 'application/x-tar') return 'bytes'
  return Object.values(spec.replies).every((payload) => payload === null) ? 'none' : envelope
}

const startsSession = ({ spec }: Operation): boolean =>
  Object.values(spec.replies).some((payload) => (payload as { title?: string } | null)?.title === 'AuthSession')

function rowOf(operation: Operation): string {
  const { spec } = operation
  const cells = {
    method: spec.method,
    path: fullPath(spec),
    reply: replyKind(operation),
    input: spec.body ? 'body' : spec.query ? 'query' : undefined,
    repeat: repetition(operation),
    open: spec.access.kind === 'public' ? true : undefined,
    session: startsSession(operation) ? true : undefined,
  }
  const written = Object.entries(cells).filter(([, value]) => value !== undefined)
  return `{ ${written.map(([name, value]) => `${name}: ${value === true ? 'true' : `'${value}'`}`).join(', ')} }`
}

function tableOf(name: string, surface: Surface): string {
  const resources = [...resourcesOf(surface)].map(([resource, methods]) => {
    const rows = methods.map(({ operation, verb }) => `    ${verb}: ${rowOf(operation)},\n`)
    return `  ${resource}: {\n${rows.join('')}  },\n`
  })
  return `\nexport const ${name}: Table = {\n${resources.join('')}}\n`
}

/** Named types of requests and of replies. In a request a member with a default may be left out. */
function typeNames() {
  const [inputs, outputs] = [namedSchemas(), namedSchemas()]
  const input = (schema: unknown): string => typeOf(inputs.refer(schema), { input: true }, '  ')
  const output = (schema: unknown): string => typeOf(outputs.refer(schema), { input: false }, '  ')
  return {
    input,
    output,
    declarations(): string {
      const read = outputs.all() as Record<string, Json>
      const sent = inputs.all() as Record<string, Json>
      return Object.keys({ ...sent, ...read })
        .toSorted()
        .map((name) => declarationOf(name, (read[name] ?? sent[name]) as Json, { input: !(name in read) }))
        .join('\n')
    },
  }
}

type TypeNames = ReturnType<typeof typeNames>

function argumentsOf({ spec }: Operation, types: TypeNames): string {
  const params = objectOf(spec.params).properties ?? {}
  const list = pathNames(spec.path).map((name) => `${name}: ${types.input(params[name])}`)
  const input = spec.body ?? spec.query
  if (input) {
    const { properties = {}, required = [], minProperties } = objectOf(input)
    const needed = required.filter((name) => !('default' in (properties[name] ?? {})))
    const changes = spec.method === 'PATCH' || spec.method === 'PUT' || (minProperties ?? 0) > 0
    const optional = needed.length === 0 && !(spec.body && changes)
    list.push(`${spec.body ? 'body' : 'query'}${optional ? '?' : ''}: ${types.input(input)}`)
  }
  return [...list, 'options?: CallOptions'].join(', ')
}

function resultOf(operation: Operation, types: TypeNames): string {
  const payloads = Object.values(operation.spec.replies).map((payload) => (payload ? types.output(payload) : 'void'))
  const payload = [...new Set(payloads)].join(' | ')
  const kind = replyKind(operation)
  if (kind === 'lines') return `AsyncIterable<${payload}>`
  if (kind === 'bytes') return 'Call<ReadableStream<Uint8Array>>'
  const { counts } = operation.spec
  const figures = counts ? `, ${types.output(counts)}` : ''
  return kind === 'page' ? `PageCall<${payload}${figures}>` : `Call<${payload}>`
}

function methodLines({ operation, verb }: Method, types: TypeNames): string {
  const { spec } = operation
  const comment = commentOf(`${spec.summary}: \`${spec.method} ${fullPath(spec)}\``, '  ')
  return `${comment}  ${verb}(${argumentsOf(operation, types)}): ${resultOf(operation, types)}\n`
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function interfaceOf(name: string, surface: Surface, types: TypeNames): string {
  const resources = [...resourcesOf(surface)]
  const own = (resource: string) => `${name.replace('Api', '')}${capital(resource)}`
  const members = resources.map(([resource]) => `  readonly ${resource}: ${own(resource)}\n`)
  const interfaces = resources.map(
    ([resource, methods]) =>
      `\nexport interface ${own(resource)} {\n${methods.map((each) => methodLines(each, types)).join('')}}\n`,
  )
  return `\nexport interface ${name} {\n${members.join('')}}\n${interfaces.join('')}`
}

function webhookTypes(types: TypeNames): string {
  const rows = Object.entries(eventTypes).map(
    ([type, { description, schema }]) => `${commentOf(description, '  ')}  '${type}': ${types.output(schema)}\n`,
  )
  return `\n/** The \`data\` of each type of event. */\nexport interface WebhookData {\n${rows.join('')}}\n`
}

export function sdkFiles(): { readonly path: string; readonly content: string }[] {
  const types = typeNames()
  const clients = interfaceOf('ProofApi', 'proof', types) + interfaceOf('PlatformApi', 'platform', types)
  const webhooks = webhookTypes(types)
  const calls = "import type { Call, CallOptions, PageCall } from './call.ts'\n"
  const tables = tableOf('proofTable', 'proof') + tableOf('platformTable', 'platform')
  return [
    { path: 'packages/sdk/api.generated.ts', content: `${head}${calls}${clients}${webhooks}\n${types.declarations()}` },
    { path: 'packages/sdk/table.generated.ts', content: `${head}import type { Table } from './call.ts'\n${tables}` },
  ]
}
