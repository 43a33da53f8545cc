/** Prints the JSON schemas of the contract as TypeScript types. */
import type { Json } from '@countersign/contract/openapi-schemas.ts'

interface Schema {
  readonly $ref?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Json[]
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Json | boolean
  readonly items?: Json
  readonly description?: string
}

interface TypeOptions {
  /** For a request: a member with a default is optional. */
  readonly input: boolean
}

export function commentOf(text: string | undefined, indent = ''): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name))

function objectType(schema: Schema, options: TypeOptions, indent: string): string {
  const { properties, required = [], additionalProperties } = schema
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties as Json, options) : 'unknown'
    return `Record<string, ${values}>`
  }
  const members = Object.entries(properties).map(([name, property]) => {
    const optional = !required.includes(name) || (options.input && 'default' in property)
    const comment = commentOf((property as Schema).description, `${indent}  `)
    return `${comment}${indent}  ${memberName(name)}${optional ? '?' : ''}: ${typeOf(property, options, `${indent}  `)}\n`
  })
  const more = additionalProperties === true ? `${indent}  [name: string]: unknown\n` : ''
  return `{\n${members.join('')}${more}${indent}}`
}

function plainType(type: string, schema: Schema, options: TypeOptions, indent: string): string {
  if (type === 'object') return objectType(schema, options, indent)
  if (type === 'array') {
    const item = typeOf(schema.items ?? {}, options, indent)
    return / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  return type === 'integer' ? 'number' : type
}

export function typeOf(json: Json, options: TypeOptions, indent = ''): string {
  const schema = json as Schema
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '')
    // In a query a boolean is written as its name.
    return name === 'YesNo' && options.input ? 'boolean | YesNo' : name
  }
  if ('const' in json) return literal(schema.const)
  // Lists of others, such as countries, grow.
  if (schema.enum) return schema.enum.length > 100 ? 'string' : schema.enum.map(literal).join(' | ')
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, options, indent)).join(' | ')
  if (schema.type === undefined) return schema.properties ? objectType(schema, options, indent) : 'unknown'
  return [schema.type]
    .flat()
    .map((type) => plainType(type, schema, options, indent))
    .join(' | ')
}

export function declarationOf(name: string, schema: Json, options: TypeOptions): string {
  const comment = commentOf((schema as Schema).description)
  const type = typeOf(schema, options)
  return type.startsWith('{') && !('anyOf' in schema)
    ? `${comment}export interface ${name} ${type}\n`
    : `${comment}export type ${name} = ${type}\n`
}
