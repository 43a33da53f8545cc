/** Who could fill the steps of a line today: members whom it admits, who hold a passkey where it asks for one. Pure. */
import type { RequiredIdentity } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { Line, StepText } from '@countersign/proof/line.ts'
import { admission, canFinish, levelOf } from '../../../governance/line.ts'
import type { Approvable } from './check-queries.ts'

export type Able = Approvable['members'][number] & { readonly ids: ReadonlySet<string> }

/** Accounts of one person are one candidate in a line. */
export function candidatesOf(members: Approvable['members']): readonly Able[] {
  const accounts = Map.groupBy(members, ({ person }) => person)
  return members.map((member) => ({
    ...member,
    ids: new Set((accounts.get(member.person) ?? []).map(({ actorId }) => comparableId(actorId))),
  }))
}

export const personsAmong = (able: readonly Able[]): number => new Set(able.map(({ person }) => person)).size

/** Long enough for every escalation. */
const atLast = Number.POSITIVE_INFINITY
export const admittedBy = ({ isShort }: Line, step: StepText, able: readonly Able[]): readonly Able[] =>
  able.filter((who) => admission(step, who, atLast, isShort) !== null)

interface Asked {
  readonly identity: RequiredIdentity
}

export const ableAt = (asked: Asked, line: Line, step: StepText, able: readonly Able[]): readonly Able[] =>
  admittedBy(line, step, levelOf(asked, step) === 'passkey' ? able.filter(({ signs }) => signs) : able)

const mostNamed = 10

/** Accounts of one person count once. */
export const shownPeople = (who: readonly Able[]) => ({
  people: who.slice(0, mostNamed).map(({ actorId, name }) => ({ actorId, name })),
  peopleCount: personsAmong(who),
})

/** Whether these people could fill the whole line, one place each. */
export function fills(asked: Asked, line: Line, able: readonly Able[]): boolean {
  // By name, so that a step admits only those who hold what it asks for.
  const steps = line.steps.map(({ count, ...step }) => ({
    ...(count !== undefined && { count }),
    actorIds: ableAt(asked, line, step, able).map(({ actorId }) => actorId),
  }))
  const narrowed = { ...line, steps }
  const begun = { line: narrowed, seats: [], step: 0, after: null }
  const lines = { lines: [narrowed], identity: asked.identity, since: 0, actor: '' }
  return canFinish(lines, [begun], { candidates: able }).every(Boolean)
}
