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
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { EarlierAdmitted } from '@countersign/proof/control.ts'
import {
  type AdmittedBy,
  advanced,
  isFull,
  type Line,
  lineName,
  openSteps,
  replayed,
  type StepText,
  type Turn,
} from '@countersign/proof/line.ts'

/** Somebody who may be asked. A person whom only a claim names has no roles (null) and is in no group. */
export interface Candidate {
  readonly actorId: string
  readonly roles: readonly ActorRole[] | null
  /** By role, the index in `history` of the entry by which it counts; of roles that count only. */
  readonly roleSince?: RoleSince
  /** Those of the roles that count already; all where it is absent. */
  readonly counting?: readonly ActorRole[]
  readonly groupIds?: readonly string[]
  /** By group, the index in `history` of the entry by which they are in it. */
  readonly groupSince?: ReadonlyMap<string, number>
  /** The comparable ids of everybody who counts as this person, deputies among them; by default their own. */
  readonly ids?: ReadonlySet<string>
  /** The ids of their own accounts; by default all of these. */
  readonly accounts?: ReadonlySet<string>
}

/** As stored with an approval. */
export type RoleSince = Readonly<Partial<Record<ActorRole, number>>>

/** An approval, or one that is about to be given. */
export interface PlacedApproval {
  /** Whose place it fills: of an approval by a deputy, the member who is absent. */
  readonly person: Candidate
  readonly level: string
  /** The approver, who vouches for them and the member who is absent; comparable. */
  readonly own: ReadonlySet<string>
  /** These, and everybody who counts as one of them: accounts with the same address, and deputies. */
  readonly ids: ReadonlySet<string>
  /** When it was given, in milliseconds. */
  readonly at: number
  /** How many places of which line, by name, it got when it was given; undefined before it is judged for the first time. */
  readonly taken?: ReadonlyMap<string, number>
  /**
   * The names of all lines that there were when it was given. In those it has the places that it got then, and no other: whoever was
   * kept for a later step, counted as somebody with a place, or had another role then approves again.
   */
  readonly seen?: ReadonlySet<string>
  /** The roles of its person when it was given: what they became since counts for nothing that they gave before. */
  readonly roles?: readonly ActorRole[] | null
  /**
   * The member who asked for a change of rules fills the places that nobody else could: none of these people, who could in the last
   * month.
   */
  readonly alone?: readonly Candidate[]
  /** Given in an emergency: it fills all open places of the lines whose own policy lets its person, and none of any other. */
  readonly emergency?: boolean
}

export interface Lines {
  readonly lines: readonly Line[]
  /** The highest level of all policies that ask. */
  readonly identity: RequiredIdentity
  /** When the decision began to wait, in milliseconds. */
  readonly since: number
  /** The decision's own actor, who fills no place; comparable. */
  readonly actor: string
  /** Whose approval is to be confirmed: they, and everybody who counts as one of them, fill no place. */
  readonly without?: readonly Pick<PlacedApproval, 'own' | 'ids'>[]
}

export interface People {
  /** Everybody who may approve now. A member and their deputies count as one person, as accounts of one person do. */
  readonly candidates: readonly Candidate[]
}

export type LineTurn = Turn<PlacedApproval>

const rank = (level: string): number => (requiredIdentities as readonly string[]).indexOf(level)

const idsOf = ({ ids, actorId }: Candidate): ReadonlySet<string> => ids ?? new Set([comparableId(actorId)])
const ownOf = ({ actorId }: Candidate): ReadonlySet<string> => new Set([comparableId(actorId)])
const meet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => [...one].some((id) => other.has(id))

type Somebody = Pick<PlacedApproval, 'own' | 'ids'>
const somebody = (who: Candidate): Somebody => ({ own: ownOf(who), ids: idsOf(who) })
/** One hop: two people who each share an address with a third are two. */
const isSame = (one: Somebody, other: Somebody): boolean => meet(one.own, other.ids) || meet(other.own, one.ids)

const rolesAmong = (named: readonly string[] = [], roles: readonly ActorRole[] | null): readonly ActorRole[] =>
  roles?.filter((each) => named.includes(each)) ?? []

