/** Mentoring: which pairs have no next session, and how the sessions are shared among mentors. */
import { countBy, held, label, loads, rate, round1, sum } from './figures.ts'
import { whole } from './parameters.ts'
import { within } from './period.ts'
import type { BookedSessionRow } from './queries.ts'
import { workflow } from './workflow.ts'

const pairKey = ({ instructor, client }: BookedSessionRow): string => `${instructor} ${client}`

export const sessionFollowUp = workflow({
  key: 'mentoring.session-follow-up',
  trigger: { cron: '0 8 * * *' },
  parameters: {},
  steps: ['collect-sessions', 'weigh-follow-ups', 'summarize-day', 'draft-follow-up'],
  period: { days: 1 },
  reads: { past: { sessions: [-90, -1] }, next: { sessions: [0, 30] } },
  count: ({ past: booked, next }, { period }) => {
    const past = held(booked)
    const met = new Map(past.filter(({ startsAt }) => within(period, startsAt)).map((each) => [pairKey(each), each]))
    const upcoming = new Set(next.map(pairKey))
    const pairs = [...met].map(([key, { instructor, client }]) => ({
      mentor: label(instructor),
      mentee: label(client),
      sessions: past.filter((each) => pairKey(each) === key).length,
      hasNext: upcoming.has(key),
    }))
    return { pairs }
  },
  weigh: ({ pairs }) => ({
    sessions: pairs.length,
    withNext: pairs.filter(({ hasNext }) => hasNext).length,
    first: pairs.filter(({ sessions }) => sessions === 1).length,
    // First meetings come first: these pairs are the most likely to stop.
    withoutNext: pairs.filter(({ hasNext }) => !hasNext).sort((a, b) => a.sessions - b.sessions),
  }),
  model: {
    task: 'Summarize for the coordinator of a mentoring program how many pairs met yesterday, and which have no next session.',
    when: ['sessions'],
  },
  tags: ['follow-up', 'daily'],
})

export const mentorBalance = workflow({
  key: 'mentoring.mentor-balance',
  trigger: 'manual',
  parameters: { days: whole(7, 180, 28, 'Days to look back') },
  steps: ['collect-loads', 'weigh-balance', 'draft-balance'],
  period: { days: 'days' },
  reads: { sessions: { sessions: 'period' } },
  count: ({ sessions }) => {
    const mentees = [...countBy(sessions, 'client').values()]
    const once = mentees.filter((each) => each.sessions === 1).length
    return { loads: loads(sessions, 'instructor'), mentees: mentees.length, once }
  },
  // Far is more than one and a half times, or less than half, of the mean; with two mentors it says nothing.
  weigh: ({ loads: all }) => {
    const sessions = sum(all, (each) => each.sessions)
    const mean = all.length === 0 ? 0 : sessions / all.length
    const busiestFifth = all.slice(0, Math.ceil(all.length / 5))
    const compared = all.length > 2 ? all : []
    return {
      sessions,
      mean: round1(mean),
      heavy: compared.filter((each) => each.sessions > mean * 1.5),
      light: compared.filter((each) => each.sessions < mean * 0.5),
      topShare: rate(
        sum(busiestFifth, (each) => each.sessions),
        sessions,
      ),
      mentors: all.length,
    }
  },
  figures: ['sessions', 'mean', 'topShare', 'mentors', 'mentees', 'once'],
  tags: ['balance'],
})
