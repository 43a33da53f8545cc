/** Hostile bodies: values of the wrong type, missing and additional fields, and text that is not JSON. */
import fc from 'fast-check'

const longs = [255, 256, 1025, 10_001, 50_001].map((length) => 'x'.repeat(length))

const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfffx',
  '\u202Eabc',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(50),
  'İ',
  'ﬀ',
  'ＡＤＭＩＮ@haneul.example',
  "'; drop table directory.actors; --",
  "' or '1'='1",
  '%00',
  '%',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '\r\nSet-Cookie: a=b',
  'null',
  'undefined',
  'NaN',
  '1e400',
  '0x10',
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-12:00',
  '+275760-09-13T00:00:00.001Z',
  'evt_00000000000000000000000000',
  ...longs,
]

/** Own keys with the names of inherited properties: only JSON text can create the first. */
const hostileObjects = [
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"toString":1,"valueOf":1,"hasOwnProperty":1}',
  '{"then":"x"}',
  '{"toJSON":"x"}',
  '{"length":1000000000}',
  '{"":{"":{"":""}}}',
  '{"$ref":"#"}',
].map((json) => JSON.parse(json) as unknown)

const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 1.5, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21),
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(
    [],
    {},
    [[]],
    [null],
    ['a', 1, {}],
    Array(1000).fill('x'),
    Array(51).fill('t'),
    nested(10),
    nested(40),
    ...hostileObjects,
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
)

type Container = Record<string, unknown> | unknown[]

/** Every position in a value, as its container and key. */
function placesIn(value: unknown, found: [Container, string][] = []): [Container, string][] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push([value as Container, key])
    placesIn((value as Record<string, unknown>)[key], found)
  }
  return found
}

const define = (container: object, key: string, value: unknown): void => {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A valid value with one to three mutations. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const kind = fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'wrap', 'whole')
  const oddKey = fc.constantFrom(
    '__proto__',
    'constructor',
    '',
    'id',
    'centerId',
    'admin',
    'x'.repeat(300),
    'ключ',
    'a.b',
    '$where',
  )
  const change = fc.record({ kind, at: fc.nat(), value: hostileValue, key: oddKey })
  return fc.tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 })).map(([original, changes]) => {
    const root = { body: structuredClone(original) }
    for (const { kind, at, value: shared, key } of changes) {
      const value = structuredClone(shared)
      const places = placesIn(root)
      const [container, name] = places[kind === 'whole' ? 0 : at % places.length] as [Container, string]
      const current = (container as Record<string, unknown>)[name]
      if (kind === 'remove' && container !== root) delete (container as Record<string, unknown>)[name]
      else if (kind === 'add' && typeof current === 'object' && current !== null) define(current, key, value)
      else define(container, name, kind === 'wrap' ? [current] : value)
    }
    return root.body
  })
}

/** Bytes that are not JSON, or JSON that the parser must refuse. */
export function rawBody(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array> {
  const json = valid.map((value) => JSON.stringify(value))
  return fc.oneof(
    fc.tuple(json, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    json.map((text) => text.replace(/^\{/, '{"type":1,"type":2,')),
    json.map((text) => `\uFEFF${text}`),
    json.map((text) => text.replaceAll('"', "'")),
    json.map((text) => `${text}${text}`),
    json.map((text) => text.replace(/^\{/, '{"n":12345678901234567890,')),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom(
      '',
      ' ',
      'null',
      '[]',
      '""',
      '0',
      'true',
      '{',
      '[',
      '"',
      '{}}',
      '//',
      '['.repeat(100_000),
      '{"a":'.repeat(50_000),
      `1${'0'.repeat(100_000)}1`,
      `"${'\\u0000'.repeat(1000)}"`,
      '{"__proto__":{"a":1}}',
    ),
    // Rare, because each is a megabyte.
    fc.constantFrom<string>('{}', '{}', '{}', '{}', '{}', '{}', '{}', `{"a":"${'x'.repeat(1024 * 1024)}"}`),
  )
}
