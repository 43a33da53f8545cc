/** Tables of the members of a JSON Schema. */

interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: unknown
}

/** Texts of schemas stand in cells of tables: a bar or a line break would end the cell, `<` would begin an element. */
export const cell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/<(?!br>)/g, '&lt;')

const literal = (value: unknown): string => `\`${JSON.stringify(value)}\``

const isNull = (schema: Schema): boolean => schema.type === 'null'

function typeOf(schema: Schema): string {
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(', ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const name = [schema.type ?? 'any'].flat().join(' or ')
  if (schema.format) return schema.format
  return name
}

function bounds({ minimum, maximum, minLength, maxLength, maxItems, default: byDefault }: Schema): string {
  const parts: string[] = []
  if (minimum !== undefined && maximum !== undefined) parts.push(`${minimum} to ${maximum}`)
  else if (minimum !== undefined) parts.push(`at least ${minimum}`)
  else if (maximum !== undefined) parts.push(`at most ${maximum}`)
  if (maxLength !== undefined)
    parts.push(minLength ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`)
  if (maxItems !== undefined) parts.push(`at most ${maxItems} items`)
  if (byDefault !== undefined) parts.push(`default ${literal(byDefault)}`)
  const [first = '', ...rest] = parts
  return first && `${[first.slice(0, 1).toUpperCase() + first.slice(1), ...rest].join('; ')}.`
}

/** The text of a member, or of what it is unless it is null. */
function textOf({ description, anyOf = [] }: Schema): string | undefined {
  return description ?? anyOf.find((each) => !isNull(each))?.description
}

interface Row {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly meaning: string
}

const inner = (schema: Schema): Schema | undefined => {
  const one = schema.anyOf?.filter((each) => !isNull(each))
  const found = one?.length === 1 ? (one[0] as Schema) : schema
  return found.properties ? found : found.items && inner(found.items)
}

/** Deeper members are in the example. */
const deepest = 3

export function rowsOf(schema: Schema, prefix = '', depth = 1): Row[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, property]) => {
    const nested = depth < deepest ? inner(property) : undefined
    const list = property.items || property.anyOf?.some(({ items }) => items) ? '[]' : ''
    const meaning = [textOf(property), bounds(property)].filter(Boolean).join(' ')
    return [
      {
        name: prefix + name,
        type: typeOf(property),
        required: required.includes(name) && !('default' in property),
        meaning,
      },
      ...(nested ? rowsOf(nested, `${prefix}${name}${list}.`, depth + 1) : []),
    ]
  })
}

export interface Heads {
  readonly member: string
  readonly type: string
  readonly meaning: string
  readonly required: string
}

export function memberTable(schema: unknown, heads: Heads, showRequired: boolean): string {
  const rows = rowsOf(schema as Schema)
  if (rows.length === 0) return ''
  const line = ({ name, type, required, meaning }: Row) =>
    `| \`${name}\` | ${cell(type)}${required && showRequired ? `, ${heads.required}` : ''} | ${cell(meaning)} |`
  return [`| ${heads.member} | ${heads.type} | ${heads.meaning} |`, '| --- | --- | --- |', ...rows.map(line)].join('\n')
}
