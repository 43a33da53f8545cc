/** Rehabilitation: whether clients keep their pace, and whom nobody has seen for a while. */
import { closed } from '@countersign/contract/common.ts'
import { Type } from 'typebox'
import type { Definition } from '../definition.ts'
import { sessionsBetween } from '../definition-queries.ts'
import { draft, inLanguage } from './draft.ts'
import { change, countBy, type Load, label, loads, round1 } from './figures.ts'
import { addDays, daysBetween, lastDays, localDay, localToday, type Period, periodOf, spanOf } from './period.ts'
import { gapWords, weeklyWords } from './rehabilitation-words.ts'
import { found, step, wordingOf, wordingStep } from './steps.ts'

type Sessions = {
  readonly period: Period
  readonly clients: Pace[]
  readonly therapists: Load[]
  readonly usual: number
}
/** Sessions of the week, and on average in each of the four weeks before. */
export type Pace = { readonly who: string; readonly week: number; readonly usual: number }
export type Progress = {
  readonly sessions: number
  readonly usualSessions: number
  readonly changePercent: number | null
  readonly clients: number
  readonly kept: number
  readonly slowed: Pace[]
  readonly paused: Pace[]
  readonly started: number
  readonly therapists: number
  readonly mostSessionsOfOne: number
}

const usualWeeks = 4

/** Below three quarters of the usual pace somebody should ask why; less than one session less is chance. */
export function progressOf({
  clients,
  therapists,
  usual,
}: Pick<Sessions, 'clients' | 'therapists' | 'usual'>): Progress {
  const sessions = clients.reduce((sum, { week }) => sum + week, 0)
  const slowed = clients.filter((each) => each.week > 0 && each.usual - each.week >= 1 && each.week < each.usual * 0.75)
  const paused = clients.filter((each) => each.week === 0 && each.usual >= 0.5)
  return {
    sessions,
    usualSessions: usual,
    changePercent: change(sessions, usual),
    clients: clients.filter(({ week }) => week > 0).length,
    kept: clients.filter((each) => each.week > 0 && !slowed.includes(each) && each.usual > 0).length,
    slowed,
    paused,
    started: clients.filter(({ week, usual: then }) => week > 0 && then === 0).length,
    therapists: therapists.length,
    mostSessionsOfOne: therapists[0]?.sessions ?? 0,
  }
}

const weeklyProgress: Definition = {
  key: 'rehabilitation.weekly-progress',
  name: 'Weekly progress summary',
  description:
    'Compares the sessions of each client in the last week with the four weeks before, and puts it into words.',
  vertical: 'rehabilitation',
  type: 'SCHEDULED',
  schedule: { cron: '0 7 * * 1' },
  alone: true,
  parameters: Type.Object({}, closed),
  steps: [
    step('collect-sessions', async (context): Promise<Sessions> => {
      const period = lastDays(context, 7)
      const earlier = lastDays(context, 7 * (1 + usualWeeks))
      const all = await context.read((tx) => sessionsBetween(tx, new Date(earlier.from), new Date(period.to)))
      const week = all.filter(({ startsAt }) => startsAt >= new Date(period.from))
      const past = all.filter(({ startsAt }) => startsAt < new Date(period.from))
      const [now, then] = [countBy(week, 'client'), countBy(past, 'client')]
      const clients = [...new Set([...then.keys(), ...now.keys()])].map((id) => ({
        who: label(id),
        week: now.get(id)?.sessions ?? 0,
        usual: round1((then.get(id)?.sessions ?? 0) / usualWeeks),
      }))
      return { period, clients, therapists: loads(week, 'instructor'), usual: round1(past.length / usualWeeks) }
    }),
    step('weigh-progress', (context): Progress => progressOf(found<Sessions>(context, 'collect-sessions'))),
    wordingStep(
      'summarize-progress',
      'Summarize the week of a rehabilitation center: sessions against the usual number, and which clients have slowed down or paused. You are not told why; do not guess.',
      (context) => {
        const progress = found<Progress>(context, 'weigh-progress')
        const { slowed, paused, ...counts } = progress
        if (progress.sessions === 0 && paused.length === 0) return null
        return { ...counts, slowed: slowed.slice(0, 20), paused: paused.slice(0, 20) }
      },
    ),
    step('draft-summary', (context) => {
      const progress = found<Progress>(context, 'weigh-progress')
      const words = inLanguage(context.center, weeklyWords)
      const { slowed, paused, ...figures } = progress
      return draft(context.center, {
        title: words.title,
        period: found<Sessions>(context, 'collect-sessions').period,
        basis: words.basis(progress),
        findings: [...paused.map(words.paused), ...slowed.map(words.slowed)],
        decide: words.decide,
        wording: wordingOf(context, 'summarize-progress'),
        tags: ['progress', 'weekly'],
        figures: { ...figures, slowed: slowed.length, paused: paused.length },
      })
    }),
  ],
}

export type Gap = { readonly who: string; readonly lastDay: string; readonly days: number; readonly sessions: number }
type Clients = { readonly period: Period; readonly clients: (Gap & { readonly isBooked: boolean })[] }
export type Gaps = { readonly clients: number; readonly booked: number; readonly gaps: Gap[] }

const sessionGaps: Definition = {
  key: 'rehabilitation.session-gaps',
  name: 'Clients without a session',
  description: 'Lists clients who have not come for some time and have nothing booked, longest gap first.',
  vertical: 'rehabilitation',
  type: 'MANUAL',
  alone: false,
  parameters: Type.Object(
    { days: Type.Integer({ minimum: 7, maximum: 90, default: 14, description: 'A gap begins with so many days' }) },
    closed,
  ),
  steps: [
    step('collect-sessions', async (context): Promise<Clients> => {
      const period = lastDays(context, 180)
      const today = localToday(context)
      const ahead = periodOf(context.center.timezone, today, addDays(today, 30))
      const [past, next] = await context.read(async (tx) => [
        await sessionsBetween(tx, ...spanOf(period)),
        await sessionsBetween(tx, ...spanOf(ahead)),
      ])
      const upcoming = countBy(next, 'client')
      const clients = [...countBy(past, 'client')].map(([id, { sessions, last }]) => ({
        who: label(id),
        sessions,
        lastDay: localDay(context, last),
        days: daysBetween(localDay(context, last), today) - 1,
        isBooked: upcoming.has(id),
      }))
      return { period, clients }
    }),
    step('weigh-gaps', (context): Gaps => {
      const { clients } = found<Clients>(context, 'collect-sessions')
      const gaps = clients
        .filter(({ isBooked, days }) => !isBooked && days >= (context.parameters.days as number))
        .map(({ isBooked: _, ...gap }) => gap)
        .sort((a, b) => b.days - a.days)
      return { clients: clients.length, booked: clients.filter(({ isBooked }) => isBooked).length, gaps }
    }),
    step('draft-call-list', (context) => {
      const weighed = found<Gaps>(context, 'weigh-gaps')
      const words = inLanguage(context.center, gapWords)
      return draft(context.center, {
        title: words.title,
        period: found<Clients>(context, 'collect-sessions').period,
        basis: words.basis(weighed, context.parameters.days as number),
        findings: weighed.gaps.map(words.gap),
        decide: words.decide,
        tags: ['gaps'],
        figures: { clients: weighed.clients, booked: weighed.booked, gaps: weighed.gaps.length },
      })
    }),
  ],
}

export const rehabilitation: readonly Definition[] = [weeklyProgress, sessionGaps]
