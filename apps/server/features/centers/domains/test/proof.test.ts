import { expect, it } from 'vitest'
import { asciiDomain, domainOfAddress } from '../domain-name.ts'
import { type Finding, findingOf, judge, type ProofState, recordValue } from '../proof.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-16T00:00:00Z')
const fresh: ProofState = { proven_at: null, checked_at: null, absences: 0, absent_since: null, next_check_at: null }

const cases: [name: string, checks: [hours: number, Finding][], proven: boolean][] = [
  ['the first check finds the record', [[0, 'present']], true],
  ['the record is not there yet', [[0, 'absent']], false],
  ['the first check fails', [[0, 'error']], false],
  [
    'two absences over 24 hours',
    [
      [0, 'present'],
      [12, 'absent'],
      [40, 'absent'],
    ],
    true,
  ],
  [
    'three absences within 24 hours',
    [
      [0, 'present'],
      [12, 'absent'],
      [13, 'absent'],
      [35, 'absent'],
    ],
    true,
  ],
  [
    'three absences over 24 hours',
    [
      [0, 'present'],
      [12, 'absent'],
      [24, 'absent'],
      [36, 'absent'],
    ],
    false,
  ],
  [
    'errors are no absences',
    [
      [0, 'present'],
      [12, 'error'],
      [24, 'error'],
      [36, 'error'],
      [99, 'error'],
    ],
    true,
  ],
  [
    'errors between absences do not count',
    [
      [0, 'present'],
      [12, 'absent'],
      [24, 'error'],
      [36, 'absent'],
    ],
    true,
  ],
  [
    'a record that came back begins anew',
    [
      [0, 'present'],
      [12, 'absent'],
      [24, 'absent'],
      [30, 'present'],
      [42, 'absent'],
      [54, 'absent'],
    ],
    true,
  ],
  [
    'proven again after a lapse',
    [
      [0, 'present'],
      [1, 'absent'],
      [2, 'absent'],
      [25, 'absent'],
      [26, 'present'],
    ],
    true,
  ],
]

it.each(cases)('%s', (_, checks, proven) => {
  const state = checks.reduce((at, [hours, finding]) => judge(at, finding, new Date(start + hours * hour)), fresh)
  expect(state.proven_at !== null).toBe(proven)
  // A domain that counts is checked again, any other is not.
  expect(state.next_check_at !== null).toBe(proven)
})

it('a domain that was proven again counts from then on', () => {
  const findings: Finding[] = ['present', 'absent', 'absent', 'absent', 'present']
  const state = findings.reduce((at, finding, index) => judge(at, finding, new Date(start + index * 13 * hour)), fresh)
  expect(state.proven_at).toEqual(new Date(start + 52 * hour))
})

it.each([
  [{ found: 'error' } as const, 'error'],
  [{ found: 'answer', values: [] } as const, 'absent'],
  [{ found: 'answer', values: [recordValue('another')] } as const, 'absent'],
  [{ found: 'answer', values: [`${recordValue('token')}x`] } as const, 'absent'],
  [{ found: 'answer', values: ['v=spf1', recordValue('token')] } as const, 'present'],
])('%j is %s', (lookup, finding) => {
  expect(findingOf(lookup, 'token')).toBe(finding)
})

it.each([
  ['Haneul.Example', 'haneul.example'],
  ['하늘.example', 'xn--wh1bz27d.example'],
  ['example', null],
  ['haneul.example.', null],
  ['-a.example', null],
  ['a_b.example', null],
  ['127.0.0.1', null],
  ['[::1]', null],
  ['a..example', null],
  ['a b.example', null],
  ['https://haneul.example', null],
  [`${'a'.repeat(64)}.example`, null],
])('the DNS name of %j is %s', (text, domain) => {
  expect(asciiDomain(text)).toBe(domain)
  expect(domainOfAddress(`person@${text}`)).toBe(domain)
})
