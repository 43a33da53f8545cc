import { expect, it } from 'vitest'
import type { AddressState, CertificateState } from '../../../../lib/site-probe.ts'
import { type Findings, judgeWorking, nextLook, senderStateOf } from '../works.ts'

const start = Date.parse('2026-11-16T00:00:00Z')
const after = (minutes: number) => new Date(start + minutes * 60_000)
const site = (address: AddressState, certificate: CertificateState): Findings => ({
  site: { address: { state: address, found: [] }, certificate: { state: certificate, issuer: null, validUntil: null } },
})
const [good, none, lost, silent] = [
  site('right', 'valid'),
  site('right', 'none'),
  site('elsewhere', 'valid'),
  site('error', 'unchecked'),
]

const cases: [name: string, looks: [minutes: number, Findings][], changes: (string | null)[]][] = [
  ['it leads here with a certificate', [[0, good]], ['live']],
  ['it has no certificate yet', [[0, none]], [null]],
  [
    'the certificate comes later, and is told once',
    [
      [0, none],
      [10, good],
      [20, good],
    ],
    [null, 'live', null],
  ],
  [
    'one failure between two good looks',
    [
      [0, good],
      [60, lost],
      [70, good],
      [130, lost],
      [140, lost],
    ],
    ['live', null, null, null, null],
  ],
  [
    'an hour of failures, told once',
    [
      [0, good],
      [60, lost],
      [90, none],
      [120, lost],
      [150, lost],
    ],
    ['live', null, null, 'stopped', null],
  ],
  [
    'a day of silent name servers',
    [
      [0, good],
      [60, silent],
      [1500, silent],
    ],
    ['live', null, null],
  ],
  [
    'silence among failures ends nothing',
    [
      [0, good],
      [60, lost],
      [120, silent],
      [125, lost],
    ],
    ['live', null, null, 'stopped'],
  ],
]

it.each(cases)('%s', (_, looks, changes) => {
  let state = { proven_at: after(0), works_since: null as Date | null, failing_since: null as Date | null }
  const told = looks.map(([minutes, findings]) => {
    const { change, ...next } = judgeWorking(state, findings, after(minutes))
    state = { ...state, ...next }
    return change
  })
  expect(told).toEqual(changes)
})

it('a domain that is no longer proven has stopped at once', () => {
  const worked = { proven_at: null, works_since: after(0), failing_since: null }
  expect(judgeWorking(worked, good, after(1)).change).toBe('stopped')
  expect(judgeWorking({ ...worked, works_since: null }, good, after(1)).change).toBeNull()
})

it('looks every ten minutes for three days, and then every hour', () => {
  const usual = after(12 * 60)
  const waiting = { works_since: null, failing_since: null }
  expect(nextLook(waiting, after(0), usual, after(0))).toEqual(after(10))
  expect(nextLook(waiting, after(-73 * 60), usual, after(0))).toEqual(after(60))
  expect(nextLook({ works_since: after(0), failing_since: null }, after(0), usual, after(0))).toEqual(after(60))
  expect(nextLook({ works_since: after(0), failing_since: after(0) }, after(0), usual, after(0))).toEqual(after(10))
  expect(nextLook(waiting, after(0), after(5), after(0))).toEqual(after(5))
})

it.each<[value: string[], state: string]>([
  [['v=spf1 include:spf.mail.example ~all'], 'right'],
  [['google-site-verification=x', 'V=SPF1 MX +INCLUDE:SPF.Mail.Example -all'], 'right'],
  [['v=spf1 include:other.example -all'], 'notAllowed'],
  [['v=spf1 -include:spf.mail.example ?all'], 'notAllowed'],
  [['v=spf1 include:spf.mail.example.evil.example'], 'notAllowed'],
  [['v=spf10 include:spf.mail.example'], 'absent'],
  [[], 'absent'],
  [['v=spf1 include:spf.mail.example', 'v=spf1 -all'], 'several'],
])('the SPF records %j are %s', (values, state) => {
  expect(senderStateOf({ found: 'answer', values }, 'spf.mail.example')).toBe(state)
  expect(senderStateOf({ found: 'error' }, 'spf.mail.example')).toBe('error')
})
