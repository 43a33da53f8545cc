/** Rehabilitation: whether clients keep their pace, and which clients have had no session for some time. */
import { change, countBy, label, loads, round1, sum } from './figures.ts'
import { whole } from './parameters.ts'
import { daysBetween, within } from './period.ts'
import { workflow } from './workflow.ts'

const usualWeeks = 4

export const weeklyProgress = workflow({
  key: 'rehabilitation.weekly-progress',
  trigger: { cron: '0 7 * * 1' },
  parameters: {},
  steps: ['collect-sessions', 'weigh-progress', 'summarize-progress', 'draft-summary'],
  period: { days: 7 },
  reads: { sessions: { sessions: [-7 * (1 + usualWeeks), -1] } },
  count: ({ sessions }, { period }) => {
    const week = sessions.filter(({ startsAt }) => within(period, startsAt))
    const past = sessions.filter(({ startsAt }) => !within(period, startsAt))
    const [now, then] = [countBy(week, 'client'), countBy(past, 'client')]
    const clients = [...new Set([...then.keys(), ...now.keys()])].map((id) => ({
      who: label(id),
      week: now.get(id)?.sessions ?? 0,
      usual: round1((then.get(id)?.sessions ?? 0) / usualWeeks),
    }))
    return { clients, therapists: loads(week, 'instructor'), usual: round1(past.length / usualWeeks) }
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
      started: seen.filter((each) => each.usual === 0).length,
      therapists: therapists.length,
      mostSessionsOfOne: therapists[0]?.sessions ?? 0,
    }
  },
  model: {
    task: 'Summarize the week of a rehabilitation center: sessions against the usual number, and which clients have slowed down or paused. You are not told why; do not guess.',
    when: ['sessions', 'paused'],
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
    const seen = [...countBy(past, 'client')].map(([id, { sessions, last }]) => {
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
