/**
 * What a server of chat completions accepts. Servers differ in the name of the token limit, in whether they take a
 * temperature, and in how they are asked for JSON. A server that refuses a form is asked in a simpler one. Pure.
 */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import type { AiRequest } from './provider.ts'

type Schema = NonNullable<AiRequest['schema']>

/** From the most exact to the simplest; the last two state the schema in the instructions. */
const formats = ['strict', 'schema', 'object', 'words'] as const
const limits = ['max_tokens', 'max_completion_tokens', 'none'] as const

export interface Dialect {
  readonly format: (typeof formats)[number]
  readonly limit: (typeof limits)[number]
  readonly temperature: boolean
}

export const fullDialect: Dialect = { format: 'strict', limit: 'max_tokens', temperature: true }

interface Question {
  readonly model: string
  readonly maxTokens: number
  readonly instructions: string
  readonly facts: string
  readonly schema: Schema | null
}

export function requestIn({ format, limit, temperature }: Dialect, question: Question): Json {
  const { model, maxTokens, instructions, facts, schema } = question
  const inWords = schema !== null && (format === 'object' || format === 'words')
  return {
    model,
    stream: false,
    ...(temperature && { temperature: 0 }),
    ...(limit !== 'none' && { [limit]: maxTokens }),
    messages: [
      { role: 'system', content: inWords ? `${instructions}\n${schemaInWords(schema)}` : instructions },
      { role: 'user', content: facts },
    ],
    ...(schema && format !== 'words' && { response_format: responseFormat(format, schema) }),
  }
}

const schemaInWords = (schema: Schema): string =>
  `Answer with one JSON object and nothing else. It must match this JSON schema: ${canonical(schema)}`

const responseFormat = (format: Dialect['format'], schema: Schema): Json =>
  format === 'object'
    ? { type: 'json_object' }
    : { type: 'json_schema', json_schema: { name: 'answer', ...(format === 'strict' && { strict: true }), schema } }

/** The next simpler form: of what the refusal names, else of whatever is left; null where nothing is left. */
export function simpler(dialect: Dialect, refusal: string, hasSchema: boolean): Dialect | null {
  const ways: readonly (readonly [RegExp, Dialect | null])[] = [
    [/temperature/i, dialect.temperature ? { ...dialect, temperature: false } : null],
    [/max_(?:completion_)?tokens/i, withNext(dialect, 'limit', limits)],
    [/response_format|json|schema|strict|grammar/i, hasSchema ? withNext(dialect, 'format', formats) : null],
  ]
  const named = ways.find(([name, next]) => next !== null && name.test(refusal))
  return named?.[1] ?? ways.toReversed().find(([, next]) => next !== null)?.[1] ?? null
}

function withNext<K extends 'limit' | 'format'>(dialect: Dialect, part: K, order: readonly Dialect[K][]) {
  const next = order[order.indexOf(dialect[part]) + 1]
  return next === undefined ? null : { ...dialect, [part]: next }
}

/** For a server that takes the schema and does not follow it. */
export const inWords = (dialect: Dialect): Dialect | null =>
  dialect.format === 'words' ? null : { ...dialect, format: 'words' }
