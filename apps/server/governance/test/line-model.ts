/**
 * Every order in which four people can approve under two lines of up to three steps, and under a line that is new halfway. Each
 * state is reached by the real machine and held against what must be true of all of them.
 */
import type { PolicyStep } from '@countersign/contract/policy-body.ts'
import { isFull, type Line, lineName, openSteps, placesIn, placesOf } from '@countersign/proof/line.ts'
import {
  type Candidate,
  canFinish,
  type Lines,
  type LineTurn,
  linesAfter,
  linesWith,
  type People,
  type PlacedApproval,
  whoseTurn,
} from '../line.ts'

const steps: readonly PolicyStep[] = [
  { roles: ['ADMIN'] },
  { roles: ['INSTRUCTOR'] },
  { actorIds: ['kim'] },
  { roles: ['ADMIN'], escalateTo: { actorIds: ['lee'], afterSeconds: 60 } },
  { groupIds: ['grp_1'] },
  { count: 2 },
]

/** All lines of one to three steps. */
export const bodies: readonly (readonly PolicyStep[])[] = [1, 2, 3].flatMap((length) =>
  Array.from({ length: steps.length ** length }, (_, at) =>
    Array.from({ length }, (_, place) => steps[Math.floor(at / steps.length ** place) % steps.length] as PolicyStep),
  ),
)

export const lineAt = (at: number, policyId: string, version = 1): Line => ({
  policyId,
  version,
  steps: bodies[at] as readonly PolicyStep[],
  isShort: false,
})

const member = (actorId: string, role: 'ADMIN' | 'INSTRUCTOR', groupIds: string[], ...others: string[]): Candidate => ({
  actorId,
  roles: [role],
  groupIds,
  ids: new Set([actorId, ...others]),
})

export interface World {
  readonly people: People
  /** Who may approve for whom. */
  readonly deputies: readonly (readonly [deputy: string, absent: string])[]
}

const plain = [
  member('kim', 'ADMIN', ['grp_1']),
  member('lee', 'INSTRUCTOR', ['grp_1']),
  member('park', 'ADMIN', []),
  member('choi', 'INSTRUCTOR', []),
]
const together = (one: string, other: string): readonly Candidate[] =>
  plain.map((each) => {
    const beside = each.actorId === one ? [other] : each.actorId === other ? [one] : []
    return { ...each, ids: new Set([each.actorId, ...beside]) }
  })
/** Four people; three, one of whom has two accounts; four, one of whom is the deputy of another. */
export const worlds: readonly World[] = [
  { people: { candidates: plain }, deputies: [] },
  { people: { candidates: together('lee', 'choi') }, deputies: [] },
  { people: { candidates: together('kim', 'park') }, deputies: [['park', 'kim']] },
]

export interface Model {
  readonly lines: readonly Line[]
  /** In force after the second approval. */
  readonly added: Line | null
  readonly world: World
}

/** Long enough for the escalation, in milliseconds. */
const later = 100_000
const askedOf = (lines: readonly Line[]): Lines => ({ lines, identity: 'session', since: 0, actor: 'agent-7' })

function approvalsOf({ people: { candidates }, deputies }: World, at: number): readonly PlacedApproval[] {
  const find = (id: string) => candidates.find(({ actorId }) => actorId === id) as Candidate
  const own = candidates.map((person) => ({ person, own: new Set([person.actorId]), ids: person.ids as Set<string> }))
  const absent = deputies.map(([deputy, id]) => ({
    person: find(id),
    own: new Set([deputy, id]),
    ids: new Set([...(find(deputy).ids ?? []), ...(find(id).ids ?? [])]),
  }))
  return [...own, ...absent].map((each) => ({ ...each, level: 'session', at }))
}

/** What is remembered of an approval that was given. */
function given(approval: PlacedApproval, before: readonly LineTurn[], after: readonly LineTurn[]): PlacedApproval {
  const taken = new Map(
    after.flatMap(({ line, seats }, at) => {
      const count = seats.length - (before[at] as LineTurn).seats.length
      return count > 0 ? [[lineName(line), count] as const] : []
    }),
  )
  return { ...approval, taken, seen: new Set(after.map(({ line }) => lineName(line))), roles: approval.person.roles }
}

