/** Counting appointments and decisions. Pure. A person appears as a label, which does not identify the person to a model. */
import type { AttendanceFound, BookedSessionRow, DecisionFound } from './queries.ts'

/** The end of an id. A member of the center can look it up in the member list. */
export const label = (id: string): string => `…${id.slice(-8)}`

/** Appointments to which the client came, or of which nobody said otherwise. */
export const held = (sessions: readonly BookedSessionRow[]): BookedSessionRow[] =>
  sessions.filter(({ missed }) => !missed)

/** How a draft shows who came: a label, or the reference of a companion application. */
export const attendee = ({ client, isReference }: AttendanceFound): string | null =>
  client === null ? null : isReference ? client.slice(0, 100) : label(client)

export type Load = { readonly who: string; readonly sessions: number; readonly minutes: number }

const minutesOf = ({ startsAt, endsAt }: BookedSessionRow): number =>
  Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000)

/** By id: how many sessions and minutes each had, and when the last one began. Rows come in the order of time. */
export function countBy(sessions: readonly BookedSessionRow[], of: 'instructor' | 'client') {
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
export const loads = (sessions: readonly BookedSessionRow[], of: 'instructor' | 'client'): Load[] =>
  [...countBy(sessions, of)]
    .map(([id, each]) => ({ who: label(id), sessions: each.sessions, minutes: each.minutes }))
    .sort((a, b) => b.sessions - a.sessions || (a.who < b.who ? -1 : 1))

export const distinct = <T>(rows: readonly T[], of: keyof T): number => new Set(rows.map((row) => row[of])).size

export const sum = <T>(rows: readonly T[], of: (row: T) => number): number =>
  rows.reduce((total, row) => total + of(row), 0)

/** How much more or less, in whole percent; null where there was nothing to compare with. */
export const change = (now: number, then: number): number | null =>
  then === 0 ? null : Math.round(((now - then) / then) * 100)

export const rate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 100)

export const round1 = (value: number): number => Math.round(value * 10) / 10
export const round2 = (value: number): number => Math.round(value * 100) / 100

/** Not decided. A decision that is approved and not sealed waits for a second approval. */
export const isOpen = ({ status }: DecisionFound): boolean => status === 'recorded' || status === 'approved'

/** `meanRisk` is of those with a score. */
export function outcomes(decisions: readonly DecisionFound[]) {
  const having = (wanted: string) => decisions.filter(({ status }) => status === wanted).length
  const scores = decisions.flatMap(({ riskScore }) => riskScore ?? [])
  return {
    total: decisions.length,
    approved: having('sealed'),
    rejected: having('rejected'),
    open: decisions.filter(isOpen).length,
    meanRisk: scores.length === 0 ? null : round2(sum(scores, (score) => score) / scores.length),
  }
}

type Range = readonly [least: number, most: number]
export const amount: Range = [0, 1e9]

/** A text that a caller recorded as a member of the action's input, in its first 100 characters; null where it is none. */
export function inputText({ input }: DecisionFound, name: string): string | null {
  const value = (input as Record<string, unknown> | null)?.[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : null
}

function inputNumber({ input }: DecisionFound, name: string, [least, most]: Range): number | null {
  const value = (input as Record<string, unknown> | null)?.[name]
  return typeof value === 'number' && value >= least && value <= most ? value : null
}

/**
 * Of each reference the decision that was made last, with the numbers of its input. A record without a reference, or
 * with a number that is missing or out of range, counts as unreadable. Of two of the same time the newer record counts;
 * newest records come first.
 */
export function lastOfEach<Name extends string>(
  records: readonly DecisionFound[],
  reference: string,
  numbers: Readonly<Record<Name, Range>>,
) {
  const last = new Map<string, { readonly at: Date } & Record<Name, number>>()
  let unreadable = 0
  for (const record of records) {
    const id = inputText(record, reference)
    const read = Object.entries<Range>(numbers).map(
      ([name, range]) => [name, inputNumber(record, name, range)] as const,
    )
    if (id === null || read.some(([, number]) => number === null)) unreadable += 1
    else if ((last.get(id)?.at ?? 0) < record.occurredAt) {
      last.set(id, { at: record.occurredAt, ...(Object.fromEntries(read) as Record<Name, number>) })
    }
  }
  return { last: [...last], unreadable }
}

/** The longest list that a step stores, because what is stored is kept for good. The first items must matter most. */
export const mostKept = 1500
