/** What the workflows count and how they apply their thresholds, without a database. */
import { describe, expect, it } from 'vitest'
import { paymentFailureReview, stockDecision } from '../commerce.ts'
import { countedRows } from '../counted-rows.ts'
import { attendanceDigest, termReport } from '../education.ts'
import { change, loads, outcomes, rate } from '../figures.ts'
import { estimateReview, projectDigest } from '../interior.ts'
import { mentorBalance, sessionFollowUp } from '../mentoring.ts'
import { unfoundedNumbers } from '../model-step.ts'
import { before, periodOf } from '../period.ts'
import { interventionReport, refillReview } from '../pharmacy.ts'
import type { AttendanceFound, BookedSessionRow, DecisionFound } from '../queries.ts'
import type { Counting } from '../reads.ts'
import { weeklyProgress } from '../rehabilitation.ts'
import { caseCheck, visitBrief } from '../welfare.ts'

const decision = (over: Partial<DecisionFound> = {}): DecisionFound => ({
  id: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
  status: 'recorded',
  action: 'stock.count',
  input: null,
  riskScore: null,
  occurredAt: new Date('2026-11-10T00:00:00Z'),
  ...over,
})
const session = (instructor: string, client: string, startsAt: string, minutes = 50): BookedSessionRow => ({
  instructor,
  client,
  startsAt: new Date(startsAt),
  endsAt: new Date(Date.parse(startsAt) + minutes * 60_000),
  missed: false,
  recorded: false,
})
const attendance = (client: string | null, over: Partial<AttendanceFound> = {}): AttendanceFound => ({
  ...{ client, isReference: false, booked: true, missed: true, at: new Date('2026-11-10T00:00:00Z') },
  instructor: null,
  ...over,
})

/** Days are those of UTC. */
function counting<P>(parameters: P, over: Partial<Counting<P>> = {}): Counting<P> {
  const period = over.period ?? periodOf('UTC', '2026-11-09', '2026-11-15')
  return {
    parameters,
    period,
    before: before('UTC', period),
    at: new Date('2026-11-16T00:00:00Z'),
    today: '2026-11-16',
    localDay: (instant) => instant.toISOString().slice(0, 10),
    event: null,
    booking: null,
    ...over,
  }
}

describe('counted rows', () => {
  const period = periodOf('UTC', '2026-11-09', '2026-11-15')
  const marked = { ...session('t-00000001', 'c-00000001', '2026-11-10T01:00:00Z'), recorded: true }

  it('are the appointments of the period with what became of them, and who came without one, newest first', () => {
    const sessions = [
      session('t-00000001', 'c-00000003', '2026-11-08T23:59:00Z'),
      marked,
      { ...session('t-00000002', 'c-00000002', '2026-11-11T01:00:00Z'), recorded: true, missed: true },
      session('t-00000001', 'c-00000001', '2026-11-12T01:00:00Z'),
    ]
    const came = { booked: false, missed: false, at: new Date('2026-11-13T01:00:00Z'), isReference: true }
    const rows = [attendance('c-00000002'), attendance('L-7', came)]
    expect(countedRows(sessions, rows, period)).toEqual({
      total: 4,
      rows: [
        { at: '2026-11-13T01:00:00.000Z', who: 'L-7', by: null, state: 'attended' },
        { at: '2026-11-12T01:00:00.000Z', who: '…00000001', by: '…00000001', state: 'unrecorded' },
        { at: '2026-11-11T01:00:00.000Z', who: '…00000002', by: '…00000002', state: 'missed' },
        { at: '2026-11-10T01:00:00.000Z', who: '…00000001', by: '…00000001', state: 'attended' },
      ],
    })
  })

  it('have attendance by itself where no appointments are read, and are none without a row', () => {
    expect(countedRows([], [attendance('c-00000002')], period)?.rows).toMatchObject([{ state: 'missed' }])
    expect(countedRows([], [], period)).toBeNull()
  })

  it('are the newest 500, and say how many there were', () => {
    const counted = countedRows(
      Array.from({ length: 501 }, () => marked),
      [],
      period,
    )
    expect([counted?.rows.length, counted?.total]).toEqual([500, 501])
  })
})

