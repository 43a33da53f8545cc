/**
 * Every refusal of the server that a person can meet names its cause, and every code and cause is told in both languages: what
 * happened, and what to do next.
 */
import { errorCodes } from '@countersign/contract/errors.ts'
import { schemaReasons } from '@countersign/server/http/validation.ts'
import en from '@countersign/words/en/errors.json' with { type: 'json' }
import ko from '@countersign/words/ko/errors.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { answersOf } from '../../../tools/api-messages.ts'
import { causes } from '../decision/causes.ts'
import { fieldNames } from '../ui/field-names.ts'

const root = new URL('../../../', import.meta.url).pathname
const answers = answersOf(root)

/** Codes that have many causes. The others say themselves what happened. */
const broad = ['CONFLICT', 'FORBIDDEN', 'INSUFFICIENT_ROLE', 'POLICY_VIOLATION', 'RATE_LIMITED', 'VALIDATION_ERROR']

/** Refusals that need no cause: which part of the server, and why. */
const exceptions: readonly (readonly [place: RegExp, code: RegExp, why: string])[] = [
  [/^http\/identify\.ts$/, /^INSUFFICIENT_ROLE$/, 'The role is the cause, which is what the code says.'],
  [/^http\/|^concurrency\//, /^RATE_LIMITED$/, 'The page waits and goes on by itself, which is what the code says.'],
  [
    /^(http\/identify|features\/identity\/auth\/browser-sessions)\.ts$/,
    /^FORBIDDEN$/,
    'Other sites get it, not our pages.',
  ],
  [/^app\.ts$/, /^VALIDATION_ERROR$/, 'No page has an address with a NUL character.'],
  [/^access\/tokens\.ts$/, /^CONFLICT$/, 'An operator gets it on the command line.'],
  [/^sealing\/batch\.ts$/, /^CONFLICT$/, 'An operator gets it on the command line.'],
  [/^features\/automation\/mcp\//, /./, 'Only programs call MCP.'],
  [/^features\/automation\/companion-events\//, /./, 'Only programs publish events.'],
  [
    /^features\/automation\/stream\//,
    /./,
    'No page shows that a stream of events was refused; it asks at intervals then.',
  ],
  [/^features\/centers\/calendar\//, /^RATE_LIMITED$/, 'Programs read calendars.'],
  [
    /^features\/evidence\/(agents|approval-requests|evidence|executions)\//,
    /./,
    'Only programs with an API key call them.',
  ],
]

/** Causes that only programs meet. */
const forPrograms: ReadonlySet<string> = new Set([
  ...['UNAUTHORIZED revoked', 'UNAUTHORIZED expired', 'FORBIDDEN boundKey', 'FORBIDDEN scope', 'FORBIDDEN memberOnly'],
  ...['FORBIDDEN otherKey', 'FORBIDDEN sandboxOnly', 'FORBIDDEN billingKey', 'FORBIDDEN otherCenter'],
  ...['CONFLICT replaces', 'CONFLICT noTestPeople', 'CONFLICT samePolicies', 'POLICY_VIOLATION ownKey'],
  ...['POLICY_VIOLATION otherAction', 'POLICY_VIOLATION refused', 'VALIDATION_ERROR failedTests'],
  ...['VALIDATION_ERROR sameGroups', 'VALIDATION_ERROR idempotencyKey', 'VALIDATION_ERROR oneProof'],
  ...['VALIDATION_ERROR oneWayIn', 'VALIDATION_ERROR roleOrRoles'],
])

/** A value that the source passes on: what it can be. */
const passedOn: Readonly<Record<string, readonly string[]>> = {
  ...{
    '{type}': ['blank', 'hidden', 'braces'],
    '{text}': ['blank', 'hidden', 'braces'],
    '{pointer}': ['blank', 'hidden'],
  },
  // Beside a field a cause can be absent.
  '{reason}': [],
}

const named = answers.flatMap(({ code, reasons }) =>
  reasons.flatMap((reason) => (passedOn[reason] ?? [reason]).map((each) => `${code} ${each}`)),
)
const ofSchemas = schemaReasons.map((reason) => `VALIDATION_ERROR ${reason}`)
const all = [...new Set([...named, ...ofSchemas])].filter((cause) => !forPrograms.has(cause)).toSorted()

it('every refusal with a code that has many causes names its cause or its field', () => {
  const silent = answers
    .filter(({ code, reasons, hasField }) => broad.includes(code) && reasons.length === 0 && !hasField)
    .map((each) => ({ ...each, place: each.file.replace('apps/server/', '') }))
  const excepted = (place: string, code: string) => exceptions.filter(([at, of]) => at.test(place) && of.test(code))
  expect(
    silent
      .filter(({ place, code }) => excepted(place, code).length === 0)
      .map(({ place, line, text }) => `${place}:${line} ${text}`),
  ).toEqual([])
  // An exception that nothing needs is gone from the list.
  expect(exceptions.filter((each) => !silent.some(({ place, code }) => excepted(place, code).includes(each)))).toEqual(
    [],
  )
})

it('what only programs meet is still said', () => {
  expect([...forPrograms].filter((cause) => !named.includes(cause))).toEqual([])
})

describe.each([
  ['en', en, causes.en],
  ['ko', ko, causes.ko],
])('in %s', (_, codes: Readonly<Record<string, string>>, told) => {
  const lacking = (names: readonly string[], words: Readonly<Record<string, string>>) =>
    names.filter((name) => !words[name] || !words[`${name}.next`])

  it('each error code has its sentences', () => {
    expect(lacking(Object.keys(errorCodes), codes)).toEqual([])
  })

  it('each cause that the server names has its sentences', () => {
    expect(all.length).toBeGreaterThan(200)
    expect(lacking(all, told)).toEqual([])
  })

  it('no sentence is about a cause that the server no longer names', () => {
    const causesTold = Object.keys(told).filter((key) => !key.endsWith('.next') && !key.startsWith('field '))
    // The state of a decision is compared in the data, and not in a literal.
    const ofStates = ['withdrawn', 'replaced', 'confirmed', 'objected'].map((state) => `CONFLICT ${state}`)
    const known = [...all, ...ofStates, 'CENTER_SUSPENDED center.partner', 'CENTER_SUSPENDED center.operator']
    expect(causesTold.filter((cause) => !known.includes(cause))).toEqual([])
  })
})

it('a field is found by its path, without positions, and by its last name', () => {
  expect(fieldNames('settings.hours[0].from')).toEqual([
    'settings.hours[0].from',
    'settings.hours.from',
    'hours.from',
    'from',
    'hours',
    'settings',
  ])
})
