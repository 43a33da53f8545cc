/** Walking JSON Schemas. */

export interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly examples?: readonly unknown[]
  readonly [keyword: string]: unknown
}

export const propertiesOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  (schema as Schema | undefined)?.properties ?? {}

const listed = ['anyOf', 'oneOf', 'allOf'] as const
const understood = new Set([
  ...['type', 'properties', 'patternProperties', 'additionalProperties', 'required', 'items', ...listed],
  ...['enum', 'const', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'propertyNames', 'default', 'examples', 'description', 'title'],
])

/** Every schema within a schema, with its place. Throws at an unknown keyword, which could contain a schema. */
export function* schemasIn(schema: Schema, place = '$'): Generator<{ place: string; schema: Schema }> {
  const strange = Object.keys(schema).find((keyword) => !understood.has(keyword))
  if (strange) throw new Error(`${place}: the keyword ${strange} is not understood here`)
  yield { place, schema }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* schemasIn(inner, `${place}.${name}`)
  for (const inner of Object.values(schema.patternProperties ?? {})) yield* schemasIn(inner, `${place}.*`)
  if (typeof schema.additionalProperties === 'object') yield* schemasIn(schema.additionalProperties, `${place}.*`)
  if (schema.propertyNames) yield* schemasIn(schema.propertyNames, `${place}.~names`)
  if (schema.items) yield* schemasIn(schema.items, `${place}[]`)
  for (const keyword of listed) {
    for (const [index, inner] of (schema[keyword] ?? []).entries())
      yield* schemasIn(inner, `${place}.${keyword}${index}`)
  }
}
