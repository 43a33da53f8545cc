/** What the steps compute, without a database: each rule with the case that it is there for. */
import { describe, expect, it } from 'vitest'
import type { DecisionFound, SessionRow } from '../definition-queries.ts'
import { itemsOf, judgementOf, stockDecisionOf } from '../definitions/commerce.ts'
import { absencesOf, trendOf, weighAttendance } from '../definitions/education.ts'
import { change, loads, outcomes, rate } from '../definitions/figures.ts'
import { linesOf, reviewOf, workloadOf } from '../definitions/interior.ts'
import { balanceOf, followUpsOf, pairsOf } from '../definitions/mentoring.ts'
import { periodOf } from '../definitions/period.ts'
import { acceptanceOf, refillsOf, suppliesOf } from '../definitions/pharmacy.ts'
import { progressOf } from '../definitions/rehabilitation.ts'
import { unfoundedNumbers } from '../definitions/steps.ts'
import { caseCheckOf, rhythmOf } from '../definitions/welfare.ts'

const decision = (over: Partial<DecisionFound> = {}): DecisionFound => ({
  id: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
  status: 'recorded',
  action: 'stock.count',
  input: null,
  riskScore: null,
  occurredAt: new Date('2026-11-10T00:00:00Z'),
  ...over,
})
const session = (instructor: string, client: string, startsAt: string, minutes = 50): SessionRow => ({
  instructor,
  client,
  startsAt: new Date(startsAt),
  endsAt: new Date(Date.parse(startsAt) + minutes * 60_000),
})
const week = periodOf('Asia/Seoul', '2026-11-09', '2026-11-15')

describe('figures', () => {
  it('count what each had, most first, without their ids', () => {
    const rows = [
      session('t-00000000a', 'c-1', '2026-11-09T01:00:00Z'),
      session('t-00000000b', 'c-1', '2026-11-10T01:00:00Z', 30),
      session('t-00000000b', 'c-2', '2026-11-11T01:00:00Z', 30),
    ]
    expect(loads(rows, 'instructor')).toEqual([
      { who: '…0000000b', sessions: 2, minutes: 60 },
      { who: '…0000000a', sessions: 1, minutes: 50 },
    ])
  })

  it('compare with nothing where there is nothing', () => {
    expect([change(5, 4), change(3, 4), change(5, 0), rate(1, 3), rate(0, 0)]).toEqual([25, -25, null, 33, null])
  })

  it('tell what was decided from what waits', () => {
    const statuses = ['sealed', 'sealed', 'rejected', 'recorded', 'approved']
    const found = statuses.map((status, index) => decision({ status, riskScore: index === 0 ? 0.5 : null }))
    expect(outcomes(found)).toEqual({ total: 5, approved: 2, rejected: 1, open: 2, meanRisk: 0.5 })
  })
})

describe('numbers that a model was not given', () => {
  it.each([
    ['12 sessions, 25% more than 9.6', { sessions: 12, changePercent: 25, usual: 9.6 }, []],
    ['1,250 won and 13 sessions', { amount: 1250, sessions: 12 }, ['13']],
    ['client …a1b2c3d4 came twice', { client: '…a1b2c3d4' }, []],
    ['on 2026-11-09, 7 of 8', { day: '2026-11-09', of: 8 }, ['7']],
  ])('%s', (text, facts, unfounded) => {
    expect(unfoundedNumbers(text, facts)).toEqual(unfounded)
  })
})

it('rehabilitation: a pause and a slower pace are found, one session less is not', () => {
  const clients = [
    { who: 'paused', week: 0, usual: 1 },
    { who: 'rare', week: 0, usual: 0.3 },
    { who: 'slowed', week: 1, usual: 3 },
    { who: 'steady', week: 2, usual: 2.5 },
    { who: 'new', week: 1, usual: 0 },
  ]
  const progress = progressOf({ clients, therapists: [{ who: 't', sessions: 4, minutes: 200 }], usual: 6.8 })
  expect(progress).toMatchObject({ sessions: 4, changePercent: -41, clients: 3, kept: 1, started: 1 })
  expect(progress.paused.map(({ who }) => who)).toEqual(['paused'])
  expect(progress.slowed.map(({ who }) => who)).toEqual(['slowed'])
})

