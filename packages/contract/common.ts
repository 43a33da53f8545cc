/** Scalars and helpers that several operations share. Every string of a request has a maximum length. */
import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TUnsafe,
  Type,
} from 'typebox'

/** A request with a field that is not declared is refused; a reply loses it. */
export const closed = { additionalProperties: false } as const

/**
 * An object with a name of its own. The name is the schema's `title`, which validation and serialization ignore; the
 * OpenAPI description lists the object once under this name and refers to it, so that clients get one type for it.
 */
export const named = <P extends TProperties>(title: string, properties: P, options: TSchemaOptions = {}): TObject<P> =>
  Type.Object(properties, { title, additionalProperties: false, ...options })

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

const control = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069'
/** A name goes into mails and lists, so it is one line: no control, line or direction characters, and no link (names.ts). */
export const PlainName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: `^[^${control}]*[^\\s${control}][^${control}]*$`,
  format: 'plain-name',
  description: 'One line, not blank, without control characters, addresses and links',
})

/** Platform lists. The largest page number is beyond any list, and its offset still fits an integer. */
export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'Page number, from 1' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Items per page' }),
})

/** Lists that are read on from the last item of the page before. */
export const CursorQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      description: '`pagination.nextCursor` of the page before; `page` then counts from it',
    }),
  ),
}

/** Any JSON object. The body parser refuses what jsonb, RFC 8785 or a client could not hold without a change. */
export const freeObject = (title: string, description: string, options: TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, unknown>>({ title, type: 'object', additionalProperties: true, description, ...options })
export const FreeObject = freeObject('JsonObject', 'Any JSON object')

/** A type array where possible: the serializer then decides by `typeof`, while `anyOf` makes it run a validator. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const plain = schema as { type?: unknown; properties?: unknown; enum?: readonly unknown[] }
  const simple = typeof plain.type === 'string' && plain.properties === undefined
  if (!simple) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
  const values = plain.enum && { enum: [...plain.enum, null] }
  return Type.Unsafe<Static<T> | null>({ ...schema, ...values, type: [plain.type, 'null'] })
}
