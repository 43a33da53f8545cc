/**
 * Checks the places that a seal gives to its approvals. Without the texts of the policies only what the seal says of itself; with
 * them the lines are replayed: the number, the order and the difference of people. Roles, groups and when a decision began to
 * wait are never shown by a file.
 */
import { comparableId } from './comparable-id.ts'
import { approvalsIn, type GivenApproval, type LineFacts } from './decision-facts.ts'
import {
  type AdmittedBy,
  admittedBy,
  isFull,
  type Line,
  lineName,
  lineOf,
  replayed,
  type StepText,
  type Turn,
} from './line.ts'
import { asks, type PolicyText, policiesIn } from './policy-text.ts'
import type { ProblemCode, Report } from './problem.ts'
import { isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

export interface Place {
  readonly policyId: string
  readonly version: number
  readonly step: number
  readonly by: AdmittedBy
}

const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** One form for a whole approval: places, or as before approval lines the right alone. */
export function isAdmitted(admitted: unknown): boolean {
  if (!Array.isArray(admitted)) return false
  const isRight = (each: unknown): boolean => isObject(each) && isIndex(each.since) && each.policyId === undefined
  return admitted.every(isRight) || admitted.every(isPlace)
}

export const isEmergency = ({ by }: Place): boolean => by === 'emergency'

export const isPlace = (each: unknown): each is Place =>
  isObject(each) &&
  typeof each.policyId === 'string' &&
  isIndex(each.version) &&
  isIndex(each.step) &&
  (admittedBy as readonly unknown[]).includes(each.by) &&
  (each.since === undefined || isIndex(each.since))

/** An approval as a line sees it. */
export interface Given {
  readonly at: string
  readonly counts: boolean
  readonly hidden: boolean
  readonly places: readonly Place[]
  /** Sealed before approval lines. */
  readonly isEarlier: boolean
  /** Everybody whom the seal names as this approver; comparable. Of a claim the API key is nobody. */
  readonly ids: ReadonlySet<string>
  /** Whose place it fills; null where the file does not show it. */
  readonly person: string | null
  /** A value that says who it is is not shown. */
  readonly hidesPerson: boolean
  readonly isPerson: boolean
  readonly level: string
  readonly time: number
  readonly alone: boolean
  /** In place of a whole line. Of the last one its places say it. */
  readonly emergency: boolean
}

/** Of the last approval its places say it: what the seal says of all of them is beside. */
export const isInEmergency = ({ control, isLast }: Pick<GivenApproval, 'control' | 'isLast'>): boolean =>
  isLast
    ? Array.isArray(control?.admitted) && control.admitted.filter(isPlace).some(isEmergency)
    : control?.emergency === true

export function givenOf({ approval, control, at, isLast, hidden }: GivenApproval, commitments: Members): Given {
  const { approver, identity, onBehalfOf, result, approvedAt } = approval
  const { id, type } = isObject(approver) ? approver : {}
  const { level, by } = isObject(identity) ? identity : {}
  const admitted = Array.isArray(control?.admitted) ? control.admitted : []
  const hides = (path: string, value: unknown): boolean =>
    isLast && value === undefined && Object.hasOwn(commitments, path)
  const voucher = level === 'claim' ? undefined : by
  const ids = [id, voucher, onBehalfOf].filter((each) => typeof each === 'string').map(comparableId)
  const person = onBehalfOf ?? (level === 'claim' ? id : by)
  const hidesAbsent = hides('approval.onBehalfOf', onBehalfOf)
  return {
    at: isLast ? 'evidence.control.admitted' : at.replace(/\.approval$/, '.control.admitted'),
    counts: result === 'approved' && (isLast || control?.void === undefined),
    hidden,
    places: admitted.filter(isPlace),
    isEarlier: admitted.length > 0 && !admitted.some(isPlace),
    ids: new Set(ids),
    person: typeof person === 'string' && !hidesAbsent ? comparableId(person) : null,
    hidesPerson:
      hidesAbsent || hides('approval.approver.id', id) || (level !== 'claim' && hides('approval.identity.by', by)),
    isPerson: type === 'human' && (typeof id === 'string' || hides('approval.approver.id', id)),
    level: String(level),
    time: typeof approvedAt === 'string' ? Date.parse(approvedAt) : Number.NaN,
    alone: control?.fallback === 'alone',
    emergency: isInEmergency({ control, isLast }),
  }
}

/** Null where no line is to be spoken of: nobody approved, the record is of 0.1.0, or no policy asks. */
export function checkLines(
  evidence: Members,
  texts: ReadonlyMap<string, PolicyText>,
  undisclosed: readonly string[],
  report: Report,
): LineFacts | null {
  const commitments = isObject(evidence.commitments) ? evidence.commitments : {}
  const all = approvalsIn(evidence).map((each) => givenOf(each, commitments))
  if (!Object.hasOwn(commitments, 'control') || !all.at(-1)?.counts) return null
  const stated = all.some(({ places }) => places.length > 0)
  const policies = policiesIn(evidence)
  const { needs } = isObject(evidence.control) ? evidence.control : {}
  const isNeeded = Array.isArray(needs) && (needs.includes('lines') || needs.includes('emergency'))
  if (evidence.control === undefined) return policies.length > 0 ? unknown('redacted') : null

  for (const each of all) checkStated(each, { evidence, isNeeded, stated }, report)

  const riskScore = riskIn(evidence, undisclosed)
  const read = policies.map((policy) => ({ policy, body: texts.get(policy.digest) }))
  const asking = askingIn(evidence, texts, undisclosed)
  const isSure = read.every(({ body }) => body && asks(body, riskScore) !== null)
  if (isSure && asking.length === 0 && !stated && !isNeeded) return null
  const saysLines = Array.isArray(needs) && needs.includes('lines')
  if (!saysLines && asking.some(({ body }) => body.approval?.steps)) report('evidence.control.needs', 'line-needs')
  if (!isNeeded && (!stated || all.some(({ isEarlier, counts }) => isEarlier && counts))) {
    return policies.length > 0 ? unknown('unstated') : null
  }
  if (all.some(({ hidden }) => hidden)) return unknown('redacted')

  const known = new Set(read.flatMap(({ policy, body }) => (body ? [nameOf(policy)] : [])))
  const unread = new Set(
    read.flatMap(({ policy, body }) => (body && asks(body, riskScore) === null ? [nameOf(policy)] : [])),
  )
  replay(
    all.filter(({ counts }) => counts),
    asking,
    { evidence, known, unread },
    report,
  )
  if (known.size < policies.length) return unknown('texts')
  if (!isSure || all.some(({ counts, hidesPerson }) => counts && hidesPerson)) return unknown('redacted')
  const seated = all.filter(({ counts }) => counts)
  return {
    status: 'fits',
    why: null,
    claims: seated.some(({ level }) => level === 'claim'),
    alone: seated.some(({ alone }) => alone),
  }
}

/** The policies that ask, as far as the file shows their texts. */
export function askingIn(evidence: Members, texts: ReadonlyMap<string, PolicyText>, undisclosed: readonly string[]) {
  const riskScore = riskIn(evidence, undisclosed)
  return policiesIn(evidence).flatMap((policy) => {
    const body = texts.get(policy.digest)
    return body && asks(body, riskScore) === true ? [{ ...policy, body }] : []
  })
}

const unknown = (why: NonNullable<LineFacts['why']>): LineFacts => ({
  status: 'unknown',
  why,
  claims: false,
  alone: false,
})

const nameOf = ({ id, version }: { readonly id: string; readonly version: number }): string =>
  lineName({ policyId: id, version })

function riskIn({ event }: Members, undisclosed: readonly string[]): number | 'absent' | 'hidden' {
  const { riskScore } = isObject(event) ? event : {}
  if (typeof riskScore === 'number') return riskScore
  return undisclosed.includes('event.riskScore') ? 'hidden' : 'absent'
}

/** What needs no text of a policy. */
function checkStated(
  { at, counts, hidden, places, isEarlier, alone, emergency }: Given,
  { evidence, isNeeded, stated }: Readonly<Record<'isNeeded' | 'stated', boolean>> & { readonly evidence: Members },
  report: Report,
): void {
  if (hidden) return
  const named = new Set(policiesIn(evidence).map(nameOf))
  if (!counts && places.length > 0) report(at, 'line-void')
  // Where one approval holds a place a policy asks, and every one that counts holds some.
  const isUnstated = isEarlier && !isNeeded
  if (counts && places.length === 0 && !isUnstated && (isNeeded || stated)) report(at, 'line-nowhere')
  if (places.some((each) => !named.has(lineName(each)))) report(at, 'line-policy')
  if (!alone && !emergency && new Set(places.map(lineName)).size < places.length) report(at, 'line-double')
  // In an emergency somebody stands for whole lines, and has no ordinary place beside.
  if (places.some((each) => isEmergency(each) !== emergency)) report(at, 'emergency-mixed')
  if (alone && !isOwn(evidence)) report(at, 'line-alone')
}

/** Only a change of rules may be approved by the member who asked for it. */
const isOwn = ({ event }: Members): boolean => {
  const { action } = isObject(event) ? event : {}
  return isObject(action) && typeof action.type === 'string' && comparableId(action.type).startsWith('countersign.')
}

const levels = ['claim', 'session', 'passkey']
export const rank = (level: string): number => levels.indexOf(level)

function replay(
  given: readonly Given[],
  asking: readonly { readonly id: string; readonly version: number; readonly body: PolicyText }[],
  {
    evidence,
    known,
    unread,
  }: { readonly evidence: Members; readonly known: ReadonlySet<string>; readonly unread: ReadonlySet<string> },
  report: Report,
): void {
  const lines = asking.map(lineOf)
  const identities = asking.map(({ body }) => body.approval?.identity ?? 'session')
  const least = Math.max(-1, ...identities.map(rank))
  const left = new Map(given.map((each) => [each, [...each.places]]))
  const turns = replayed<Given>(lines, given, (turn, each) => {
    const mine = left.get(each) as Place[]
    const position = mine.findIndex((place) => lineName(place) === lineName(turn.line))
    const place = mine[position]
    if (!place || place.step !== turn.step) return null
    mine.splice(position, 1)
    for (const code of faultsOf(turn, each, place.by, least)) report(each.at, code)
    return place.by
  })
  for (const turn of turns) if (!isFull(turn)) report('evidence.policies', 'line-open', { policy: turn.line.policyId })
  for (const each of given) {
    for (const place of left.get(each) as Place[]) {
      const isRead = known.has(lineName(place)) && !unread.has(lineName(place))
      if (isRead) report(each.at, strayFault(place, turns))
    }
    checkPerson(each, evidence, report)
  }
  const levelsGiven = given.map(({ level }) => level === 'claim')
  if (levelsGiven.includes(true) && levelsGiven.includes(false)) {
    for (const each of given) if (each.level === 'claim') report(each.at, 'line-mixed')
  }
}

/** Of a place that the replay did not give. */
function strayFault(place: Place, turns: readonly Turn<Given>[]): ProblemCode {
  const turn = turns.find(({ line }) => lineName(line) === lineName(place))
  if (!turn || place.step >= turn.line.steps.length) return 'line-no-place'
  return place.step < turn.step ? 'line-taken' : 'line-order'
}

/** Comparable; null where the file does not show it. */
export function actorIn({ event }: Members): string | null {
  const { actor } = isObject(event) ? event : {}
  return isObject(actor) && typeof actor.id === 'string' ? comparableId(actor.id) : null
}

function checkPerson({ at, isPerson, ids, alone }: Given, evidence: Members, report: Report): void {
  const id = actorIn(evidence)
  if (!isPerson) report(at, 'line-nobody')
  if (id !== null && ids.has(id) !== alone) report(at, alone ? 'line-alone' : 'line-actor')
}

export function faultsOf({ line, seats, step, after }: Turn<Given>, given: Given, by: AdmittedBy, least: number) {
  // Whoever approves in an emergency fills all places that are open: nobody comes after them.
  if (seats.some((seat) => seat.given !== given && seat.given.emergency)) return ['emergency-mixed'] as const
  if (by === 'emergency') return emergencyFaults(line, given, least)
  const at = line.steps[step] as StepText
  const isSame = seats.some(
    (seat) =>
      seat.given !== given && !(seat.given.alone && given.alone) && [...given.ids].some((id) => seat.given.ids.has(id)),
  )
  const isLow = rank(given.level) < Math.max(least, rank(at.identity ?? 'claim'))
  const waited = after === null ? Number.POSITIVE_INFINITY : (given.time - after.time) / 1000
  return [
    ...(isSame ? (['line-person'] as const) : []),
    ...(isLow ? (['line-level'] as const) : []),
    ...(given.alone || admits(at, given, by, line) ? [] : (['line-by'] as const)),
    // When the first step became the current one is not in the file.
    ...(by === 'escalation' && !(waited >= (at.escalateTo?.afterSeconds ?? 0)) ? (['line-early'] as const) : []),
  ]
}

/** At the highest level of the line, by somebody whom its policy lets approve so. */
function emergencyFaults(line: Line, given: Given, least: number): readonly ProblemCode[] {
  const { emergency, steps } = line
  const level = Math.max(least, ...steps.map(({ identity }) => rank(identity ?? 'claim')))
  const isNamed =
    emergency !== undefined &&
    given.level !== 'claim' &&
    (emergency.roles !== undefined ||
      emergency.groupIds !== undefined ||
      given.person === null ||
      emergency.actorIds?.some((each) => comparableId(each) === given.person) === true)
  return [
    ...(isNamed ? [] : (['emergency-not'] as const)),
    ...(rank(given.level) < level ? (['line-level'] as const) : []),
  ]
}

/** Whether the text of the step lets somebody in by this: a person only if it names them, a claim never by role or group. */
function admits({ roles, actorIds, groupIds, escalateTo }: StepText, given: Given, by: AdmittedBy, { isShort }: Line) {
  const isClaim = given.level === 'claim'
  const names = (ids: readonly string[] | undefined): boolean =>
    ids !== undefined && (given.person === null || ids.some((each) => comparableId(each) === given.person))
  switch (by) {
    case 'person':
      return names(actorIds)
    case 'group':
      return groupIds !== undefined && !isClaim
    case 'escalation':
      return escalateTo !== undefined && ((escalateTo.roles !== undefined && !isClaim) || names(escalateTo.actorIds))
    case 'emergency':
      return false
    case 'role':
      if (!roles && !actorIds && !groupIds) return isShort || !isClaim
      return roles !== undefined && !isClaim
  }
}
