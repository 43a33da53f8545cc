/** Scalars and shapes that several operations share. Every string has a length: nobody stores 40 MB in a name. */
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

export const closed = { additionalProperties: false } as const

export const DateTime = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'ISO 8601, UTC, milliseconds',
  examples: ['2026-11-15T09:30:00.000Z'],
})

export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['admin@haneul.example'] })
export const Phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'E.164',
  examples: ['+821012345678'],
})
export const ActorId = Type.String({
  format: 'uuid',
  description: 'Actor id',
  examples: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'],
})
export const CenterId = Type.Integer({ minimum: 1, maximum: 2147483647, description: 'Center id', examples: [1] })
export const CenterDomain = Type.String({
  minLength: 1,
  maxLength: 63,
  description: 'Center domain slug',
  examples: ['haneul'],
})

/** Platform lists. The last page that can be asked for lies far beyond any list, and its offset still fits an integer. */
export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
})

/** What PostgreSQL's jsonb, RFC 8785 and every client can hold without change; checked while parsing. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Any JSON object',
})

/** As a type array where it can be: the serializer decides that by typeof, while anyOf makes it validate. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const plain = schema as { type?: unknown; properties?: unknown; enum?: readonly unknown[] }
  const simple = typeof plain.type === 'string' && plain.properties === undefined
  if (!simple) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
  const values = plain.enum && { enum: [...plain.enum, null] }
  return Type.Unsafe<Static<T> | null>({ ...schema, ...values, type: [plain.type, 'null'] })
}