const seatsOf = (turns: readonly LineTurn[]) =>
  turns.map(({ seats }) => seats.map(({ step, given: { own } }) => `${step}${[...own].join('+')}`).join())

export interface Counts {
  states: number
  finished: number
  /** States in which nobody can act, and which the check had foretold. */
  foretold: number
}

/** A sentence about a state that must not be; null where all is well. */
export function fault({ lines, added, world }: Model, counts: Counts): string | null {
  const { people } = world
  const linesAt = (count: number) => (added && count >= 2 ? [...lines, added] : lines)
  const could = canFinish(askedOf(linesAt(9)), linesAfter(askedOf(linesAt(9)), [], people), people)
  const seen = new Set<string>()

  function visit(history: readonly PlacedApproval[]): string | null {
    const asked = askedOf(linesAt(history.length))
    const turns = linesAfter(asked, history, people)
    const key = `${asked.lines.length} ${seatsOf(turns).join(' | ')} ${history.map(({ own }) => [...own].join('+')).join()}`
    if (seen.has(key)) return null
    seen.add(key)
    counts.states++
    const wrong = unsound(turns) ?? (history.length > 0 ? moved(asked, turns, history) : null)
    if (wrong) return `${wrong}: ${key}`
    const isDone = turns.every(isFull)
    if (isDone && asked.lines.length === linesAt(9).length) {
      counts.finished++
      return null
    }
    const at = (history.length + 1) * later
    if (!isDone && whoseTurn(asked, turns, people, at).length === 0) {
      if (could.every(Boolean)) return `nobody can act, and every line could be filled: ${key}`
      counts.foretold++
    }
    // A line that could be filled stays one.
    const can = canFinish(asked, turns, people)
    if (can.some((now, line) => could[line] && !now)) return `a line can no longer be filled: ${key}`
    for (const approval of approvalsOf(world, at)) {
      const after = linesWith(asked, turns, approval, people)
      if (after.every((turn, line) => turn === turns[line])) continue
      const next = [...history, given(approval, turns, after)]
      const again = linesAfter(asked, next, people)
      if (seatsOf(again).join() !== seatsOf(after).join())
        return `the replay differs: ${key}, then ${[...approval.own]}`
      const found = visit(next)
      if (found) return found
    }
    return null
  }
  return visit([])

  /** Places that were given stay, whoever of the others leaves. What fills a line that is new since is judged by those of now. */
  function moved(asked: Lines, turns: readonly LineTurn[], history: readonly PlacedApproval[]): string | null {
    const seats = (of: readonly LineTurn[]) => seatsOf(of.slice(0, lines.length)).join('|')
    for (const gone of people.candidates) {
      if (history.some(({ own }) => own.has(gone.actorId))) continue
      const candidates = people.candidates.filter((each) => each !== gone)
      const without = linesAfter(asked, history, { candidates })
      if (seats(without) !== seats(turns)) return `a place is lost when ${gone.actorId} leaves`
    }
    return null
  }
}

/** What is true of every state: places in order, none too many, one person each. */
function unsound(turns: readonly LineTurn[]): string | null {
  for (const turn of turns) {
    const { line, seats, step } = turn
    if (seats.length + openSteps(turn).length !== placesIn(line)) return 'a place is missing'
    if (seats.some((seat, at) => at > 0 && seat.step < (seats[at - 1]?.step ?? 0))) return 'a step before its time'
    for (const [at, text] of line.steps.entries()) {
      const filled = seats.filter((seat) => seat.step === at).length
      if (at < step ? filled !== placesOf(text) : at > step && filled > 0) return 'a step is skipped'
    }
    for (const [at, one] of seats.entries()) {
      for (const other of seats.slice(at + 1)) {
        if ([...one.given.own].some((id) => other.given.ids.has(id))) return 'one person in two places'
      }
    }
  }
  return null
}
