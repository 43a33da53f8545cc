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

/** Every string, list, number and set of fields in a request must have a bound. Returns those without one. */
function unbounded(root: Schema): string[] {
  const found: string[] = []
  for (const { place, schema } of schemasIn(root)) {
    if (
      isA(schema, 'string') &&
      !['maxLength', 'enum', 'const', 'pattern', 'format'].some((keyword) => keyword in schema)
    )
      found.push(`${place}: a string without a maximum length`)
    if (typeof schema.pattern === 'string' && !('maxLength' in schema) && !/^\^.*\$$/.test(schema.pattern))
      found.push(`${place}: a pattern that is not anchored`)
    if (
      typeof schema.pattern === 'string' &&
      !('maxLength' in schema) &&
      /[*+]|\{\d+,\}/.test(schema.pattern.replaceAll(/\\.|\[[^\]]*\]/g, ''))
    )
      found.push(`${place}: a pattern with an unbounded repetition`)
    if (isA(schema, 'array') && !('maxItems' in schema)) found.push(`${place}: a list without a maximum`)
    // Fields of any name need a maximum number and a maximum length of names. The body parser bounds free objects.
    if (schema.patternProperties && !('maxProperties' in schema && schema.propertyNames?.maxLength))
      found.push(`${place}: fields without a maximum number`)
    if ((isA(schema, 'integer') || isA(schema, 'number')) && !('maximum' in schema && 'minimum' in schema))
      found.push(`${place}: a number without bounds`)
  }
  return found
}

it('every request has a bound everywhere', () => {
  expect(requests.length).toBeGreaterThan(200)
  expect(requests.flatMap(([name, schema]) => unbounded(schema).map((each) => `${name} ${each}`))).toEqual([])
})

it('declares the fields of every object in a body, except for a list of free objects', () => {
  const open = operations.flatMap(({ id, spec }) =>
    spec.body
      ? [...schemasIn(spec.body as Schema)].flatMap(({ place, schema }) =>
          isA(schema, 'object') && schema.additionalProperties !== false ? [`${id} ${place}`] : [],
        )
      : [],
  )
  // Input and output of a decision, data of an event and metadata of a DPU are any JSON; the body parser bounds their
  // size, depth and number of values. Parameters of a workflow are checked against its definition at run time.
  // Features of a center have names that it chooses, and labels of an action type are named by pointers; their number and
  // length are bounded. Settings of a partner are any JSON of bounded size.
  expect(open).toEqual([
    'centers.updateSettings $.features',
    'partner.updateSettings $',
    'decisionEvents.record $.action.input',
    'decisionEvents.record $.action.output',
    'decisionEvents.reportOutcome $.output',
    'agents.decide $.action.input',
    'agents.decide $.action.output',
    'agents.requestApproval $.binding.parameters',
    'decisions.ask $.action.input',
    'decisions.ask $.action.output',
    'events.publish $.data',
    'dpus.update $.metadata',
    'actionTypes.put $.labels',
    'policies.check $.action.input',
    'policies.check $.action.output',
    'policies.checkAsMember $.action.input',
    'policies.checkAsMember $.action.output',
    'policies.import $.actionTypes[].labels',
    'policies.import $.tests[].decision.action.input',
    'policies.import $.tests[].decision.action.output',
    'policies.importAsMember $.actionTypes[].labels',
    'policies.importAsMember $.tests[].decision.action.input',
    'policies.importAsMember $.tests[].decision.action.output',
    'workflows.putSettings $.parameters',
    'workflows.execute $.parameters',
  ])
})

describe('the check reports', () => {
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
  ])('%s without a bound', (_, schema) => expect(unbounded(schema as unknown as Schema)).toHaveLength(1))
})
