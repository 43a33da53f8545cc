/** Education: who was there, and how a term went. */
import { closed } from '@countersign/contract/common.ts'
import { Type } from 'typebox'
import type { Definition } from '../definition.ts'
import { type DecisionFound, decisionsTagged, sessionsBetween } from '../definition-queries.ts'
import { draft, inLanguage } from './draft.ts'
import { digestWords, termWords } from './education-words.ts'
import { change, inputText, loads, rate } from './figures.ts'
import { before, chosenPeriod, lastDays, localDay, type Period, spanOf } from './period.ts'
import { found, step, wordingOf, wordingStep } from './steps.ts'

const Tag = (name: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 64, default: name, description })
const attendanceTags = {
  presentTag: Tag('attendance:present', 'What decisions that somebody was there are tagged'),
  absentTag: Tag('attendance:absent', 'What decisions that somebody was missing are tagged'),
}

type Week = {
  readonly lessons: number
  readonly present: number
  readonly absent: number
  readonly rate: number | null
}
export type Missing = { readonly learner: string; readonly absences: number }
export type Attendance = {
  readonly period: Period
  readonly week: Week
  readonly before: Week
  readonly absences: Missing[]
}
export type Weighed = {
  readonly unrecorded: number
  readonly changePoints: number | null
  readonly isLow: boolean
  readonly often: Missing[]
}

export function absencesOf(absent: readonly DecisionFound[]): Missing[] {
  const byLearner = Map.groupBy(absent, (each) => inputText(each, 'learner') ?? '')
  byLearner.delete('')
  return [...byLearner]
    .map(([learner, each]) => ({ learner, absences: each.length }))
    .sort((a, b) => b.absences - a.absences || (a.learner < b.learner ? -1 : 1))
}

/** A lesson without any word about who was there counts as unrecorded, not as missed. */
export function weighAttendance(
  attendance: Omit<Attendance, 'period'>,
  minimumPercent: number,
  often: number,
): Weighed {
  const { week, before: then, absences } = attendance
  return {
    unrecorded: Math.max(0, week.lessons - week.present - week.absent),
    changePoints: week.rate === null || then.rate === null ? null : week.rate - then.rate,
    isLow: week.rate !== null && week.rate < minimumPercent,
    often: absences.filter(({ absences: count }) => count >= often),
  }
}

const attendanceDigest: Definition = {
  key: 'education.attendance-digest',
  name: 'Attendance digest',
  description:
    'Attendance of the last week against the week before, lessons without a record, and learners often absent.',
  vertical: 'education',
  type: 'SCHEDULED',
  schedule: { cron: '0 8 * * 1' },
  alone: true,
  parameters: Type.Object(
    {
      ...attendanceTags,
      minimumPercent: Type.Integer({
        minimum: 0,
        maximum: 100,
        default: 80,
        description: 'Attendance below this is low',
      }),
      absences: Type.Integer({ minimum: 1, maximum: 20, default: 2, description: 'Absent so many times is often' }),
    },
    closed,
  ),
  steps: [
    step('collect-attendance', async (context): Promise<Attendance> => {
      const { presentTag, absentTag } = context.parameters as { presentTag: string; absentTag: string }
      const period = lastDays(context, 7)
      const weekOf = (span: Period) =>
        context.read(async (tx) => {
          const [from, to] = spanOf(span)
          const lessons = (await sessionsBetween(tx, from, to)).length
          const present = (await decisionsTagged(tx, presentTag, from, to)).length
          const missing = await decisionsTagged(tx, absentTag, from, to)
          const absent = missing.length
          return { counts: { lessons, present, absent, rate: rate(present, present + absent) }, missing }
        })
      const week = await weekOf(period)
      const then = await weekOf(before(context.center.timezone, period))
      return { period, week: week.counts, before: then.counts, absences: absencesOf(week.missing) }
    }),
    step('weigh-attendance', (context): Weighed => {
      const { minimumPercent, absences } = context.parameters as { minimumPercent: number; absences: number }
      return weighAttendance(found<Attendance>(context, 'collect-attendance'), minimumPercent, absences)
    }),
    step('draft-digest', (context) => {
      const attendance = found<Attendance>(context, 'collect-attendance')
      const weighed = found<Weighed>(context, 'weigh-attendance')
      const words = inLanguage(context.center, digestWords)
      return draft(context.center, {
        title: words.title,
        period: attendance.period,
        basis: words.basis(attendance, weighed),
        findings: [
          ...(weighed.isLow ? [words.low(context.parameters.minimumPercent as number)] : []),
          ...(weighed.unrecorded > 0 ? [words.unrecorded(weighed.unrecorded)] : []),
          ...weighed.often.map(words.often),
        ],
        decide: words.decide,
        tags: ['attendance', 'weekly'],
        figures: { ...attendance.week, unrecorded: weighed.unrecorded, often: weighed.often.length },
      })
    }),
  ],
}

