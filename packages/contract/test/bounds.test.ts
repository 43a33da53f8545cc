import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { operations } from '../operations.ts'
import { type Schema, schemasIn } from './schemas.ts'

const requests = operations.flatMap(({ id, spec }) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    spec[part] ? [[`${id} ${part}`, spec[part] as Schema] as const] : [],
  ),
)

const isA = (schema: Schema, type: string): boolean => [schema.type].flat().includes(type)

/** What a stranger may send has an end: of text, of lists, of numbers, and of which fields there are. */
function unbounded(root: Schema): string[] {
  const found: string[] = []
  for (const { place, schema } of schemasIn(root)) {
    if (
      isA(schema, 'string') &&
      !['maxLength', 'enum', 'const', 'pattern', 'format'].some((keyword) => keyword in schema)
    )
      found.push(`${place}: a string without an end`)
    if (typeof schema.pattern === 'string' && !('maxLength' in schema) && !/^\^.*\$$/.test(schema.pattern))
      found.push(`${place}: a pattern that is not anchored`)
    if (
      typeof schema.pattern === 'string' &&
      !('maxLength' in schema) &&
      /[*+]|\{\d+,\}/.test(schema.pattern.replaceAll(/\\.|\[[^\]]*\]/g, ''))
    )
      found.push(`${place}: a pattern that repeats without an end`)
    if (isA(schema, 'array') && !('maxItems' in schema)) found.push(`${place}: a list without an end`)
    // Fields of any name: how many there may be, and how long a name. A free object has its bounds at the door instead.
    if (schema.patternProperties && !('maxProperties' in schema && schema.propertyNames?.maxLength))
      found.push(`${place}: fields without an end`)
    if ((isA(schema, 'integer') || isA(schema, 'number')) && !('maximum' in schema && 'minimum' in schema))
      found.push(`${place}: a number without bounds`)
  }
  return found
}

describe.each(requests)('%s', (_, schema) => {
  it('has an end everywhere', () => expect(unbounded(schema)).toEqual([]))
})

it('an object in a body knows its fields, or is free on purpose', () => {
  const open = operations.flatMap(({ id, spec }) =>
    spec.body
      ? [...schemasIn(spec.body as Schema)].flatMap(({ place, schema }) =>
          isA(schema, 'object') && schema.additionalProperties !== false ? [`${id} ${place}`] : [],
        )
      : [],
  )
  // The decision's own input and output, what an app tells with an event, and what people note about a unit: any JSON, bounded in size, depth and number of values while it is read.
  // The parameters of a workflow, whose definition says what they are: checked against it when it is known which.
  // The switches of a center, whose names are its own: bounded in number and length.
  // A partner's settings, which are its own in form too: bounded like the former, and in all.
  expect(open).toEqual([
    'centers.updateSettings $.features',
    'partner.updateSettings $',
    'decisionEvents.record $.action.input',
    'decisionEvents.record $.action.output',
    'agents.decide $.action.input',
    'agents.decide $.action.output',
    'events.publish $.data',
    'dpus.update $.metadata',
    'workflows.execute $.parameters',
  ])
})

describe('the walk sees', () => {
  const name = Type.String({ maxLength: 9 })
  it.each([
    ['a string', Type.Object({ a: Type.String() })],
    ['a string in a list', Type.Object({ a: Type.Array(Type.String(), { maxItems: 3 }) })],
    ['a list', Type.Object({ a: Type.Array(Type.Boolean()) })],
    ['a number', Type.Object({ a: Type.Integer({ minimum: 1 }) })],
    ['a string or null', Type.Unsafe({ type: ['string', 'null'] })],
    ['one of two', Type.Union([Type.Null(), Type.String()])],
    ['a loose pattern', Type.String({ pattern: '[a-z]' })],
    ['an endless pattern', Type.String({ pattern: '^[a-z]+$' })],
    ['values of any name', Type.Record(Type.String(), Type.String(), { maxProperties: 3, propertyNames: name })],
    ['any number of names', Type.Record(Type.String(), Type.Boolean(), { propertyNames: name })],
    ['names of any length', Type.Record(Type.String(), Type.Boolean(), { maxProperties: 3 })],
  ])('%s without an end', (_, schema) => expect(unbounded(schema as unknown as Schema)).toHaveLength(1))
})
