/** Several decisions side by side: what is the same in all, and what differs, by column. Every value is in one of the two. Pure. */
import type { DecisionView, ShownValue } from '@countersign/proof/decision-view.ts'
import type { Decision, InboxItem } from '@countersign/sdk'
import { asksForPasskey, asksForTwo } from '../../decision/read.ts'

/** At once; what is more waits for the next time. */
export const mostTogether = 50

/** Why a decision cannot be approved together with others. */
export type Apart = 'notOpened' | 'passkey' | 'two' | 'changed' | 'tooMuch' | 'mine' | 'more'

export interface Taken {
  readonly item: InboxItem
  /** As it was shown: it is approved by this digest or not at all. */
  readonly decision: Decision
  readonly view: DecisionView
}

/** Null: it can be in a batch. `decision` is what was read, or null for one that was not. */
export function apartOf(item: InboxItem, taken: Taken | null, actorId: string): Apart | null {
  if (!item.opened) return 'notOpened'
  if (!taken) return 'more'
  const { decision, view } = taken
  const { waiting, approvals } = decision
  if (asksForPasskey(decision)) return 'passkey'
  // A policy of which only the name is known may ask for anything.
  if (!waiting || waiting.rules.length < waiting.policies.length || decision.status !== 'recorded') return 'changed'
  if (approvals.some(({ approver, takenBackAt }) => approver.id === actorId && !takenBackAt)) return 'mine'
  if (asksForTwo(decision) || approvals.length > 0) return 'two'
  return view.size.fits ? null : 'tooMuch'
}

export interface Columns {
  /** What all have, with the same text. */
  readonly same: readonly ShownValue[]
  /** One of each column, for its name and its limits. */
  readonly heads: readonly ShownValue[]
  /** One row per decision, one cell per column; null where a decision has no such value. */
  readonly cells: readonly (readonly (ShownValue | null)[])[]
}

const isEqual = (one: ShownValue, other: ShownValue | undefined): boolean =>
  one.text === other?.text && one.kind === other.kind && one.limits.join() === other.limits.join()

/** In the order of the first view that has them. */
export function columnsOf(rows: readonly (readonly ShownValue[])[]): Columns {
  const byPath = rows.map((values) => new Map(values.map((value) => [value.path, value])))
  const all = new Map(rows.flat().map((value) => [value.path, value]))
  const first = byPath[0] ?? new Map<string, ShownValue>()
  const ordered = [...new Map([...first, ...all]).values()]
  const isSame = (value: ShownValue) => byPath.length > 1 && byPath.every((row) => isEqual(value, row.get(value.path)))
  const heads = ordered.filter((value) => !isSame(value))
  return {
    same: ordered.filter(isSame),
    heads,
    cells: byPath.map((row) => heads.map(({ path }) => row.get(path) ?? null)),
  }
}

export interface Group {
  readonly type: string
  readonly rows: readonly Taken[]
  readonly values: Columns
  readonly said: Columns
}

/** Decisions of one type have the same columns. */
export function groupsOf(taken: readonly Taken[]): readonly Group[] {
  const types = Map.groupBy(taken, ({ decision }) => decision.action.type)
  return [...types].map(([type, rows]) => ({
    type,
    rows,
    values: columnsOf(rows.map(({ view }) => [...view.read, ...view.others, ...view.beside])),
    said: columnsOf(rows.map(({ view }) => view.said)),
  }))
}
