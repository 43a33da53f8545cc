/** Values that a JSON Schema of the contract accepts, as fast-check arbitraries. */
import { isPlainName } from '@countersign/contract/names.ts'
import fc from 'fast-check'

export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly [keyword: string]: unknown
}

/** A placeholder for an object that exists when the request is sent: a real email address, the id of a real key. */
export const live = (name: string): string => `«${name}»`

/** Fields for which a random value would never pass the first lookup. */
const liveFields = new Set([
  'email',
  'phone',
  'password',
  'centerDomain',
  'centerId',
  'refreshToken',
  'token',
  'id',
  'center',
  'domain',
  'actorId',
  'instructorId',
  'adminActorId',
  'planId',
  'webhookId',
  'eventId',
  'recoveryId',
])

/** Text from every Unicode plane; NUL and lone surrogates are invalid text and come as mutations. */
const text = (schema: Schema): fc.Arbitrary<string> => {
  const minLength = Number(schema.minLength ?? 0)
  const maxLength = Math.min(Number(schema.maxLength ?? 40), 40)
  const plain = fc.string({ unit: 'binary', minLength, maxLength }).map((value) => value.replaceAll('\0', '0'))
  if (schema.maxLength === undefined) return plain
  // Sometimes at the maximum length.
  return fc.oneof(
    { weight: 30, arbitrary: plain },
    { weight: 1, arbitrary: fc.constant('ß'.repeat(Number(schema.maxLength))) },
  )
}

function textOf(schema: Schema): fc.Arbitrary<string> {
  if (typeof schema.pattern === 'string') {
    const matching = fc.stringMatching(new RegExp(schema.pattern))
    return schema.format === 'plain-name' ? matching.filter(isPlainName) : matching
  }
  switch (schema.format) {
    case 'email':
      return fc.emailAddress({ size: 'small' })
    case 'uuid':
      return fc.uuid()
    case 'date':
      return fc
        .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10))
    case 'date-time':
      return fc
        .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
        .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().replace(/\.\d+Z$/, '+09:00')))
    default:
      return text(schema)
  }
}

function objectOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.patternProperties) {
    const key = fc.string({ unit: 'binary', maxLength: 12 }).map((name) => name.replaceAll('\0', '0'))
    return fc.dictionary(
      key.filter((name) => name !== '__proto__'),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 5 },
    )
  }
  const properties = Object.entries(schema.properties ?? {})
  const model = Object.fromEntries(properties.map(([name, inner]) => [name, fieldOf(name, inner)]))
  return fc.record(model, { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true })
}

function fieldOf(name: string, schema: Schema): fc.Arbitrary<unknown> {
  // A small set of keys, so that requests repeat them.
  if (name === 'idempotencyKey') return fc.oneof(fc.constantFrom('one', 'two'), valuesOf(schema))
  const made = valuesOf(schema)
  // A field with an enum keeps its values, even when its name is a live name.
  return liveFields.has(name) && !schema.enum
    ? fc.oneof({ weight: 3, arbitrary: fc.constant(live(name)) }, { weight: 1, arbitrary: made })
    : made
}

export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array': {
      const bounds = { minLength: Number(schema.minItems ?? 0), maxLength: Math.min(Number(schema.maxItems ?? 5), 5) }
      const items = valuesOf(schema.items ?? {})
      return schema.uniqueItems
        ? fc.uniqueArray(items, { ...bounds, maxLength: Math.min(bounds.maxLength, 2) })
        : fc.array(items, bounds)
    }
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -1000), max: Number(schema.maximum ?? 1000) })
    case 'number':
      return fc.double({ min: Number(schema.minimum ?? -1000), max: Number(schema.maximum ?? 1000), noNaN: true })
    case 'boolean':
      return fc.boolean()
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}
