/** Education: attendance of the week, the development of a term, and what has to be refunded to a learner. */
import { Type } from 'typebox'
import { StepFailure } from '../features/automation/workflows/api.ts'
import { attendee, change, distinct, inputText, loads, outcomes, rate, round1, sum } from './figures.ts'
import { tag, whole } from './parameters.ts'
import type { AttendanceFound } from './queries.ts'
import { tuitionFault, tuitionRefund } from './tuition-refund.ts'
import { workflow } from './workflow.ts'

const attendanceTags = {
  presentTag: tag('attendance:present', 'The tag of decisions that record a presence'),
  absentTag: tag('attendance:absent', 'The tag of decisions that record an absence'),
}

/** Decisions with a tag and rows of attendance together: a center records a presence in one of both ways. */
function marks(present: readonly unknown[], absent: readonly unknown[], attendance: readonly AttendanceFound[]) {
  const missed = attendance.filter((each) => each.missed).length
  return { present: present.length + attendance.length - missed, absent: absent.length + missed }
}

export const attendanceDigest = workflow({
  key: 'education.attendance-digest',
  trigger: { cron: '0 8 * * 1' },
  parameters: {
    ...attendanceTags,
    minimumPercent: whole(0, 100, 80, 'Attendance below this is low'),
    absences: whole(1, 20, 2, 'Absent so many times is often'),
  },
  steps: ['collect-attendance', 'weigh-attendance', 'draft-digest'],
  period: { days: 7 },
  reads: {
    lessons: { sessions: 'period' },
    present: { tagged: 'presentTag', during: 'period' },
    absent: { tagged: 'absentTag', during: 'period' },
    presentBefore: { tagged: 'presentTag', during: 'before' },
    absentBefore: { tagged: 'absentTag', during: 'before' },
    attendance: { attendance: 'period' },
    attendanceBefore: { attendance: 'before' },
  },
  count: ({ lessons, present, absent, presentBefore, absentBefore, attendance, attendanceBefore }) => {
    const learners = [
      ...absent.map((each) => inputText(each, 'learner')),
      ...attendance.filter(({ missed }) => missed).map(attendee),
    ]
    const byLearner = Map.groupBy(learners, (learner) => learner ?? '')
    byLearner.delete('')
    const [now, before] = [marks(present, absent, attendance), marks(presentBefore, absentBefore, attendanceBefore)]
    return {
      lessons: lessons.length,
      ...now,
      rate: rate(now.present, now.present + now.absent),
      rateBefore: rate(before.present, before.present + before.absent),
      absentees: [...byLearner]
        .map(([learner, each]) => ({ learner, absences: each.length }))
        .sort((a, b) => b.absences - a.absences || (a.learner < b.learner ? -1 : 1)),
    }
  },
  // A lesson without a record of attendance counts as unrecorded, not as missed.
  weigh: ({ lessons, present, absent, rate: now, rateBefore, absentees }, { minimumPercent, absences }) => ({
    unrecorded: Math.max(0, lessons - present - absent),
    changePoints: now === null || rateBefore === null ? null : now - rateBefore,
    isLow: now !== null && now < minimumPercent,
    often: absentees.filter((each) => each.absences >= absences),
  }),
  figures: ['lessons', 'present', 'absent', 'rate', 'unrecorded', 'often'],
  tags: ['attendance', 'weekly'],
})

const localDate = (description: string, example: string) =>
  Type.String({ format: 'date', maxLength: 10, description, examples: [example] })

