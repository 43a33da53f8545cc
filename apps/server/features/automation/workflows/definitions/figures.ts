/** Counting appointments and decisions. Pure. People appear as labels: enough to find them, too little to know them. */
import type { DecisionFound, SessionRow } from '../definition-queries.ts'

/** The end of an id. Whoever may see the member list can tell who it is; a model cannot. */
export const label = (id: string): string => `…${id.slice(-8)}`

export type Load = { readonly who: string; readonly sessions: number; readonly minutes: number }

const minutesOf = ({ startsAt, endsAt }: SessionRow): number =>
  Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000)

/** By id: how many sessions and minutes each had, and when the last one began. Rows come in the order of time. */
export function countBy(sessions: readonly SessionRow[], of: 'instructor' | 'client') {
  const counted = new Map<string, { sessions: number; minutes: number; last: Date }>()
  for (const session of sessions) {
    const { sessions: count = 0, minutes = 0 } = counted.get(session[of]) ?? {}
    counted.set(session[of], {
      sessions: count + 1,
      minutes: minutes + minutesOf(session),
      last: session.startsAt,
    })
  }
  return counted
}

/** The same without ids, most sessions first. */
export const loads = (sessions: readonly SessionRow[], of: 'instructor' | 'client'): Load[] =>
  [...countBy(sessions, of)]
    .map(([id, each]) => ({ who: label(id), sessions: each.sessions, minutes: each.minutes }))
    .sort((a, b) => b.sessions - a.sessions || (a.who < b.who ? -1 : 1))

/** How much more or less, in whole percent; null where there was nothing to compare with. */
export const change = (now: number, then: number): number | null =>
  then === 0 ? null : Math.round(((now - then) / then) * 100)

export const rate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 100)

export const round1 = (value: number): number => Math.round(value * 10) / 10

export type Outcomes = {
  readonly total: number
  readonly approved: number
  readonly rejected: number
  /** Recorded, and nobody has decided about it. */
  readonly open: number
  /** Of those with a score. */
  readonly meanRisk: number | null
}

export function outcomes(decisions: readonly DecisionFound[]): Outcomes {
  const having = (...statuses: string[]) => decisions.filter(({ status }) => statuses.includes(status)).length
  const scores = decisions.flatMap(({ riskScore }) => (riskScore === null ? [] : [riskScore]))
  return {
    total: decisions.length,
    // Sealed is an approval that is proven; approved still waits for a second one.
    approved: having('sealed'),
    rejected: having('rejected'),
    open: having('recorded', 'approved'),
    meanRisk:
      scores.length === 0
        ? null
        : Math.round((scores.reduce((sum, each) => sum + each, 0) / scores.length) * 100) / 100,
  }
}

/** A member of what a caller recorded as the input of an action, where it has the kind that is needed. */
export function inputText({ input }: DecisionFound, name: string): string | null {
  const value = (input as Record<string, unknown> | null)?.[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : null
}

export function inputNumber({ input }: DecisionFound, name: string): number | null {
  const value = (input as Record<string, unknown> | null)?.[name]
  return typeof value === 'number' && value >= 0 && value <= 1e9 ? value : null
}

/** What a step answers is kept for good, so a list in it has an end; what comes first must be what matters most. */
export const mostKept = 1500