/** By what a step admits a person once it has been the current one for so many seconds. */
export function admission(step: StepText, who: Candidate, waited: number, isShort: boolean): AdmittedBy | null {
  const { roles, actorId, groupIds = [] } = who
  if (roles !== null && !approverRoles.some((each) => roles.includes(each))) return null
  const id = comparableId(actorId)
  const names = (ids: readonly string[] | undefined) => ids?.some((each) => comparableId(each) === id) === true
  if (names(step.actorIds)) return 'person'
  // A claim names somebody of whom the service knows nothing: a step of a line has to name them too.
  if (!step.roles && !step.actorIds && !step.groupIds) return roles !== null || isShort ? 'role' : null
  if (rolesAmong(step.roles, roles).length > 0) return 'role'
  if (step.groupIds?.some((each) => groupIds.includes(each))) return 'group'
  const { escalateTo } = step
  if (!escalateTo || waited < escalateTo.afterSeconds) return null
  return rolesAmong(escalateTo.roles, roles).length > 0 || names(escalateTo.actorIds) ? 'escalation' : null
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

/** Accounts of one person together. In one pass over all ids: a center may have hundreds of people. */
function distinct(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const holders = new Map<string, number[]>()
  for (const [at, who] of candidates.entries()) {
    for (const id of idsOf(who)) holders.set(id, [...(holders.get(id) ?? []), at])
  }
  const group = candidates.map((_, at) => at)
  const rootOf = (at: number): number => (group[at] === at ? at : rootOf(group[at] as number))
  for (const [at, who] of candidates.entries()) {
    for (const id of ownOf(who)) for (const other of holders.get(id) ?? []) group[rootOf(other)] = rootOf(at)
  }
  return [...Map.groupBy(candidates.keys(), rootOf).values()].map((places) =>
    places.map((at) => candidates[at] as Candidate),
  )
}

/** The deputy of the actor may approve. */
const isActor = ({ actor }: Lines, who: Candidate): boolean => (who.accounts ?? idsOf(who)).has(actor)

const isExcluded = ({ without = [] }: Lines, who: Somebody): boolean => without.some((each) => isSame(each, who))

/** Those who have no place in the line yet and are not the actor. */
const others = (asked: Lines, { seats }: LineTurn, { candidates }: People, without?: Somebody) =>
  candidates.filter((each) => {
    const who = somebody(each)
    if (isActor(asked, each) || (without && isSame(who, without)) || isExcluded(asked, who)) return false
    return !seats.some(({ given }) => isSame(given, who))
  })

/** What a person can do in a line now. */
export type Standing =
  | { readonly kind: 'place'; readonly by: AdmittedBy }
  /** They have a place already. */
  | { readonly kind: 'seated' }
  /** It is not their turn: a later step is theirs, or cannot do without them. */
  | { readonly kind: 'later'; readonly step: number }
  /** The place asks for a higher level. */
  | { readonly kind: 'level'; readonly level: RequiredIdentity }
  /** In an emergency: nobody else could confirm it. */
  | { readonly kind: 'unconfirmable' }
  | { readonly kind: 'none' }

export function standingIn(asked: Lines, turn: LineTurn, given: PlacedApproval, people: People): Standing {
  const { line, seats, step } = turn
  if (given.alone) return aloneIn(asked, turn, given, given.alone)
  if (given.emergency) return urgentIn(asked, turn, given, people)
  if (isExcluded(asked, given)) return { kind: 'none' }
  if (seats.some((seat) => isSame(seat.given, given))) return { kind: 'seated' }
  if (isFull(turn)) return { kind: 'none' }
  const name = lineName(line)
  const waited = waitedOf(turn, asked.since, given.at)
  const by = admissionOf(stepAt(line, step), given, waited, line.isShort)
  const later = line.steps.findIndex(
    (each, at) => at > step && admission(each, given.person, atLast, line.isShort) !== null,
  )
  if (by === null) return later < 0 ? { kind: 'none' } : { kind: 'later', step: later }
  const level = levelOf(asked, stepAt(line, step))
  if (rank(given.level) < rank(level)) return { kind: 'level', level }
  if (given.taken?.has(name)) return { kind: 'place', by }
  if (given.seen?.has(name)) return { kind: 'none' }
  if (isNeededLater(asked, turn, given, people)) {
    return { kind: 'later', step: later < 0 ? step : later }
  }
  return { kind: 'place', by }
}

/** Whether a line lets this person stand for all of it. A claim names nobody whom the service knows. */
export const isUrgent = ({ emergency }: Line, given: Pick<PlacedApproval, 'person' | 'roles' | 'level'>): boolean =>
  emergency !== undefined && given.level !== 'claim' && admissionOf(emergency, given, 0, false) !== null

/** Whoever has a place already may take the others too: the line has to confirm those without them. */
function urgentIn(asked: Lines, turn: LineTurn, given: PlacedApproval, people: People): Standing {
  const { line } = turn
  const name = lineName(line)
  if (isFull(turn)) return { kind: turn.seats.some((seat) => seat.given === given) ? 'seated' : 'none' }
  const isSeen = given.seen?.has(name) === true && given.taken?.has(name) !== true
  if (isSeen || !isUrgent(line, given)) return { kind: 'none' }
  const level = highestOf(asked, line)
  if (rank(given.level) < rank(level)) return { kind: 'level', level }
  const isNew = given.taken === undefined
  if (isNew && !canFill(line, openSteps(turn), others(asked, turn, people, given))) return { kind: 'unconfirmable' }
  return { kind: 'place', by: 'emergency' }
}

/** The highest level that a place of the line asks for. */
export const highestOf = (asked: Pick<Lines, 'identity'>, { steps }: Line): RequiredIdentity =>
  steps
    .map((step) => levelOf(asked, step))
    .reduce((highest, each) => (rank(each) > rank(highest) ? each : highest), asked.identity)

/** By the roles of now, and where those are others than when it was given, by the earlier ones too. */
function admissionOf(
  step: StepText,
  { person, roles }: Pick<PlacedApproval, 'person' | 'roles'>,
  waited: number,
  isShort: boolean,
) {
  const by = admission(step, person, waited, isShort)
  if (by === null || roles === undefined || roles?.join() === person.roles?.join()) return by
  return admission(step, { ...person, roles }, waited, isShort)
}

/** The line could be filled, and no longer if this person took the place of the current step: somebody else has to. */
function isNeededLater(asked: Lines, turn: LineTurn, given: PlacedApproval, people: People): boolean {
  const [, ...rest] = openSteps(turn)
  if (rest.length === 0 || canFill(turn.line, rest, others(asked, turn, people, given))) return false
  return canFill(turn.line, openSteps(turn), others(asked, turn, people))
}

/** Of the places that the others cannot fill together, the current one. */
function aloneIn(asked: Lines, turn: LineTurn, given: PlacedApproval, able: readonly Candidate[]): Standing {
  const { line, seats } = turn
  const own = seats.filter((seat) => seat.given === given).length
  const stated = given.taken && (given.taken.get(lineName(line)) ?? 0)
  if (isFull(turn) || (stated !== undefined && own >= stated)) return { kind: own > 0 ? 'seated' : 'none' }
  const level = levelOf(asked, stepAt(line, turn.step))
  if (rank(given.level) < rank(level)) return { kind: 'level', level }
  // Who was in a group a month ago is not known, so a place of a group is never one that nobody else could fill.
  if (stated === undefined && stepAt(line, turn.step).groupIds) return { kind: 'later', step: turn.step }
  const open = openSteps(turn)
  const free = others(asked, turn, { candidates: able }, given)
  if (stated !== undefined || fillable(line, open, free) === fillable(line, open.slice(1), free)) {
    return { kind: 'place', by: 'role' }
  }
  return own > 0 ? { kind: 'seated' } : { kind: 'later', step: turn.step }
}

const admits = (asked: Lines, people: People) => (turn: LineTurn, given: PlacedApproval) => {
  const standing = standingIn(asked, turn, given, people)
  return standing.kind === 'place' ? standing.by : null
}

/** The lines after the approvals, oldest first. */
export const linesAfter = (asked: Lines, approvals: readonly PlacedApproval[], people: People): readonly LineTurn[] =>
  replayed(asked.lines, approvals, admits(asked, people))

/** The lines after one more approval. */
export const linesWith = (
  asked: Lines,
  turns: readonly LineTurn[],
  given: PlacedApproval,
  people: People,
): readonly LineTurn[] => turns.map((turn) => advanced(turn, given, admits(asked, people)))

/** Whether the others could confirm what this person approved in an emergency in place of the whole line. */
export function couldBeConfirmed(line: Line, user: Candidate, candidates: readonly Candidate[]): boolean {
  const asked: Lines = { lines: [line], identity: 'claim', since: 0, actor: '', without: [somebody(user)] }
  return canFinish(
    asked,
    replayed<PlacedApproval>([line], [], () => null),
    { candidates },
  ).every(Boolean)
}

/** As if this person approved now, at the highest level. */
export const asGiven = (person: Candidate, at: number): PlacedApproval => ({
  person,
  ...somebody(person),
  level: 'passkey',
  at,
})

/** The members whose turn it is now: in some line, the current step admits them and they would get a place. */
export function whoseTurn(asked: Lines, turns: readonly LineTurn[], people: People, at: number): readonly Candidate[] {
  return people.candidates.filter((person) => {
    const given = asGiven(person, at)
    return (
      !isActor(asked, person) &&
      turns.some((turn) => !isFull(turn) && standingIn(asked, turn, given, people).kind === 'place')
    )
  })
}

/** Who could fill a place of the current step now, or of a later one if it were the current one. */
export const ableAt = (asked: Lines, turn: LineTurn, step: number, people: People, at: number): readonly Candidate[] =>
  others(asked, turn, people).filter((person) => {
    if (step > turn.step) return admission(stepAt(turn.line, step), person, 0, turn.line.isShort) !== null
    return standingIn(asked, turn, asGiven(person, at), people).kind === 'place'
  })

/** Whether the people of now, and escalations, could fill all places that are empty; each line by itself. */
export const canFinish = (asked: Lines, turns: readonly LineTurn[], people: People): readonly boolean[] =>
  turns.map((turn) => canFill(turn.line, openSteps(turn), others(asked, turn, people)))

/** Whether a step of some line admits this person, now or later. */
export const admittedSometime = ({ lines }: Pick<Lines, 'lines'>, who: Candidate): boolean =>
  lines.some(({ steps, isShort }) => steps.some((step) => admission(step, who, atLast, isShort) !== null))

/** A place that an approval fills, as it is sealed. */
export interface Place {
  readonly policyId: string
  readonly version: number
  readonly step: number
  readonly by: AdmittedBy
  /** The index in `history` of the entry by which the person is in the group, or by which the role that admits them counts. */
  readonly since?: number
}

/** The places of one approval, by lines. */
export const placesIn = (turns: readonly LineTurn[], given: PlacedApproval): readonly Place[] =>
  turns.flatMap(({ line, seats }) =>
    seats.flatMap(({ step, by, given: each }) => {
      if (each !== given) return []
      const { policyId, version } = line
      const from = by === 'emergency' ? (line.emergency ?? {}) : stepAt(line, step)
      const isOfGroup = by === 'group' || (by === 'emergency' && admissionOf(from, given, 0, false) === 'group')
      const groups = isOfGroup ? (from.groupIds ?? []) : []
      const since = isOfGroup
        ? groups.flatMap((id) => given.person.groupSince?.get(id) ?? [])
        : sinceOfRoles(from, by, given.person)
      return [{ policyId, version, step, by, ...(since.length > 0 && { since: Math.min(...since) }) }]
    }),
  )

/** Of the roles by which the step admits the person, or of all where it does not name one. */
function sinceOfRoles(step: StepText, by: AdmittedBy, { roles, roleSince = {} }: Candidate): readonly number[] {
  const named = rolesAmong(by === 'escalation' ? step.escalateTo?.roles : step.roles, roles)
  const admitting = named.length > 0 && by !== 'person' ? named : (roles ?? [])
  return admitting.flatMap((role) => roleSince[role] ?? [])
}

/** Whether these people, of whom no group is known, could fill a whole line, one place each. */
export const canFillAll = (line: Line, candidates: readonly Candidate[]): boolean =>
  canFill(
    line,
    line.steps.flatMap((step, at) => (step.groupIds ? [] : Array.from({ length: step.count ?? 1 }, () => at))),
    candidates,
  )

/** As sealed: by which entry of the history the person counts, the later of two. An approval without a place says it too. */
export const placesSince = (places: readonly Place[], since: number): readonly (Place | EarlierAdmitted)[] =>
  places.length > 0 ? places.map((place) => ({ ...place, since: Math.max(since, place.since ?? 0) })) : [{ since }]
