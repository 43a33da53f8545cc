/** Three other values for a stored one, as PostgreSQL text; null is SQL NULL. */

type Text = string | null

const json = (value: unknown): string => JSON.stringify(value)

/** Replaces the first string, number or boolean inside. */
function altered(value: unknown): unknown {
  if (typeof value === 'string') return `${value}x`
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return value.length === 0 ? ['x'] : [altered(value[0]), ...value.slice(1)]
  if (value === null) return 'x'
  const [first, ...rest] = Object.entries(value as object)
  return first ? Object.fromEntries([[first[0], altered(first[1])], ...rest]) : { x: 1 }
}

function otherJson(stored: Text): Text[] {
  if (stored === null) return [json({ added: 1 }), json(['x']), json('x')]
  const value = JSON.parse(stored) as unknown
  if (Array.isArray(value)) return [json([...value, { id: 'x' }]), json(altered(value)), json(value.slice(1)), null]
  const members = Object.entries(value as object)
  return [
    json({ ...(value as object), added: 1 }),
    json(altered(value)),
    json(Object.fromEntries(members.slice(1))),
    json(Object.fromEntries(members.slice(0, -1))),
    null,
  ]
}

const others: Readonly<Record<string, (stored: Text) => Text[]>> = {
  text: (stored) => [stored === null ? 'x' : `${stored}x`, '', stored?.toUpperCase() ?? ' ', stored?.slice(1) ?? '  '],
  json: otherJson,
  jsonb: otherJson,
  'text[]': (stored) => [stored === null ? '{x}' : '{x,y}', '{}', null, '{z}'],
  'uuid[]': () => [0, 1, 2].map((last) => `{00000000-0000-4000-8000-00000000000${last}}`).concat('{}'),
  uuid: (stored) => [
    stored === null
      ? '00000000-0000-4000-8000-000000000000'
      : `${stored.slice(0, -1)}${stored.endsWith('0') ? '1' : '0'}`,
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ],
  integer: (stored) => [String(Number(stored) + 1000), String(Number(stored) + 2_000_000), String(-1 - Number(stored))],
  bigint: (stored) => [String(Number(stored) + 1000), String(Number(stored) + 2_000_000), String(-1 - Number(stored))],
  'timestamp(3) with time zone': (stored) => [
    stored === null ? '2026-01-01T00:00:00Z' : new Date(Date.parse(stored) + 1).toISOString(),
    '2020-02-02T02:02:02.002Z',
    'infinity',
  ],
  'double precision': (stored) => [stored === null ? '0' : String(Number(stored) + 0.125), 'NaN', '1', null],
  bytea: (stored) => [
    stored?.endsWith('0') ? `${stored.slice(0, -1)}1` : `${stored?.slice(0, -1)}0`,
    '\\x',
    null,
    '\\x00',
  ],
  boolean: (stored) => [stored === 'true' ? 'false' : 'true', null],
}

/** Never the stored value; a boolean has only two others. */
export function otherValues(type: string, stored: Text): readonly Text[] {
  const candidates = others[type]
  if (!candidates) throw new Error(`no mutations for the type ${type}`)
  return [...new Set(candidates(stored))].filter((value) => value !== stored).slice(0, 3)
}
