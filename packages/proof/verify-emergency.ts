/**
 * Checks what was approved in an emergency, and what its line made of it: the seal says it, only the people of the line confirm,
 * each once and in order, and never the one who used it. What comes later than the file is not in it.
 */

import { comparableId } from './comparable-id.ts'
import { approvalsIn, type ConfirmationFacts, type EmergencyFacts, type PasskeyFacts } from './decision-facts.ts'
import { isUpTo } from './generations.ts'
import { isFull, lineName, lineOf, replayed } from './line.ts'
import { type ConfirmationStatement, reasonDigest } from './passkey-statement.ts'
import type { PolicyText } from './policy-text.ts'
import type { Report } from './problem.ts'
import { isObject } from './verify-entry.ts'
import {
  actorIn,
  askingIn,
  faultsOf,
  type Given,
  givenOf,
  isEmergency,
  isPlace,
  type Place,
  rank,
} from './verify-lines.ts'
import { checkPasskey, nothingShown, type Signing } from './verify-passkey.ts'

type Members = Readonly<Record<string, unknown>>

interface Shown {
  readonly texts: ReadonlyMap<string, PolicyText>
  readonly undisclosed: readonly string[]
  readonly signing: Signing
}

const actions = ['confirmed', 'objected', 'unconfirmed', 'closed']

/** Null where nobody approved in an emergency, or the file does not show the rules of the seal. */
export function checkEmergency(evidence: Members, changes: readonly Members[], shown: Shown): EmergencyFacts | null {
  const { report } = shown.signing
  const commitments = isObject(evidence.commitments) ? evidence.commitments : {}
  const control = isObject(evidence.control) ? evidence.control : null
  const steps = changes.map((change, at) => ({ change, at })).filter(({ change }) => change.type === 'confirmation')
  if (control === null) {
    // A record without rules was approved by nobody so; of one that does not show them nothing is known.
    if (!Object.hasOwn(commitments, 'control')) reportNone(steps, report)
    return null
  }
  const all = approvalsIn(evidence).map((each) => givenOf(each, commitments))
  // What was refused needs nobody to confirm it.
  const isApproved = all.at(-1)?.counts === true
  const given = all.filter(({ counts, hidden }) => isApproved && counts && !hidden)
  const used = given.filter(({ emergency }) => emergency)
  const needs = Array.isArray(control.needs) ? control.needs : []
  const { emergency } = control
  const isStated = emergency !== undefined && needs.includes('emergency')
  const isHidden = all.some(({ hidden }) => hidden)
  if (used.length > 0 && !isStated) report('evidence.control.emergency', 'emergency-unstated')
  if (used.length === 0 && !isHidden && (emergency !== undefined || needs.includes('emergency'))) {
    report('evidence.control.emergency', 'emergency-none')
  }
  if (!isObject(emergency) || typeof emergency.confirmBy !== 'string') {
    reportNone(steps, report)
    return null
  }
  const { confirmBy } = emergency
  const asking = askingIn(evidence, shown.texts, shown.undisclosed)
  if (!isHidden) checkTime(evidence, used, asking, confirmBy, report)
  return stepsOf(evidence, steps, { confirmBy, given, used, asking, isHidden, signing: shown.signing })
}

type Asking = ReturnType<typeof askingIn>
type Step = { readonly change: Members; readonly at: number }

function reportNone(steps: readonly Step[], report: Report): void {
  for (const { at } of steps) report(`evidence.history.${at}`, 'confirmation-none')
}

const urgentOf = (used: readonly Given[]): ReadonlySet<string> =>
  new Set(used.flatMap(({ places }) => places.filter(isEmergency).map(lineName)))

/** The shortest time of the policies whose lines were filled so, from the seal on; known only with all of their texts. */
function checkTime(evidence: Members, used: readonly Given[], asking: Asking, confirmBy: string, report: Report): void {
  const urgent = urgentOf(used)
  const times = asking.flatMap(({ id, version, body }) =>
    urgent.has(lineName({ policyId: id, version })) ? (body.approval?.emergency?.confirmWithinSeconds ?? []) : [],
  )
  if (times.length < urgent.size || times.length === 0) return
  const until = Date.parse(String(evidence.sealedAt)) + Math.min(...times) * 1000
  if (until !== Date.parse(confirmBy)) report('evidence.control.emergency', 'emergency-time')
}

interface Checked {
  readonly confirmBy: string
  readonly given: readonly Given[]
  readonly used: readonly Given[]
  readonly asking: Asking
  readonly isHidden: boolean
  readonly signing: Signing
}

