/** Rehabilitation: whether clients keep their pace, and which clients have had no session for some time. */
import { attendee, change, countBy, held, label, loads, round1, sum } from './figures.ts'
import { whole } from './parameters.ts'
import { daysBetween, within } from './period.ts'
import { workflow } from './workflow.ts'

const usualWeeks = 4
const allDays = [-7 * (1 + usualWeeks), -1] as const

export const weeklyProgress = workflow({
  key: 'rehabilitation.weekly-progress',
  trigger: { cron: '0 7 * * 1' },
  parameters: {},
  steps: ['collect-sessions', 'weigh-progress', 'summarize-progress', 'draft-summary'],
  period: { days: 7 },
  reads: { sessions: { sessions: allDays }, attendance: { attendance: allDays } },
  // A verified attendance without an appointment is a session too.
  count: ({ sessions, attendance }, { period }) => {
    const came = [
      ...held(sessions).map(({ client, startsAt }) => ({ who: label(client), at: startsAt })),
      ...attendance.flatMap((each) => {
        const who = attendee(each)
        return who === null || each.booked || each.missed ? [] : { who, at: each.at }
      }),
    ]
    const week = sessions.filter(({ startsAt }) => within(period, startsAt))
    const past = came.filter(({ at }) => !within(period, at))
    const then = Map.groupBy(past, ({ who }) => who)
    const now = Map.groupBy(
      came.filter(({ at }) => within(period, at)),
      ({ who }) => who,
    )
    const absences = Map.groupBy(
      week.filter(({ missed }) => missed),
      ({ client }) => label(client),
    )
    const clients = [...new Set([...then.keys(), ...now.keys(), ...absences.keys()])].map((who) => ({
      who,
      week: now.get(who)?.length ?? 0,
      usual: round1((then.get(who)?.length ?? 0) / usualWeeks),
      missed: absences.get(who)?.length ?? 0,
    }))
    return { clients, therapists: loads(held(week), 'instructor'), usual: round1(past.length / usualWeeks) }
  },
  // Slowed is less than three quarters of the usual pace. A difference of less than one session is chance.
  weigh: ({ clients, therapists, usual }) => {
    const seen = clients.filter(({ week }) => week > 0)
    const slowed = seen.filter((each) => each.usual - each.week >= 1 && each.week < each.usual * 0.75)
    const sessions = sum(seen, ({ week }) => week)
    return {
      sessions,
      usualSessions: usual,
      changePercent: change(sessions, usual),
      clients: seen.length,
      kept: seen.filter((each) => !slowed.includes(each) && each.usual > 0).length,
      slowed,
      paused: clients.filter((each) => each.week === 0 && each.usual >= 0.5),
      missed: sum(clients, (each) => each.missed),
      absent: clients.filter((each) => each.missed > 0).sort((a, b) => b.missed - a.missed),
      started: seen.filter((each) => each.usual === 0).length,
      therapists: therapists.length,
      mostSessionsOfOne: therapists[0]?.sessions ?? 0,
    }
  },
  model: {
    task: 'Summarize the week of a rehabilitation center: sessions against the usual number, and which clients have slowed down, paused or missed appointments. You are not told why; do not guess.',
    when: ['sessions', 'paused', 'absent'],
  },
  tags: ['progress', 'weekly'],
})

export const sessionGaps = workflow({
  key: 'rehabilitation.session-gaps',
  trigger: 'manual',
  parameters: { days: whole(7, 90, 14, 'A gap begins with so many days') },
  steps: ['collect-sessions', 'weigh-gaps', 'draft-call-list'],
  period: { days: 180 },
  reads: { past: { sessions: 'period' }, next: { sessions: [0, 30] } },
  count: ({ past, next }, { today, localDay }) => {
    const upcoming = countBy(next, 'client')
    const seen = [...countBy(held(past), 'client')].map(([id, { sessions, last }]) => {
      const lastDay = localDay(last)
      return { who: label(id), sessions, lastDay, days: daysBetween(lastDay, today) - 1, isBooked: upcoming.has(id) }
    })
    return { seen }
  },
  weigh: ({ seen }, { days }) => ({
    clients: seen.length,
    booked: seen.filter(({ isBooked }) => isBooked).length,
    gaps: seen.filter((each) => !each.isBooked && each.days >= days).sort((a, b) => b.days - a.days),
  }),
  tags: ['gaps'],
})
