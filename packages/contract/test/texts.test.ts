/** Whoever reads the reference alone can call the API: everything in it says what it means, and a request shows how. */
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { closed, named, nullable } from '../common.ts'
import { PlatformError, ProofError } from '../errors.ts'
import { openApiDocument } from '../openapi.ts'
import { type Operation, type OperationSpec, operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { eventTypes } from '../webhook-events.ts'
import { propertiesOf, type Schema, schemasIn } from './schemas.ts'

const alternatives = (schema: Schema): readonly Schema[] =>
  schema.anyOf?.filter(({ type }) => type !== 'null') ?? schema.oneOf ?? []

/** The text of a field, or of the only schema that it refers to. */
function textOf(schema: Schema): string | undefined {
  const [only, ...others] = alternatives(schema)
  const inner = only && others.length === 0 ? textOf(only) : undefined
  return (schema.description as string | undefined) ?? inner
}

const isShown = (schema: Schema): boolean =>
  ['examples', 'enum', 'const', 'default', 'properties'].some((keyword) => keyword in schema) ||
  schema.type === 'boolean' ||
  (schema.items !== undefined && isShown(schema.items)) ||
  alternatives(schema).some(isShown)

const wordsOf = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/'s\b|[^a-z ]/g, '')
    .split(' ')
    .filter((word) => !['', 'a', 'an', 'the', 'of'].includes(word))
    .toSorted()
    .join(' ')

function fieldsIn(root: Schema): { place: string; name: string; field: Schema }[] {
  return [...schemasIn(root)].flatMap(({ place, schema }) =>
    Object.entries(propertiesOf(schema)).map(([name, field]) => ({ place: `${place}.${name}`, name, field })),
  )
}

/** Fields that say nothing, only their name, or no sentence. */
const silentFields = (root: Schema): string[] =>
  fieldsIn(root).flatMap(({ place, name, field }) => {
    const text = textOf(field)
    if (text === undefined) return [`${place}: no description`]
    if (wordsOf(text) === wordsOf(name)) return [`${place}: repeats its name`]
    return /^[A-Z`].*\.$/s.test(text) ? [] : [`${place}: not a sentence`]
  })

const fieldsWithoutExample = (root: Schema): string[] =>
  fieldsIn(root).flatMap(({ place, field }) => (isShown(field) ? [] : [`${place}: no example`]))

/** Begins with a verb, names its object and fits into a list. */
function faultsOf({ summary, description }: OperationSpec): string[] {
  const faults: string[] = []
  if (!/^[A-Z][a-z-]+ \S.{1,62}$/.test(summary) || /[.;:]/.test(summary)) faults.push('summary')
  if (/^(The|A|An|Get|Whether|What|How)\b/.test(summary)) faults.push('summary without a verb that says more than get')
  if (description === undefined || description.length < 25 || !/^[A-Z`].*\.$/s.test(description))
    faults.push('description')
  if (description !== undefined && wordsOf(description) === wordsOf(summary)) faults.push('description as the summary')
  return faults
}

const requestsOf = ({ id, spec }: Operation) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    spec[part] ? [[`${id} ${part}`, spec[part] as Schema] as const] : [],
  )
const repliesOf = ({ id, bodies }: Operation) =>
  Object.entries(bodies).flatMap(([status, body]) => (body ? [[`${id} ${status}`, body as Schema] as const] : []))

const requests = operations.flatMap(requestsOf)
const replies = [
  ...operations.flatMap(repliesOf),
  ...Object.entries(eventTypes).map(([type, { schema }]) => [type, schema as unknown as Schema] as const),
  ['error of the platform', PlatformError as unknown as Schema] as const,
  ['error of the Proof API', ProofError as unknown as Schema] as const,
]

const undescribed = (schemas: Readonly<Record<string, Schema>>): string[] =>
  Object.entries(schemas).flatMap(([name, { description }]) => (description ? [] : [name]))