export type Month = { readonly month: string; readonly lessons: number; readonly learners: number }
export type Lessons = {
  readonly period: Period
  readonly months: Month[]
  readonly lessons: number
  readonly hours: number
  readonly learners: number
  readonly teachers: number
  readonly lessonsBefore: number
  readonly present: number
  readonly absent: number
}
export type Trend = {
  readonly changePercent: number | null
  readonly attendancePercent: number | null
  readonly lessonsPerLearner: number | null
  readonly busiestMonth: string | null
  readonly quietestMonth: string | null
}

export function trendOf(lessons: Omit<Lessons, 'period'>): Trend {
  const months = [...lessons.months].sort((a, b) => b.lessons - a.lessons)
  return {
    changePercent: change(lessons.lessons, lessons.lessonsBefore),
    attendancePercent: rate(lessons.present, lessons.present + lessons.absent),
    lessonsPerLearner: lessons.learners === 0 ? null : Math.round((lessons.lessons / lessons.learners) * 10) / 10,
    busiestMonth: months[0]?.month ?? null,
    quietestMonth: months.length > 1 ? (months.at(-1)?.month ?? null) : null,
  }
}

const LocalDate = (description: string, example: string) =>
  Type.String({ format: 'date', maxLength: 10, description, examples: [example] })

const termReport: Definition = {
  key: 'education.term-report',
  name: 'Term report',
  description: 'Lessons, learners and attendance of a term by month, against the time before, and in words.',
  vertical: 'education',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object(
    {
      from: LocalDate('First day of the term', '2026-09-01'),
      to: LocalDate('Last day of the term, at most 186 days later', '2026-12-31'),
      ...attendanceTags,
    },
    closed,
  ),
  steps: [
    step('collect-lessons', async (context): Promise<Lessons> => {
      const { from, to, presentTag, absentTag } = context.parameters as Record<string, string>
      const period = chosenPeriod(context, from as string, to as string, 186)
      const [starts, ends] = spanOf(period)
      const read = await context.read(async (tx) => ({
        lessons: await sessionsBetween(tx, starts, ends),
        earlier: await sessionsBetween(tx, ...spanOf(before(context.center.timezone, period))),
        present: await decisionsTagged(tx, presentTag as string, starts, ends),
        absent: await decisionsTagged(tx, absentTag as string, starts, ends),
      }))
      const months = Map.groupBy(read.lessons, ({ startsAt }) => localDay(context, startsAt).slice(0, 7))
      const learners = loads(read.lessons, 'client')
      return {
        period,
        months: [...months].map(([month, each]) => ({
          month,
          lessons: each.length,
          learners: new Set(each.map(({ client }) => client)).size,
        })),
        lessons: read.lessons.length,
        hours: Math.round(learners.reduce((sum, { minutes }) => sum + minutes, 0) / 60),
        learners: learners.length,
        teachers: new Set(read.lessons.map(({ instructor }) => instructor)).size,
        lessonsBefore: read.earlier.length,
        present: read.present.length,
        absent: read.absent.length,
      }
    }),
    step('weigh-trend', (context): Trend => trendOf(found<Lessons>(context, 'collect-lessons'))),
    wordingStep(
      'summarize-term',
      'Summarize a term of a learning center for its staff: how much was taught, how it developed from month to month, and attendance.',
      (context) => {
        const { period: _, ...all } = found<Lessons>(context, 'collect-lessons')
        return all.lessons === 0 ? null : { ...all, ...found<Trend>(context, 'weigh-trend') }
      },
    ),
    step('draft-report', (context) => {
      const all = found<Lessons>(context, 'collect-lessons')
      const trend = found<Trend>(context, 'weigh-trend')
      const words = inLanguage(context.center, termWords)
      const { period, months, ...counts } = all
      return draft(context.center, {
        title: words.title,
        period,
        basis: words.basis(all, trend),
        findings: months.map(words.month),
        decide: words.decide,
        wording: wordingOf(context, 'summarize-term'),
        tags: ['term'],
        figures: { ...counts, ...trend },
      })
    }),
  ],
}

export const education: readonly Definition[] = [attendanceDigest, termReport]