describe('figures', () => {
  it('count sessions and minutes of each person, most sessions first, without ids', () => {
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

  it('are null where there is nothing to compare with', () => {
    expect([change(5, 4), change(3, 4), change(5, 0), rate(1, 3), rate(0, 0)]).toEqual([25, -25, null, 33, null])
  })

  it('count decided and open decisions', () => {
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

it('rehabilitation: a pause and a slower pace are findings, a difference of less than one session is not', () => {
  const clients = [
    { who: 'paused', week: 0, usual: 1, missed: 1 },
    { who: 'rare', week: 0, usual: 0.3, missed: 0 },
    { who: 'slowed', week: 1, usual: 3, missed: 2 },
    { who: 'steady', week: 2, usual: 2.5, missed: 0 },
    { who: 'new', week: 1, usual: 0, missed: 0 },
  ]
  const therapists = [{ who: 't', sessions: 4, minutes: 200 }]
  const progress = weeklyProgress.weigh({ clients, therapists, usual: 6.8 }, {})
  expect(progress).toMatchObject({ sessions: 4, changePercent: -41, clients: 3, kept: 1, started: 1 })
  expect(progress.paused.map(({ who }) => who)).toEqual(['paused'])
  expect(progress.slowed.map(({ who }) => who)).toEqual(['slowed'])
  expect([progress.missed, progress.absent.map(({ who }) => who)]).toEqual([3, ['slowed', 'paused']])
})

it('rehabilitation: a missed appointment is an absence and no session, a verified attendance without one is a session', () => {
  const sessions = [
    session('t-00000001', 'c-00000001', '2026-10-20T01:00:00Z'),
    session('t-00000001', 'c-00000001', '2026-11-10T01:00:00Z'),
    { ...session('t-00000001', 'c-00000002', '2026-11-11T01:00:00Z'), missed: true },
  ]
  const verified = { booked: false, missed: false }
  const seen = [
    attendance('c-00000002'),
    attendance('L-7', { ...verified, isReference: true }),
    attendance(null, { ...verified, isReference: true }),
  ]
  expect(weeklyProgress.count({ sessions, attendance: seen }, counting({}))).toEqual({
    clients: [
      { who: '…00000001', week: 1, usual: 0.3, missed: 0 },
      { who: 'L-7', week: 1, usual: 0, missed: 0 },
      { who: '…00000002', week: 0, usual: 0, missed: 1 },
    ],
    therapists: [{ who: '…00000001', sessions: 1, minutes: 50 }],
    usual: 0.3,
  })
})

describe('welfare', () => {
  it('a case is overdue from the day that was set, and a risky one is listed before', () => {
    const cases = [
      { id: 'a', action: 'x', days: 14, risk: null },
      { id: 'b', action: 'x', days: 30, risk: 0.9 },
      { id: 'c', action: 'x', days: 2, risk: 0.7 },
      { id: 'd', action: 'x', days: 13, risk: 0.69 },
    ]
    const counted = { cases, open: 4, decided: 0, newCases: 0, newCasesBefore: 0, unreviewed: 0 }
    const check = caseCheck.weigh(counted, { tag: 'case', overdueDays: 14 })
    expect(check.overdue.map(({ id }) => id)).toEqual(['b', 'a'])
    expect(check.risky.map(({ id }) => id)).toEqual(['c'])
    expect(check).toMatchObject({ oldestDays: 30, medianDays: 14 })
  })

  it('the visits of this quarter and of the one before, the last gap and the longest', () => {
    const period = periodOf('UTC', '2026-05-21', '2026-11-16')
    const booking = { id: 'b', ...session('w', '00000001', '2026-11-17T10:00:00Z') }
    const rhythmOf = (days: readonly string[], of: typeof booking | null = booking) => {
      const visits = days.map((day, index) => session(`w-${index % 2}`, '00000001', `${day}T10:00:00Z`))
      return visitBrief.weigh(visitBrief.count({ visits }, counting({}, { period, booking: of })), {})
    }
    expect(rhythmOf(['2026-06-01', '2026-06-29', '2026-09-01', '2026-11-03'])).toEqual({
      resident: '…00000001',
      day: '2026-11-17',
      visitsBefore: 2,
      visitsInQuarterBefore: 2,
      changePercent: 0,
      daysSinceLast: 14,
      longestGapDays: 64,
      workers: 2,
    })
    expect(rhythmOf([])).toMatchObject({ daysSinceLast: null, longestGapDays: null })
    expect(rhythmOf([], null)).toEqual({})
  })
})

describe('education', () => {
  it('a lesson without a record is not counted as an absence', () => {
    const parameters = { presentTag: 'p', absentTag: 'a', minimumPercent: 80, absences: 2 }
    const absent = [
      decision({ input: { learner: 'L-1' } }),
      decision({ input: { learner: 'L-2' } }),
      decision({ input: { learner: 'L-1' } }),
      decision({ input: { learner: 7 } }),
      decision(),
    ]
    const rows = { lessons: [], present: [], absent, presentBefore: [], absentBefore: [], attendanceBefore: [] }
    const { absentees } = attendanceDigest.count({ ...rows, attendance: [] }, counting(parameters))
    const marked = [attendance('c-00000001'), attendance('c-00000001'), attendance('c-00000002', { missed: false })]
    expect(attendanceDigest.count({ ...rows, attendance: marked }, counting(parameters))).toMatchObject({
      present: 1,
      absent: 7,
      absentees: [
        { learner: 'L-1', absences: 2 },
        { learner: '…00000001', absences: 2 },
        { learner: 'L-2', absences: 1 },
      ],
    })
    const counts = { lessons: 20, present: 12, absent: 4, rate: rate(12, 16), rateBefore: 90, absentees }
    expect(attendanceDigest.weigh(counts, parameters)).toEqual({
      unrecorded: 4,
      changePoints: -15,
      isLow: true,
      often: [{ learner: 'L-1', absences: 2 }],
    })
    const unknown = { ...counts, present: 0, absent: 0, rate: null, absentees: [] }
    expect(attendanceDigest.weigh(unknown, parameters)).toMatchObject({
      changePoints: null,
      isLow: false,
      unrecorded: 20,
    })
  })

  it('the trend of a term, and of a term without lessons', () => {
    const parameters = { from: '2026-09-01', to: '2026-10-31', presentTag: 'p', absentTag: 'a' }
    const months = [
      { month: '2026-09', lessons: 10, learners: 4 },
      { month: '2026-10', lessons: 14, learners: 5 },
    ]
    const counts = { lessons: 24, hours: 20, learners: 5, teachers: 2, lessonsBefore: 20, present: 9, absent: 1 }
    expect(termReport.weigh({ months, ...counts }, parameters)).toEqual({
      ...counts,
      changePercent: 20,
      attendancePercent: 90,
      lessonsPerLearner: 4.8,
      busiestMonth: '2026-10',
      quietestMonth: '2026-09',
    })
    const none = { ...counts, lessons: 0, learners: 0, lessonsBefore: 0, present: 0, absent: 0 }
    expect(termReport.weigh({ months: [], ...none }, parameters)).toEqual({
      ...none,
      changePercent: null,
      attendancePercent: null,
      lessonsPerLearner: null,
      busiestMonth: null,
      quietestMonth: null,
    })
  })
})

describe('pharmacy', () => {
  const dispensed = (reference: unknown, daysSupply: unknown, day: string) =>
    decision({ input: { reference, daysSupply }, occurredAt: new Date(`${day}T03:00:00Z`) })

  it('the last dispensing of each reference decides when the supply runs out', () => {
    const parameters = { tag: 'dispensed', daysAhead: 5 }
    const dispensings = [
      dispensed('R-1', 30, '2026-11-01'),
      dispensed('R-2', 7, '2026-11-10'),
      dispensed('R-1', 60, '2026-09-01'),
      dispensed('R-3', 10, '2026-10-30'),
      dispensed('R-4', 10, '2026-07-30'),
      dispensed('R-5', 'many', '2026-11-01'),
      dispensed(undefined, 7, '2026-11-01'),
    ]
    const supplies = refillReview.count({ dispensings }, counting(parameters, { today: '2026-11-15' }))
    expect(supplies).toMatchObject({ records: 7, unreadable: 2, lapsed: 1, later: 0 })
    const refills = refillReview.weigh(supplies, parameters)
    expect(refills.overdue).toEqual([{ reference: 'R-3', runsOutOn: '2026-11-09', daysLeft: -6 }])
    expect(refills.due).toMatchObject([{ reference: 'R-2', runsOutOn: '2026-11-17', daysLeft: 2 }])
    expect(refills.supplied).toBe(1)
  })

  it('a kind of which half was rejected is doubtful, a single rejection is not', () => {
    const now = { total: 9, approved: 3, rejected: 3, open: 3, meanRisk: null }
    const kinds = [
      { action: 'dose.adjust', count: 4, rejected: 2 },
      { action: 'switch', count: 1, rejected: 1 },
      { action: 'call', count: 5, rejected: 2 },
    ]
    const counted = { now, before: { ...now, total: 6, approved: 4, rejected: 0 }, kinds }
    expect(interventionReport.weigh(counted, { tag: 'intervention', days: 30 })).toEqual({
      ...now,
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

  it('an article that does not last until the delivery is ordered, by its last count unless that is stale', () => {
    const parameters = { tag: 'stock', safetyDays: 3, coverDays: 14, staleDays: 7 }
    const counts = [
      counted('A', 10, 2, 5),
      counted('A', 900, 2, 5, '2026-11-10'),
      counted('B', 17, 2, 5),
      counted('C', 0, 0, 5),
      counted('D', 1, 2, 5, '2026-11-01'),
      decision({ input: { sku: 'E', onHand: -1, dailySales: 1, leadDays: 1 } }),
    ]
    const stock = stockDecision.count({ counts }, counting(parameters, { at }))
    expect(stock).toMatchObject({ records: 6, unreadable: 1, plentiful: 0 })
    expect(stockDecision.weigh(stock, parameters)).toEqual({
      articles: 4,
      // Two a day for five days, three to be safe and fourteen to cover are 44; ten are there.
      orders: [{ sku: 'A', onHand: 10, daysLeft: 5, quantity: 34 }],
      stale: [{ sku: 'D', ageDays: 14 }],
      enough: 2,
    })
  })

  it('a payment that timed out can be retried, a declined card needs the customer', () => {
    const none = outcomes([])
    const judge = (reason: string | null) => {
      const failure = reason === null ? null : { reason, amount: 1, currency: 'KRW' }
      return paymentFailureReview.weigh({ failure, ...none, now: none, before: none }, { tag: 'payment' })
    }
    expect([judge('gateway_timeout').isPassing, judge('card_declined').isPassing]).toEqual([true, false])
    expect(judge(null)).toEqual({
      isPassing: null,
      isLasting: false,
      aPaymentFailed: false,
      changePercent: null,
    })
  })
})

describe('mentoring', () => {
  it('each pair that met counts once, and first meetings without a next session come first', () => {
    const past = [
      session('m1', 'c1', '2026-10-01T10:00:00Z'),
      session('m1', 'c1', '2026-11-10T10:00:00Z'),
      session('m1', 'c1', '2026-11-10T12:00:00Z'),
      session('m1', 'c2', '2026-11-11T10:00:00Z'),
      session('m2', 'c3', '2026-11-11T10:00:00Z'),
      session('m2', 'c4', '2026-10-01T10:00:00Z'),
    ]
    const next = [session('m2', 'c3', '2026-11-20T10:00:00Z')]
    const followUps = sessionFollowUp.weigh(sessionFollowUp.count({ past, next }, counting({})), {})
    expect(followUps).toMatchObject({ sessions: 3, withNext: 1, first: 2 })
    expect(followUps.withoutNext.map(({ mentee, sessions }) => [mentee, sessions])).toEqual([
      ['…c2', 1],
      ['…c1', 3],
    ])
  })

  it('of two mentors neither is far from the mean; of three, one with half as many sessions again is', () => {
    const load = (who: string, sessions: number) => ({ who, sessions, minutes: sessions * 60 })
    const balanceOf = (...all: ReturnType<typeof load>[]) =>
      mentorBalance.weigh({ loads: all, mentees: 0, once: 0 }, { days: 28 })
    expect(balanceOf(load('a', 9), load('b', 1))).toMatchObject({ mean: 5, heavy: [], light: [], topShare: 90 })
    const balance = balanceOf(load('a', 10), load('b', 4), load('c', 1))
    expect([balance.heavy.map(({ who }) => who), balance.light.map(({ who }) => who)]).toEqual([['a'], ['c']])
    expect(balanceOf()).toEqual({ sessions: 0, mean: 0, heavy: [], light: [], topShare: null, mentors: 0 })
  })
})

describe('interior', () => {
  it('an estimate is compared with prices and budget, and lines without a price are counted', () => {
    const lines = [
      { item: 'floor', quantity: 42, unitPrice: 90, referencePrice: 75 },
      { item: 'paint', quantity: 10, unitPrice: 11, referencePrice: 10 },
      { item: 'lamp', quantity: 1, unitPrice: 40, referencePrice: 80 },
      { item: 'design', quantity: 0.1, unitPrice: 3 },
    ]
    const parameters = { project: 'P-1', lines, currency: 'KRW', budget: 3900, tolerancePercent: 15 }
    const estimate = estimateReview.count({ estimates: [] }, counting(parameters))
    expect(estimate.total).toBe(3930.3)
    expect(estimateReview.weigh(estimate, parameters)).toEqual({
      total: 3930.3,
      budget: 3900,
      overBudget: 30.3,
      unreferenced: 1,
      currency: 'KRW',
      dear: [{ item: 'floor', amount: 3780, overPercent: 20, excess: 630 }],
      cheap: [{ item: 'lamp', amount: 40, overPercent: -50 }],
    })
    expect(estimateReview.weigh(estimate, { ...parameters, budget: 0 }).overBudget).toBe(0)
  })

  it('the workload of a week', () => {
    const counts = { consultations: 6, consultationsBefore: 4, designers: 1, openAges: [2, 10, 31], unreviewed: 1 }
    expect(projectDigest.weigh(counts, { tag: 'estimate', lateDays: 10 })).toEqual({
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
