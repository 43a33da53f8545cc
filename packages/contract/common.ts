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

/** A request with an undeclared field is refused; in a reply such a field is left out. */
export const closed = { additionalProperties: false } as const

/**
 * An object with a name of its own. The name is the schema's `title`, which validation and serialization ignore; the
 * OpenAPI description lists the object once under this name and refers to it, so that clients get one type for it.
 */
export const named = <P extends TProperties>(title: string, properties: P, options: TSchemaOptions = {}): TObject<P> =>
  Type.Object(properties, { title, additionalProperties: false, ...options })

/** On a copy that `described` made: the original description and examples, which the named schema keeps. */
export const textsOfName = Symbol('texts of the named schema')

/** A copy of a shared schema, with a description and examples for one field. */
export function described<T extends TSchema>(schema: T, description: string, ...examples: readonly unknown[]): T {
  const { description: before, examples: shown } = schema as { description?: string; examples?: readonly unknown[] }
  // Also copies hidden properties, such as the mark of an optional field.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  const own = (schema as { [textsOfName]?: object })[textsOfName] ?? {
    ...(before !== undefined && { description: before }),
    ...(shown && { examples: shown }),
  }
  return Object.assign(copy, {
    description,
    ...(examples.length > 0 && { examples }),
    [textsOfName]: own,
  }) as unknown as T
}

export const DateTime = Type.String({
  format: 'date-time',
  maxLength: 40,
  description: 'A time in UTC, as ISO 8601 with milliseconds.',
  examples: ['2026-11-15T09:30:00.000Z'],
})

export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'An email address.',
  examples: ['admin@haneul.example'],
})
export const Phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'A phone number in E.164 format.',
  examples: ['+821012345678'],
})
export const ActorId = Type.String({
  format: 'uuid',
  description: "A person's actor ID.",
  examples: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'],
})
export const CenterId = Type.Integer({
  minimum: 1,
  maximum: 2147483647,
  description: 'The numeric ID of a center.',
  examples: [1],
})
export const CenterDomain = Type.String({
  minLength: 1,
  maxLength: 63,
  description: "The center's subdomain.",
  examples: ['haneul'],
})

const control = '\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069'
/** One line that is not blank. */
export const plainPattern = `^[^${control}]*[^\\s${control}][^${control}]*$`
/** Names appear in emails and lists, so a name is one line without control, line-break or direction characters, and without a link (names.ts). */
export const PlainName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: plainPattern,
  format: 'plain-name',
  description: "A name on a single line. It can't be blank or contain control characters, email addresses or links.",
  examples: ['Haneul Center'],
})

/** For lists of the platform. The largest page number is beyond any list, and its offset still fits an integer. */
export const PageQuery = Type.Object({
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: 'The page to return, counted from 1.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'The number of items per page.' }),
})

/** For lists that continue after the last item of the previous page. */
export const CursorQuery = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 64,
      description: '`pagination.nextCursor` from the previous page. With a cursor, `page` counts from that point on.',
      examples: ['AaR9x0c3PQ'],
    }),
  ),
}

/** Any JSON object. The body parser refuses values that jsonb, RFC 8785 or a client would change. */
export const freeObject = (title: string, description: string, options: TSchemaOptions = {}) =>
  Type.Unsafe<Record<string, unknown>>({ title, type: 'object', additionalProperties: true, description, ...options })
export const FreeObject = freeObject('JsonObject', 'Any JSON object.')

/** Uses a type array where possible: the serializer then decides by `typeof`, while `anyOf` makes it run a validator. */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const plain = schema as { type?: unknown; properties?: unknown; enum?: readonly unknown[] }
  const simple = typeof plain.type === 'string' && plain.properties === undefined
  if (!simple) return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
  const values = plain.enum && { enum: [...plain.enum, null] }
  return Type.Unsafe<Static<T> | null>({ ...schema, ...values, type: [plain.type, 'null'] })
}
