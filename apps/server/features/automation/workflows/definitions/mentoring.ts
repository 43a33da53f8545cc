/** Mentoring: what follows a session, and whether the load is shared. */
import { closed } from '@countersign/contract/common.ts'
import { Type } from 'typebox'
import type { Definition } from '../definition.ts'
import { type SessionRow, sessionsBetween } from '../definition-queries.ts'
import { draft, inLanguage } from './draft.ts'
import { countBy, type Load, label, loads, rate, round1 } from './figures.ts'
import { balanceWords, followUpWords } from './mentoring-words.ts'
import { addDays, lastDays, localToday, type Period, periodOf, spanOf, within } from './period.ts'
import { found, step, wordingOf, wordingStep } from './steps.ts'

export type Pair = {
  readonly mentor: string
  readonly mentee: string
  /** Of the two, within the quarter, the last one included. */
  readonly sessions: number
  readonly hasNext: boolean
}
type Day = { readonly period: Period; readonly pairs: Pair[] }
export type FollowUps = {
  readonly sessions: number
  readonly withNext: number
  readonly first: number
  readonly loose: Pair[]
}

const pairKey = ({ instructor, client }: SessionRow): string => `${instructor} ${client}`

/** Each pair that met in the period, once. */
export function pairsOf(past: readonly SessionRow[], next: readonly SessionRow[], period: Period): Pair[] {
  const met = new Map(past.filter(({ startsAt }) => within(period, startsAt)).map((each) => [pairKey(each), each]))
  const upcoming = new Set(next.map(pairKey))
  return [...met].map(([key, { instructor, client }]) => ({
    mentor: label(instructor),
    mentee: label(client),
    sessions: past.filter((each) => pairKey(each) === key).length,
    hasNext: upcoming.has(key),
  }))
}

export const followUpsOf = (pairs: readonly Pair[]): FollowUps => ({
  sessions: pairs.length,
  withNext: pairs.filter(({ hasNext }) => hasNext).length,
  first: pairs.filter(({ sessions }) => sessions === 1).length,
  // A first meeting that nothing follows is the one that is most easily lost.
  loose: pairs.filter(({ hasNext }) => !hasNext).sort((a, b) => a.sessions - b.sessions),
})

const sessionFollowUp: Definition = {
  key: 'mentoring.session-follow-up',
  name: 'Session follow-up',
  description:
    'For yesterday’s sessions: which pairs have nothing booked, first meetings first, and what that means in words.',
  vertical: 'mentoring',
  type: 'SCHEDULED',
  schedule: { cron: '0 8 * * *' },
  alone: true,
  parameters: Type.Object({}, closed),
  steps: [
    step('collect-sessions', async (context): Promise<Day> => {
      const period = lastDays(context, 1)
      const today = localToday(context)
      const ahead = periodOf(context.center.timezone, today, addDays(today, 30))
      const [past, next] = await context.read(async (tx) => [
        await sessionsBetween(tx, ...spanOf(lastDays(context, 90))),
        await sessionsBetween(tx, ...spanOf(ahead)),
      ])
      return { period, pairs: pairsOf(past, next, period) }
    }),
    step('weigh-follow-ups', (context): FollowUps => followUpsOf(found<Day>(context, 'collect-sessions').pairs)),
    wordingStep(
      'summarize-day',
      'Summarize for the coordinator of a mentoring program how many pairs met yesterday, and which have no next session.',
      (context) => {
        const { loose, ...counts } = found<FollowUps>(context, 'weigh-follow-ups')
        return counts.sessions === 0 ? null : { ...counts, withoutNext: loose.slice(0, 20) }
      },
    ),
    step('draft-follow-up', (context) => {
      const followUps = found<FollowUps>(context, 'weigh-follow-ups')
      const words = inLanguage(context.center, followUpWords)
      const { loose, ...counts } = followUps
      return draft(context.center, {
        title: words.title,
        period: found<Day>(context, 'collect-sessions').period,
        basis: words.basis(followUps),
        findings: loose.map(words.loose),
        decide: words.decide,
        wording: wordingOf(context, 'summarize-day'),
        tags: ['follow-up', 'daily'],
        figures: { ...counts, withoutNext: loose.length },
      })
    }),
  ],
}

export type Loads = {
  readonly period: Period
  readonly mentors: Load[]
  readonly once: number
  readonly mentees: number
}
export type Balance = {
  readonly sessions: number
  readonly mean: number
  readonly heavy: Load[]
  readonly light: Load[]
  /** What the busiest fifth of the mentors does, in percent. */
  readonly topShare: number | null
}

/** Half as much again as the mean is heavy, less than half of it light; of two mentors neither says anything. */
export function balanceOf(mentors: readonly Load[]): Balance {
  const sessions = mentors.reduce((sum, each) => sum + each.sessions, 0)
  const mean = mentors.length === 0 ? 0 : sessions / mentors.length
  const top = mentors.slice(0, Math.ceil(mentors.length / 5)).reduce((sum, each) => sum + each.sessions, 0)
  const tells = mentors.length > 2
  return {
    sessions,
    mean: round1(mean),
    heavy: tells ? mentors.filter((each) => each.sessions > mean * 1.5) : [],
    light: tells ? mentors.filter((each) => each.sessions < mean * 0.5) : [],
    topShare: rate(top, sessions),
  }
}

const mentorBalance: Definition = {
  key: 'mentoring.mentor-balance',
  name: 'Mentor balance',
  description:
    'How sessions are shared among mentors, who has far more or less than the mean, and mentees seen only once.',
  vertical: 'mentoring',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object(
    { days: Type.Integer({ minimum: 7, maximum: 180, default: 28, description: 'Days to look back' }) },
    closed,
  ),
  steps: [
    step('collect-loads', async (context): Promise<Loads> => {
      const period = lastDays(context, context.parameters.days as number)
      const sessions = await context.read((tx) => sessionsBetween(tx, ...spanOf(period)))
      const mentees = [...countBy(sessions, 'client').values()]
      const once = mentees.filter((each) => each.sessions === 1).length
      return { period, mentors: loads(sessions, 'instructor'), mentees: mentees.length, once }
    }),
    step('weigh-balance', (context): Balance => balanceOf(found<Loads>(context, 'collect-loads').mentors)),
    step('draft-balance', (context) => {
      const all = found<Loads>(context, 'collect-loads')
      const balance = found<Balance>(context, 'weigh-balance')
      const words = inLanguage(context.center, balanceWords)
      const { heavy, light, ...figures } = balance
      return draft(context.center, {
        title: words.title,
        period: all.period,
        basis: words.basis(all, balance),
        findings: [...heavy.map(words.heavy), ...light.map(words.light)],
        decide: words.decide,
        tags: ['balance'],
        figures: { ...figures, mentors: all.mentors.length, mentees: all.mentees, once: all.once },
      })
    }),
  ],
}

export const mentoring: readonly Definition[] = [sessionFollowUp, mentorBalance]