describe('welfare', () => {
  it('a case is overdue from the day that was set, and risky ones do not wait for it', () => {
    const open = [
      { id: 'a', action: 'x', days: 14, risk: null },
      { id: 'b', action: 'x', days: 30, risk: 0.9 },
      { id: 'c', action: 'x', days: 2, risk: 0.7 },
      { id: 'd', action: 'x', days: 13, risk: 0.69 },
    ]
    const check = caseCheckOf(open, 14)
    expect(check.overdue.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(check.risky.map(({ id }) => id)).toEqual(['c'])
    expect(check).toMatchObject({ oldestDays: 30, medianDays: 14 })
  })

  it('the rhythm of visits: this quarter, the one before, the last gap and the longest', () => {
    const period = periodOf('Asia/Seoul', '2026-05-21', '2026-11-16')
    const visit = { resident: '…1', day: '2026-11-17' }
    const days = ['2026-06-01', '2026-06-29', '2026-09-01', '2026-11-03']
    expect(rhythmOf({ period, visit, days, workers: 2 })).toEqual({
      ...visit,
      visitsBefore: 2,
      visitsInQuarterBefore: 2,
      changePercent: 0,
      daysSinceLast: 14,
      longestGapDays: 64,
      workers: 2,
    })
    expect(rhythmOf({ period, visit, days: [], workers: 0 })).toMatchObject({
      daysSinceLast: null,
      longestGapDays: null,
    })
    expect(rhythmOf({ period, visit: null, days: [], workers: 0 })).toBeNull()
  })
})

describe('education', () => {
  it('what nobody recorded is not taken for an absence', () => {
    const counts = { lessons: 20, present: 12, absent: 4, rate: rate(12, 16) }
    const then = { lessons: 18, present: 9, absent: 1, rate: 90 }
    const absences = absencesOf([
      decision({ input: { learner: 'L-1' } }),
      decision({ input: { learner: 'L-2' } }),
      decision({ input: { learner: 'L-1' } }),
      decision({ input: { learner: 7 } }),
      decision(),
    ])
    expect(weighAttendance({ week: counts, before: then, absences }, 80, 2)).toEqual({
      unrecorded: 4,
      changePoints: -15,
      isLow: true,
      often: [{ learner: 'L-1', absences: 2 }],
    })
    const unknown = { ...counts, present: 0, absent: 0, rate: null }
    expect(weighAttendance({ week: unknown, before: then, absences: [] }, 80, 2)).toMatchObject({
      changePoints: null,
      isLow: false,
      unrecorded: 20,
    })
  })

  it('the trend of a term, and of one without lessons', () => {
    const months = [
      { month: '2026-09', lessons: 10, learners: 4 },
      { month: '2026-10', lessons: 14, learners: 5 },
    ]
    const term = { months, lessons: 24, hours: 20, learners: 5, teachers: 2, lessonsBefore: 20, present: 9, absent: 1 }
    expect(trendOf(term)).toEqual({
      changePercent: 20,
      attendancePercent: 90,
      lessonsPerLearner: 4.8,
      busiestMonth: '2026-10',
      quietestMonth: '2026-09',
    })
    const none = { ...term, months: [], lessons: 0, learners: 0, lessonsBefore: 0, present: 0, absent: 0 }
    expect(Object.values(trendOf(none))).toEqual([null, null, null, null, null])
  })
})

describe('pharmacy', () => {
  const dispensed = (reference: unknown, daysSupply: unknown, day: string) =>
    decision({ input: { reference, daysSupply }, occurredAt: new Date(`${day}T03:00:00Z`) })

  it('the last dispensing of each reference counts, and says when it runs out', () => {
    const records = [
      dispensed('R-1', 30, '2026-11-01'),
      dispensed('R-2', 7, '2026-11-10'),
      dispensed('R-1', 60, '2026-09-01'),
      dispensed('R-3', 10, '2026-10-30'),
      dispensed('R-4', 10, '2026-07-30'),
      dispensed('R-5', 'many', '2026-11-01'),
      dispensed(undefined, 7, '2026-11-01'),
    ]
    const supplies = suppliesOf(records, '2026-11-15', (instant) => instant.toISOString().slice(0, 10))
    expect(supplies).toMatchObject({ records: 7, unreadable: 2, lapsed: 1, later: 0 })
    const refills = refillsOf(supplies, '2026-11-15', 5)
    expect(refills.overdue).toEqual([
      { reference: 'R-3', dispensedOn: '2026-10-30', runsOutOn: '2026-11-09', daysLeft: -6 },
    ])
    expect(refills.due).toMatchObject([{ reference: 'R-2', runsOutOn: '2026-11-17', daysLeft: 2 }])
    expect(refills.supplied).toBe(1)
  })

  it('a kind that is rejected every second time is doubtful, one single rejection is not', () => {
    const now = { total: 9, approved: 3, rejected: 3, open: 3, meanRisk: null }
    const kinds = [
      { action: 'dose.adjust', count: 4, rejected: 2 },
      { action: 'switch', count: 1, rejected: 1 },
      { action: 'call', count: 5, rejected: 2 },
    ]
    expect(acceptanceOf({ now, before: { ...now, total: 6, approved: 4, rejected: 0 }, kinds })).toEqual({
      acceptedPercent: 50,
      acceptedPercentBefore: 100,
      changePercent: 50,
      doubtful: [kinds[0]],
    })
  })
})

describe('commerce', () => {
  const at = new Date('2026-11-15T00:00:00Z')
  const counted = (sku: string, onHand: number, dailySales: number, leadDays: number, day = '2026-11-14') =>
    decision({ input: { sku, onHand, dailySales, leadDays }, occurredAt: new Date(`${day}T00:00:00Z`) })

  it('orders what would not last until the delivery, from the last count, and not on old ones', () => {
    const stock = itemsOf(
      [
        counted('A', 10, 2, 5),
        counted('A', 900, 2, 5, '2026-11-10'),
        counted('B', 17, 2, 5),
        counted('C', 0, 0, 5),
        counted('D', 1, 2, 5, '2026-11-01'),
        decision({ input: { sku: 'E', onHand: -1, dailySales: 1, leadDays: 1 } }),
      ],
      at,
    )
    expect(stock).toMatchObject({ records: 6, unreadable: 1, plentiful: 0 })
    expect(stockDecisionOf(stock, 3, 14, 7)).toEqual({
      // Two a day for five days, three to be safe and fourteen to cover are 44; ten are there.
      orders: [{ sku: 'A', onHand: 10, daysLeft: 5, quantity: 34 }],
      stale: [{ sku: 'D', ageDays: 14 }],
      enough: 2,
    })
  })

  it('a payment that timed out may be tried again, a declined card needs the customer', () => {
    const none = outcomes([])
    const about = (reason: string) =>
      judgementOf({ failure: { reason, amount: 1, currency: 'KRW' }, now: none, before: none }).isPassing
    expect([about('gateway_timeout'), about('card_declined')]).toEqual([true, false])
    expect(judgementOf({ failure: null, now: none, before: none })).toEqual({ isPassing: null, changePercent: null })
  })
})

describe('mentoring', () => {
  it('each pair that met counts once, and first meetings without a next come first', () => {
    const past = [
      session('m1', 'c1', '2026-10-01T10:00:00Z'),
      session('m1', 'c1', '2026-11-10T10:00:00Z'),
      session('m1', 'c1', '2026-11-10T12:00:00Z'),
      session('m1', 'c2', '2026-11-11T10:00:00Z'),
      session('m2', 'c3', '2026-11-11T10:00:00Z'),
      session('m2', 'c4', '2026-10-01T10:00:00Z'),
    ]
    const followUps = followUpsOf(pairsOf(past, [session('m2', 'c3', '2026-11-20T10:00:00Z')], week))
    expect(followUps).toMatchObject({ sessions: 3, withNext: 1, first: 2 })
    expect(followUps.loose.map(({ mentee, sessions }) => [mentee, sessions])).toEqual([
      ['…c2', 1],
      ['…c1', 3],
    ])
  })

  it('of two mentors none is far from the mean; of more, half as much again is', () => {
    const load = (who: string, sessions: number) => ({ who, sessions, minutes: sessions * 60 })
    expect(balanceOf([load('a', 9), load('b', 1)])).toMatchObject({ mean: 5, heavy: [], light: [], topShare: 90 })
    const balance = balanceOf([load('a', 10), load('b', 4), load('c', 1)])
    expect([balance.heavy.map(({ who }) => who), balance.light.map(({ who }) => who)]).toEqual([['a'], ['c']])
    expect(balanceOf([])).toEqual({ sessions: 0, mean: 0, heavy: [], light: [], topShare: null })
  })
})

describe('interior', () => {
  it('an estimate is held against prices and budget, and lines without a price are counted', () => {
    const estimate = linesOf([
      { item: 'floor', quantity: 42, unitPrice: 90, referencePrice: 75 },
      { item: 'paint', quantity: 10, unitPrice: 11, referencePrice: 10 },
      { item: 'lamp', quantity: 1, unitPrice: 40, referencePrice: 80 },
      { item: 'design', quantity: 0.1, unitPrice: 3 },
    ])
    expect(estimate.total).toBe(3930.3)
    expect(reviewOf(estimate, 3900, 15)).toEqual({
      total: 3930.3,
      budget: 3900,
      overBudget: 30.3,
      dear: [{ item: 'floor', overPercent: 20, excess: 630 }],
      cheap: [{ item: 'lamp', overPercent: -50 }],
      unreferenced: 1,
    })
    expect(reviewOf(estimate, 0, 15).overBudget).toBe(0)
  })

  it('the workload of a week', () => {
    const designers = [{ who: 'd', sessions: 6, minutes: 540 }]
    expect(workloadOf({ designers, consultationsBefore: 4, openAges: [2, 10, 31], unreviewed: 1 }, 10)).toEqual({
      consultations: 6,
      consultationsBefore: 4,
      changePercent: 50,
      designers: 1,
      openEstimates: 3,
      lateEstimates: 2,
      oldestDays: 31,
      unreviewed: 1,
    })
  })
})
