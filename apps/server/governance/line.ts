/**
 * Who fills which place of which line. From the policies that ask, the approvals that count and the people of the center: the filled
 * places, whose turn it is, and whether all lines are full. Pure: sealing, `policies/check`, the inbox and messages ask here.
 */
import {
  type ActorRole,
  approverRoles,
  type RequiredIdentity,
  requiredIdentities,
} from '@countersign/contract/enums.ts'
import {
  type AdmittedBy,
  isFull,
  type Line,
  lineName,
  openSteps,
  replayed,
  type StepText,
  type Turn,
} from '@countersign/proof/line.ts'
import { comparableId } from '../lib/comparable-id.ts'

/** Somebody who may be asked. A person whom only a claim names has no role and is in no group. */
export interface Candidate {
  readonly actorId: string
  readonly role: ActorRole | null
  readonly groupIds?: readonly string[]
  /** The comparable ids of everybody who counts as this person; by default their own. */
  readonly ids?: ReadonlySet<string>
}

/** An approval, or one that is about to be given. */
export interface PlacedApproval {
  /** Whose place it fills: of an approval by a deputy, the member who is absent. */
  readonly person: Candidate
  readonly level: string
  /** Everybody who counts as the approver, the absent member among them; comparable. */
  readonly ids: ReadonlySet<string>
  /** When it was given, in milliseconds. */
  readonly at: number
  /** How many places of which line, by name, it got when it was given; undefined before it is judged for the first time. */
  readonly taken?: ReadonlyMap<string, number>
  /** The lines in which its person was kept for a later place when it was given. */
  readonly withheld?: ReadonlySet<string>
  /**
   * The member who asked for a change of rules fills the places that nobody else could: none of these people, who could in the last
   * month.
   */
  readonly alone?: readonly Candidate[]
}

export interface Lines {
  readonly lines: readonly Line[]
  /** The highest level of all policies that ask. */
  readonly identity: RequiredIdentity
  /** When the decision began to wait, in milliseconds. */
  readonly since: number
  /** The decision's own actor, who fills no place; comparable. */
  readonly actor: string
}

export interface People {
  /** Everybody who may approve now. A member and their deputies count as one person, as accounts of one person do. */
  readonly candidates: readonly Candidate[]
}

export type LineTurn = Turn<PlacedApproval>

const rank = (level: string): number => (requiredIdentities as readonly string[]).indexOf(level)

const idsOf = ({ ids, actorId }: Candidate): ReadonlySet<string> => ids ?? new Set([comparableId(actorId)])
const meet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].some((id) => other.has(id))

/** By what a step admits a person once it has been the current one for so many seconds. */
export function admission(step: StepText, who: Candidate, waited: number, isShort: boolean): AdmittedBy | null {
  const { role, actorId, groupIds = [] } = who
  if (role !== null && !approverRoles.some((each) => each === role)) return null
  const id = comparableId(actorId)
  const names = (ids: readonly string[] | undefined) => ids?.some((each) => comparableId(each) === id) === true
  if (names(step.actorIds)) return 'person'
  // A claim names somebody of whom the service knows nothing: a step of a line has to name them too.
  if (!step.roles && !step.actorIds && !step.groupIds) return role !== null || isShort ? 'role' : null
  if (step.roles?.some((each) => each === role)) return 'role'
  if (step.groupIds?.some((each) => groupIds.includes(each))) return 'group'
  const { escalateTo } = step
  if (!escalateTo || waited < escalateTo.afterSeconds) return null
  return escalateTo.roles?.some((each) => each === role) || names(escalateTo.actorIds) ? 'escalation' : null
}

const stepAt = ({ steps }: Line, at: number): StepText => steps[at] as StepText

/** The level that a place of this step asks for. */
export const levelOf = ({ identity }: Pick<Lines, 'identity'>, step: StepText): RequiredIdentity =>
  step.identity !== undefined && rank(step.identity) > rank(identity) ? (step.identity as RequiredIdentity) : identity

/** For how many seconds the current step has been the current one. */
export const waitedOf = ({ after }: LineTurn, since: number, at: number): number => (at - (after?.at ?? since)) / 1000

/** Long enough for every escalation. */
const atLast = Number.POSITIVE_INFINITY

/** How many of the places, given by their steps, these people can fill, one each. */
function fillable(line: Line, steps: readonly number[], candidates: readonly Candidate[]): number {
  const persons = distinct(candidates)
  const admitted = steps.map((at) =>
    persons.flatMap((accounts, person) =>
      accounts.some((who) => admission(stepAt(line, at), who, atLast, line.isShort) !== null) ? [person] : [],
    ),
  )
  const holder = new Map<number, number>()
  const find = (place: number, tried: Set<number>): boolean =>
    (admitted[place] as readonly number[]).some((person) => {
      if (tried.has(person)) return false
      tried.add(person)
      const other = holder.get(person)
      if (other !== undefined && !find(other, tried)) return false
      holder.set(person, place)
      return true
    })
  return steps.filter((_, place) => find(place, new Set())).length
}

const canFill = (line: Line, steps: readonly number[], candidates: readonly Candidate[]): boolean =>
  fillable(line, steps, candidates) === steps.length