export const termReport = workflow({
  key: 'education.term-report',
  trigger: 'manual',
  parameters: {
    from: localDate('First day of the term', '2026-09-01'),
    to: localDate('Last day of the term, at most 186 days later', '2026-12-31'),
    ...attendanceTags,
  },
  steps: ['collect-lessons', 'weigh-trend', 'summarize-term', 'draft-report'],
  period: { from: 'from', to: 'to', mostDays: 186 },
  reads: {
    lessons: { sessions: 'period' },
    lessonsBefore: { sessions: 'before' },
    present: { tagged: 'presentTag', during: 'period' },
    absent: { tagged: 'absentTag', during: 'period' },
    attendance: { attendance: 'period' },
  },
  count: ({ lessons, lessonsBefore, present, absent, attendance }, { localDay }) => ({
    months: [...Map.groupBy(lessons, ({ startsAt }) => localDay(startsAt).slice(0, 7))].map(([month, each]) => ({
      month,
      lessons: each.length,
      learners: distinct(each, 'client'),
    })),
    lessons: lessons.length,
    hours: Math.round(sum(loads(lessons, 'client'), ({ minutes }) => minutes) / 60),
    learners: distinct(lessons, 'client'),
    teachers: distinct(lessons, 'instructor'),
    lessonsBefore: lessonsBefore.length,
    ...marks(present, absent, attendance),
  }),
  weigh: ({ months, ...counts }) => {
    const { lessons, learners, lessonsBefore, present, absent } = counts
    const busiest = months.toSorted((a, b) => b.lessons - a.lessons)
    return {
      ...counts,
      changePercent: change(lessons, lessonsBefore),
      attendancePercent: rate(present, present + absent),
      lessonsPerLearner: learners === 0 ? null : round1(lessons / learners),
      busiestMonth: busiest[0]?.month ?? null,
      quietestMonth: months.length > 1 ? (busiest.at(-1)?.month ?? null) : null,
    }
  },
  model: {
    task: 'Summarize a term of a learning center for its staff: how much was taught, how it developed from month to month, and attendance.',
    when: ['lessons'],
    also: ['months'],
  },
  tags: ['term'],
})

const won = new Intl.NumberFormat('en-US')

export const tuitionRefundReview = workflow({
  key: 'education.tuition-refund',
  trigger: 'manual',
  parameters: {
    learner: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Whose fees these are',
      examples: ['Lee Haneul'],
    }),
    cause: Type.Enum(['learner', 'academy'], {
      default: 'learner',
      description: 'Who ends the lessons. `academy`: it can no longer teach, or keeps the learner away',
    }),
    on: localDate('The day on which the reason for the refund arose', '2026-11-16'),
    paid: Type.Integer({
      minimum: 1,
      maximum: 1e9,
      description: 'Fees paid for the period, in won',
      examples: [300_000],
    }),
    firstDay: localDate('First day of the period that was paid for', '2026-11-02'),
    lastDay: localDate('Last day of that period', '2026-11-30'),
    months: whole(1, 12, 1, 'Months of equal fee in the period'),
    month: whole(1, 12, 1, 'The month of the period in which the reason arose'),
    taught: Type.Number({
      minimum: 0,
      maximum: 1000,
      description: 'Hours or lessons of that month up to that day',
      examples: [4],
    }),
    total: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description: 'All hours or lessons of that month',
      examples: [12],
    }),
  },
  steps: ['collect-refunds', 'weigh-refund', 'draft-refund'],
  period: { from: 'firstDay', to: 'lastDay', mostDays: 366 },
  reads: { refunds: { tagged: 'tuition-refund', during: [-90, 'now'] } },
  count: ({ refunds }) => ({ past: outcomes(refunds) }),
  weigh: (_, input) => {
    const fault = tuitionFault(input)
    if (fault) throw new StepFailure(fault, { retry: false })
    const { rule, of, amount, ofMonth, ofLater, dueOn } = tuitionRefund(input)
    return {
      ...{ amount, ofMonth, ofLater, dueOn, rule: rule.from },
      isEverything: of === 'everything',
      isByDays: of === 'byDays',
      isNothing: of === 'nothing' && amount === 0,
      isLaterOnly: of === 'nothing' && amount > 0,
      share: of.includes('/') ? of : null,
      ...{ source: rule.source, compared: rule.compared, dueDays: rule.days },
      ...{ inWon: won.format(amount), paidInWon: won.format(input.paid) },
      ...{ monthInWon: ofLater === 0 ? null : won.format(ofMonth), laterInWon: won.format(ofLater) },
      ...{
        ofMonths: input.months === 1 ? null : input.months,
        ofLessons: of === 'byDays' ? null : input.total,
        isAdvice: true,
      },
    }
  },
  figures: ['amount', 'ofMonth', 'ofLater', 'dueOn', 'rule'],
  tags: ['tuition-refund'],
  asks: ({ learner, amount, dueOn }) =>
    amount === 0 ? null : { type: 'tuition.refund', input: { learner, amount, dueOn } },
})
