import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { bodyAjv, compileText, isDateTime, validationProblem } from '../validation.ts'

const closed = { additionalProperties: false }
const Form = Type.Object(
  {
    email: Type.String({ format: 'email' }),
    name: Type.String({ minLength: 2 }),
    subdomain: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{3,30}$' })),
    kind: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['one', 'two'] })),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  closed,
)
const check = bodyAjv.compile(Form)

function problem(surface: 'platform' | 'proof', body: unknown) {
  expect(check(body)).toBe(false)
  const { code, message, details } = validationProblem(surface, check.errors ?? [])
  return { code, message, issues: details.issues as { path: string; message: string }[] | undefined }
}

const good = { email: 'a@b.example', name: 'Ara' }

describe('on the platform the code states the kind of error, and the message names the field', () => {
  it.each([
    ['an absent field', { email: good.email }, 'MISSING_REQUIRED_FIELD', '"name" is required.'],
    [
      'an absent field before all else',
      { email: 'nonsense', kind: 3 },
      'MISSING_REQUIRED_FIELD',
      '"name" is required.',
    ],
    [
      'a bad email',
      { ...good, email: 'nonsense' },
      'INVALID_EMAIL',
      '"email" isn\'t a valid email address. Check it for typos.',
    ],
    [
      'a bad email behind another mistake',
      { name: 'x', email: 'nonsense' },
      'INVALID_EMAIL',
      '"email" isn\'t a valid email address. Check it for typos.',
    ],
    ['a bad subdomain', { ...good, subdomain: 'Ä' }, 'INVALID_SUBDOMAIN', 'A subdomain must have 3 to 30 characters'],
    [
      'a bad subdomain behind another mistake',
      { ...good, name: 'x', subdomain: 'Ä' },
      'INVALID_SUBDOMAIN',
      'A subdomain must have 3 to 30 characters',
    ],
    ['another type', { ...good, name: 5 }, 'VALIDATION_ERROR', '"name" must be a string.'],
    ['an unknown field', { ...good, admin: true }, 'VALIDATION_ERROR', '"admin" isn\'t a known field. Leave it out.'],
    [
      'a value that is not in the list',
      { ...good, kind: 'six' },
      'VALIDATION_ERROR',
      '"kind" must be one of one, two.',
    ],
    [
      'null for an optional field',
      { ...good, subdomain: null },
      'VALIDATION_ERROR',
      '"subdomain" can\'t be null. Leave it out if it\'s optional.',
    ],
    [
      'null for an optional field with a list of values',
      { ...good, kind: null },
      'VALIDATION_ERROR',
      '"kind" can\'t be null. Leave it out if it\'s optional.',
    ],
    ['no object at all', [], 'VALIDATION_ERROR', "The request body isn't an object"],
  ])('%s', (_, body, code, message) => {
    const found = problem('platform', body)
    expect(found.code).toBe(code)
    expect(found.message).toContain(message)
  })
})

describe('on /api/v1 the code is VALIDATION_ERROR, with a list of all errors', () => {
  it('each with the path in dot notation', () => {
    const { code, issues } = problem('proof', { email: 'x', name: 5, tags: ['a', 2], extra: 1 })
    expect(code).toBe('VALIDATION_ERROR')
    expect(issues?.map((issue) => issue.path).toSorted()).toEqual(['email', 'extra', 'name', 'tags.1'])
  })

  it('limited to twenty', () => {
    const { issues } = problem('proof', { ...good, tags: Array(1000).fill(0) })
    expect(issues).toHaveLength(20)
  })

  it('with long field names truncated', () => {
    const { issues, message } = problem('proof', { ...good, ['x'.repeat(100_000)]: 1 })
    expect(JSON.stringify(issues).length + message.length).toBeLessThan(1000)
  })
})

describe('bodies are not coerced, addresses are parsed from text', () => {
  const Page = Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) })
  it.each([['7'], [true], [null], [[7]], [7.5]])('refuses a body with %j in place of an integer', (limit) => {
    expect(bodyAjv.compile(Page)({ limit })).toBe(false)
  })
  it('reads a number from a query string and applies its default', () => {
    const read = (query: Record<string, unknown>) => (compileText(Page)(query) ? query.limit : null)
    expect([read({ limit: '7' }), read({}), read({ limit: '101' }), read({ limit: 'x' }), read({ limit: '' })]).toEqual(
      [7, 20, null, null, null],
    )
  })
})

describe('a time', () => {
  const parts = fc.record({
    year: fc.integer({ min: 0, max: 9999 }),
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.integer({ min: 0, max: 32 }),
    hour: fc.integer({ min: 0, max: 24 }),
    minute: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 59 }) },
      { weight: 1, arbitrary: fc.constant(60) },
    ),
    second: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 0, max: 59 }) },
      { weight: 1, arbitrary: fc.constant(60) },
    ),
  })
  const two = (value: number) => String(value).padStart(2, '0')
  const daysIn = (year: number, month: number) => {
    const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
    return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  }

  it('is accepted exactly when the date exists in the calendar', () => {
    let accepted = 0
    fc.assert(
      fc.property(parts, fc.constantFrom('', '.1', '.123', '.123456789'), (time, fraction) => {
        const { year, month, day, hour, minute, second } = time
        const exists = year > 0 && day > 0 && day <= daysIn(year, month) && hour < 24 && minute < 60 && second < 60
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${fraction}Z`
        expect(isDateTime(text)).toBe(exists)
        if (exists) {
          accepted++
          expect(new Date(text).toISOString().slice(0, 10)).toBe(text.slice(0, 10))
        }
      }),
      { numRuns: 5000 },
    )
    expect(accepted).toBeGreaterThan(1000)
  })

  it('has no hour 24', () => {
    expect(isDateTime('2026-11-15T24:00:00Z')).toBe(false)
  })

  it('may have an offset and lowercase letters', () => {
    for (const text of ['2026-11-15T09:30:00+09:00', '2026-11-15t09:30:00.5z', '9999-12-31T23:59:59.999Z'])
      expect(isDateTime(text)).toBe(true)
  })

  it.each([
    '',
    '2026',
    '2026-11-15',
    '2026-11-15 09:30:00Z',
    '2026-11-15T09:30Z',
    '2026-11-15T09:30:00',
    '2026-11-15T09:30:00.Z',
    '2026-11-15T09:30:00+9',
    '2026-11-15T09:30:00+25:00',
    '2026-11-15T09:30:00+09:60',
    '+02026-11-15T09:30:00Z',
    '2026-11-15T09:30:00Z ',
    '２026-11-15T09:30:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-12:00',
  ])('is not %j', (text) => expect(isDateTime(text)).toBe(false))
})
