/** Schemas of tools, made from those of the contract. */
import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type { TSchema } from 'typebox'

type JsonSchema = Readonly<Record<string, unknown>>
const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema

/** A later server may answer with further fields, so a result may have them; the contract promises no fewer. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name, each]) => !(name === 'additionalProperties' && each === false))
  return Object.fromEntries(entries.map(([name, each]) => [name, opened(each)]))
}

export const inputOf = (schema: TSchema): StandardSchemaWithJSON => fromJsonSchema(plain(schema) as never)
export const outputOf = (schema: TSchema): StandardSchemaWithJSON => fromJsonSchema(opened(plain(schema)) as never)