function stepsOf(
  evidence: Members,
  steps: readonly Step[],
  { confirmBy, given, used, asking, isHidden, signing }: Checked,
): EmergencyFacts {
  const { report } = signing
  const users = new Set(used.flatMap(({ ids }) => [...ids]))
  const actor = actorIn(evidence)
  const confirmations: ConfirmationFacts[] = []
  const replaying: Given[] = []
  let state: EmergencyFacts['state'] = 'open'
  let closed = false
  for (const { change, at } of steps) {
    const path = `evidence.history.${at}`
    const { action, sealedAt, level } = change
    const time = String(sealedAt)
    // What comes after it could be anything then.
    if (hidesJudged(change)) {
      state = 'hidden'
      break
    }
    if (typeof action !== 'string' || !actions.includes(action)) {
      report(`${path}.action`, 'confirmation-form')
      continue
    }
    const mayClose = action === 'closed' && (state === 'objected' || state === 'unconfirmed')
    if (closed || (action === 'closed' ? !mayClose : state !== 'open')) report(path, 'confirmation-over')
    const { by, onBehalfOf } = change
    const ids = [isObject(by) ? by.id : undefined, onBehalfOf].filter((each) => typeof each === 'string')
    const isBy = (known: (id: string) => boolean) => ids.some((id) => known(comparableId(id as string)))
    if (action !== 'unconfirmed' && isBy((id) => users.has(id))) report(`${path}.by`, 'confirmation-user')
    if (action === 'closed') {
      closed = true
      continue
    }
    if (action === 'unconfirmed') {
      if (!(time > confirmBy)) report(path, 'confirmation-early')
      state = 'unconfirmed'
      continue
    }
    if (time > confirmBy) report(path, 'confirmation-late')
    if (isBy((id) => id === actor)) report(`${path}.by`, 'line-actor')
    if (level !== 'session' && level !== 'passkey') report(`${path}.level`, 'confirmation-form')
    const passkey = checkSignature(evidence, change, path, signing)
    confirmations.push({
      result: action as ConfirmationFacts['result'],
      by: isObject(by) && typeof by.id === 'string' ? by.id : null,
      onBehalfOf: typeof onBehalfOf === 'string' ? onBehalfOf : null,
      at: time,
      passkey,
    })
    if (action === 'objected') {
      state = 'objected'
      continue
    }
    replaying.push(confirmationGiven(change, ids as string[], `${path}.admitted`))
    const isComplete = isHidden ? null : fills(given, replaying, used, asking, report)
    if (isComplete !== null && change.complete !== isComplete) report(`${path}.complete`, 'confirmation-complete')
    if (change.complete === true) state = 'confirmed'
  }
  return { confirmBy, state, confirmations, closed }
}

/** Members that decide how it stands, and that the entry commits to without showing them. */
const hidesJudged = ({ commitments, ...change }: Members): boolean =>
  ['action', 'level', 'admitted', 'complete'].some(
    (name) => change[name] === undefined && isObject(commitments) && Object.hasOwn(commitments, name),
  )

function confirmationGiven({ admitted, level, sealedAt }: Members, names: readonly string[], at: string): Given {
  return {
    at,
    counts: true,
    hidden: false,
    places: (Array.isArray(admitted) ? admitted : []).filter(isPlace),
    isEarlier: false,
    ids: new Set(names.map(comparableId)),
    person: names.length > 0 ? comparableId(names.at(-1) as string) : null,
    hidesPerson: names.length === 0,
    isPerson: true,
    level: String(level),
    time: Date.parse(String(sealedAt)),
    alone: false,
    emergency: false,
  }
}

/** Whether the lines are full after the last of the confirmations; null where the file lacks the text of one of them. */
function fills(
  given: readonly Given[],
  confirmations: readonly Given[],
  used: readonly Given[],
  asking: Asking,
  report: Report,
): boolean | null {
  const urgent = urgentOf(used)
  const lines = asking.map(lineOf).filter((line) => urgent.has(lineName(line)))
  const last = confirmations.at(-1) as Given
  if (last.places.length === 0 || last.places.some((place) => !urgent.has(lineName(place))))
    report(last.at, 'line-policy')
  if (last.places.some(isEmergency)) report(last.at, 'emergency-mixed')
  if (lines.length < urgent.size) return null
  const least = Math.max(-1, ...asking.map(({ body }) => rank(body.approval?.identity ?? 'session')))
  const all = [...given.filter(({ emergency }) => !emergency), ...confirmations]
  const left = new Map(all.map((each) => [each, [...each.places]]))
  const turns = replayed<Given>(lines, all, (turn, each) => {
    const mine = left.get(each) as Place[]
    const position = mine.findIndex((place) => lineName(place) === lineName(turn.line))
    const place = mine[position]
    if (!place || place.step !== turn.step) return null
    mine.splice(position, 1)
    if (each === last) for (const code of faultsOf(turn, each, place.by, least)) report(each.at, code)
    return place.by
  })
  if ((left.get(last) as Place[]).some((place) => urgent.has(lineName(place)))) report(last.at, 'line-order')
  return turns.every(isFull)
}

function checkSignature(evidence: Members, change: Members, at: string, signing: Signing): PasskeyFacts | null {
  const { level, passkey, by, reason, reasonSalt, commitments } = change
  const committed = isObject(commitments) ? Object.keys(commitments) : []
  const isSigned = committed.includes('passkey')
  if (isSigned !== (level === 'passkey')) signing.report(`${at}.passkey`, isSigned ? 'passkey-unclaimed' : 'missing')
  if (!isSigned) return null
  if (passkey === undefined) return { ...nothingShown, status: 'unknown', why: 'redacted' }
  const hides = (name: string): boolean => change[name] === undefined && committed.includes(name)
  return checkPasskey<ConfirmationStatement>(passkey, at, signing, {
    types: ['countersign-confirm-v1'],
    statement: isObject(passkey) ? passkey.statement : undefined,
    statementAt: `${at}.passkey.statement`,
    agrees: (said) =>
      isUpTo(said.log, change.log) &&
      said.eventId === String(evidence.id).replace(/^evd_/, 'evt_') &&
      said.chainHash === (evidence.chain as Members).hash &&
      said.result === change.action &&
      (hides('by') || (isObject(by) && said.approverId === by.id)) &&
      (hides('reason') ||
        hides('reasonSalt') ||
        said.reasonDigest === (reason === undefined ? null : reasonDigest(String(reasonSalt), String(reason)))),
    isShown: committed.every((name) => change[name] !== undefined),
    index: (change.chain as Members).index as number,
  })
}