/** Accounts of one person together. */
function distinct(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  let persons: readonly { readonly ids: ReadonlySet<string>; readonly accounts: readonly Candidate[] }[] = []
  for (const each of candidates) {
    const ids = idsOf(each)
    const same = persons.filter((person) => meet(person.ids, ids))
    const joined = {
      ids: new Set([...ids, ...same.flatMap((person) => [...person.ids])]),
      accounts: [each, ...same.flatMap(({ accounts }) => accounts)],
    }
    persons = [...persons.filter((person) => !same.includes(person)), joined]
  }
  return persons.map(({ accounts }) => accounts)
}

const isActor = ({ actor }: Lines, ids: ReadonlySet<string>): boolean => ids.has(actor)

/** Those who have no place in the line yet and are not the actor. */
const others = (asked: Lines, { seats }: LineTurn, { candidates }: People, without: ReadonlySet<string> = new Set()) =>
  candidates.filter((each) => {
    const ids = idsOf(each)
    return !isActor(asked, ids) && !meet(ids, without) && !seats.some(({ given }) => meet(given.ids, ids))
  })

/** What a person can do in a line now. */
export type Standing =
  | { readonly kind: 'place'; readonly by: AdmittedBy }
  /** They have a place already. */
  | { readonly kind: 'seated' }
  /** It is not their turn: a later step is theirs. */
  | { readonly kind: 'later'; readonly step: number }
  /** The place asks for a higher level. */
  | { readonly kind: 'level'; readonly level: RequiredIdentity }
  | { readonly kind: 'none' }

export function standingIn(asked: Lines, turn: LineTurn, given: PlacedApproval, people: People): Standing {
  const { line, seats, step } = turn
  if (given.alone) return aloneIn(asked, turn, given, given.alone)
  if (seats.some((seat) => meet(seat.given.ids, given.ids))) return { kind: 'seated' }
  if (isFull(turn)) return { kind: 'none' }
  const name = lineName(line)
  const waited = waitedOf(turn, asked.since, given.at)
  const by = admission(stepAt(line, step), given.person, waited, line.isShort)
  const later = line.steps.findIndex(
    (each, at) => at > step && admission(each, given.person, atLast, line.isShort) !== null,
  )
  if (by === null) return later < 0 ? { kind: 'none' } : { kind: 'later', step: later }
  const level = levelOf(asked, stepAt(line, step))
  if (rank(given.level) < rank(level)) return { kind: 'level', level }
  if (given.taken?.has(name)) return { kind: 'place', by }
  if (given.withheld?.has(name) || isNeededLater(asked, turn, given, people)) {
    return { kind: 'later', step: later < 0 ? step : later }
  }
  return { kind: 'place', by }
}

/** The line could be filled, and no longer if this person took the place of the current step: somebody else has to. */
function isNeededLater(asked: Lines, turn: LineTurn, { ids }: PlacedApproval, people: People): boolean {
  const [, ...rest] = openSteps(turn)
  if (rest.length === 0 || canFill(turn.line, rest, others(asked, turn, people, ids))) return false
  return canFill(turn.line, openSteps(turn), others(asked, turn, people))
}

/** Of the places that the others cannot fill together, the current one. */
function aloneIn(asked: Lines, turn: LineTurn, given: PlacedApproval, able: readonly Candidate[]): Standing {
  const { line, seats } = turn
  const own = seats.filter((seat) => seat.given === given).length
  const stated = given.taken?.get(lineName(line))
  if (isFull(turn) || (stated !== undefined && own >= stated)) return { kind: own > 0 ? 'seated' : 'none' }
  const open = openSteps(turn)
  const free = others(asked, turn, { candidates: able }, given.ids)
  if (stated !== undefined || fillable(line, open, free) === fillable(line, open.slice(1), free)) {
    return { kind: 'place', by: 'role' }
  }
  return own > 0 ? { kind: 'seated' } : { kind: 'later', step: turn.step }
}

/** The lines after the approvals, oldest first. An approval without a place has the count 0. */
export const linesAfter = (asked: Lines, approvals: readonly PlacedApproval[], people: People) =>
  replayed(asked.lines, approvals, (turn: LineTurn, given) => {
    const standing = standingIn(asked, turn, given, people)
    return standing.kind === 'place' ? standing.by : null
  })

/** The members whose turn it is now: in some line, the current step admits them and they would get a place. */
export function whoseTurn(asked: Lines, turns: readonly LineTurn[], people: People, at: number): readonly Candidate[] {
  return people.candidates.filter((person) => {
    const given = { person, ids: idsOf(person), level: 'passkey', at }
    return (
      !isActor(asked, given.ids) &&
      turns.some((turn) => !isFull(turn) && standingIn(asked, turn, given, people).kind === 'place')
    )
  })
}

/** Whether the people of now, and escalations, could fill all places that are empty; each line by itself. */
export const canFinish = (asked: Lines, turns: readonly LineTurn[], people: People): readonly boolean[] =>
  turns.map((turn) => canFill(turn.line, openSteps(turn), others(asked, turn, people)))
