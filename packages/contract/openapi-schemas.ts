/** Moves every schema with a `title` to `components.schemas` and leaves a `$ref` in its place. */
import { textsOfName } from './common.ts'

export type Json = Record<string, unknown>

interface Part extends Json {
  readonly title?: string
  readonly [textsOfName]?: Json
  readonly type?: unknown
  readonly enum?: readonly unknown[]
  readonly patternProperties?: Readonly<Record<string, Json>>
}

const single = ['items', 'additionalProperties', 'propertyNames']
const lists = ['anyOf', 'oneOf', 'allOf']

export interface NamedSchemas {
  /** The schema with references in place of what has a name. */
  refer(schema: unknown): Json
  /** Every schema that was referred to, by name, in alphabetical order. */
  all(): Json
}

/** Moves the description of "this or null" from the first alternative to the field. */
function lifted(schema: Json): Json {
  const [first, second, ...others] = (schema.anyOf ?? []) as Json[]
  if (first?.$ref === undefined || first.description === undefined || second?.type !== 'null' || others.length > 0)
    return schema
  const { description, examples, ...reference } = first
  const shown = examples === undefined ? {} : { examples }
  return { description, ...shown, ...schema, anyOf: [reference, second] }
}

export function namedSchemas(): NamedSchemas {
  const found = new Map<string, Json>()

  function keep(name: string, schema: Json): Json {
    const before = found.get(name)
    if (before && JSON.stringify(before) !== JSON.stringify(schema))
      throw new Error(`Two different schemas have the title ${name}. Give one of them another title.`)
    found.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }

  function inside(schema: Json): Json {
    const out: Json = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties')
        out.properties = Object.fromEntries(Object.entries(value as Json).map(([name, each]) => [name, refer(each)]))
      // Fields of any name: generators understand additionalProperties better, and it says the same.
      else if (keyword === 'patternProperties') out.additionalProperties = refer(Object.values(value as Json)[0])
      else if (single.includes(keyword) && typeof value === 'object') out[keyword] = refer(value)
      else if (lists.includes(keyword)) out[keyword] = (value as unknown[]).map(refer)
      else out[keyword] = value
    }
    return lifted(out)
  }

  /** A field's own description goes beside the reference; the named schema keeps its own. */
  function inPlace(schema: Part): Json {
    const { description, examples, [textsOfName]: own = {} } = schema
    const texts = ['description', 'examples']
    const plain = Object.entries(schema).flatMap(([keyword, value]) => {
      if (!texts.includes(keyword)) return [[keyword, value]]
      return keyword in own ? [[keyword, own[keyword]]] : []
    })
    const shown = examples === own.examples ? {} : { examples }
    return { ...refer(Object.fromEntries(plain)), description, ...shown }
  }

  function refer(schema: unknown): Json {
    if (textsOfName in (schema as Part) && (schema as Part).title !== undefined) return inPlace(schema as Part)
    const { title, ...part } = schema as Part
    if (title === undefined) return inside(part)
    // "One of these values or null", as `nullable` writes it for the serializer: a reference or null.
    if (Array.isArray(part.type)) {
      const [type] = part.type
      const values = part.enum && { enum: part.enum.filter((each) => each !== null) }
      return { anyOf: [refer({ title, ...part, type, ...values }), { type: 'null' }] }
    }
    return keep(title, inside(part))
  }

  return {
    refer,
    all: () => Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