const unique = (found: readonly string[]): string[] => [...new Set(found)].toSorted()
const offendersOf = (places: readonly (readonly [string, Schema])[], check: (schema: Schema) => string[]): string[] =>
  unique(places.flatMap(([name, schema]) => check(schema).map((each) => `${name} ${each}`)))

describe('the reference', () => {
  it('has many operations and fields, all of which are looked at', () => {
    expect(operations.length).toBeGreaterThan(200)
    expect(requests.flatMap(([, schema]) => fieldsIn(schema)).length).toBeGreaterThan(500)
    expect(replies.flatMap(([, schema]) => fieldsIn(schema)).length).toBeGreaterThan(3000)
  })

  it('says of every operation in an imperative what it does, and in sentences what happens', () => {
    expect(operations.flatMap(({ id, spec }) => faultsOf(spec).map((fault) => `${id}: ${fault}`))).toEqual([])
  })

  it('gives no two operations of one group the same summary', () => {
    const names = operations.map(({ spec }) => `${spec.tag}: ${spec.summary} (${spec.access.kind})`)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('describes every field of every request', () => {
    expect(offendersOf(requests, silentFields)).toEqual([])
  })

  it('describes every field of every reply, error and webhook event', () => {
    expect(offendersOf(replies, silentFields)).toEqual([])
  })

  it('has an example of every field of every request, where its values are not listed', () => {
    expect(offendersOf(requests, fieldsWithoutExample)).toEqual([])
  })

  it('describes every schema that has a name', () => {
    const { components } = openApiDocument() as { components: { schemas: Readonly<Record<string, Schema>> } }
    expect(Object.keys(components.schemas).length).toBeGreaterThan(500)
    expect(undescribed(components.schemas)).toEqual([])
  })
})

describe('the check reports', () => {
  const sound = operations.find(({ id }) => id === 'webhooks.update') as Operation
  const text = { description: 'What the thing is for.' }
  const silent: readonly (readonly [string, object])[] = [
    ['a field without a text', Type.Object({ size: Type.Integer() })],
    ['one in a list', Type.Object({ boxes: Type.Array(Type.Object({ size: Type.Integer() }), text) })],
    ['one that may be null', Type.Object({ lid: nullable(named('Lid', { color: Type.String(text) }, closed)) })],
    ['the name as a text', Type.Object({ boxSize: Type.Integer({ description: 'The size of the box.' }) })],
    ['the name with a possessive', Type.Object({ boxId: Type.String({ description: "The box's ID." }) })],
    ['a word that is no sentence', Type.Object({ size: Type.Integer({ description: 'in millimeters' }) })],
  ]
  it.each(silent)('%s', (_, schema) => expect(silentFields(schema as Schema)).toHaveLength(1))

  it.each([
    ['a string', Type.String(text)],
    ['a number', Type.Integer({ ...text, minimum: 1 })],
    ['a list', Type.Array(Type.String(), text)],
  ])('%s without an example', (_, field) =>
    expect(fieldsWithoutExample(Type.Object({ field }) as unknown as Schema)).toHaveLength(1),
  )

  it('a schema without a description', () => {
    expect(undescribed({ Box: { type: 'object' }, Lid: { type: 'object', ...text } })).toEqual(['Box'])
  })

  it.each([
    ['a summary that is a sentence', { summary: 'Update a webhook.' }],
    ['a summary of two parts', { summary: 'Update a webhook; it is sent again' }],
    ['a summary without a verb', { summary: 'The webhook of a center' }],
    ['no description', { description: undefined }],
    [
      'the summary as the description',
      { summary: 'Update webhook secret now', description: 'Update the webhook secret now.' },
    ],
  ])('%s', (_, change) => {
    const broken = operation({ ...sound.spec, ...change } as OperationSpec)
    expect(faultsOf(sound.spec)).toEqual([])
    expect(faultsOf(broken.spec)).not.toEqual([])
  })
})
