/**
 * Who confirms what somebody approved in an emergency: the people of the lines that it filled, as if they approved now, without
 * whoever used it. Pure.
 */
import type { EmergencyState } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { isFull, type Line, lineName, lineOf, placesOf } from '@countersign/proof/line.ts'
import { Problem, stepUpNeeded } from '../lib/problem.ts'
import { howToReach, placedNow, refuse } from './approvals.ts'
import type { MemberVoucher, Standing } from './approving.ts'
import {
  admittedSometime,
  type Candidate,
  type Lines,
  type LineTurn,
  linesWith,
  type Place,
  type PlacedApproval,
  placesIn,
  standingIn,
} from './line.ts'
import type { Applied } from './policies.ts'
import { type Reason, requirementsOf } from './requirements.ts'

/** A place of a line that was filled in an emergency, and everybody who counted as the person who filled it. */
export interface HeldPlace extends Pick<Place, 'policyId' | 'version' | 'step' | 'by'> {
  readonly own: readonly string[]
}

export interface GivenConfirmation {
  readonly result: 'confirmed' | 'objected'
  readonly by_actor: string
  readonly on_behalf_of: string | null
  readonly places: readonly Place[]
  readonly at: string
}

export interface Emergency {
  readonly used_by: readonly string[]
  readonly places: readonly HeldPlace[]
  readonly confirm_by: string
  readonly state: EmergencyState
  readonly confirmations: readonly GivenConfirmation[]
}

/** From the moment at which the time is over nobody confirms it, whether or not that is sealed. */
export const stateAt = ({ state, confirm_by }: Pick<Emergency, 'state' | 'confirm_by'>, at: string): EmergencyState =>
  state === 'open' && Date.parse(at) > Date.parse(confirm_by) ? 'unconfirmed' : state

/** The lines that confirm, as they stand. */
export interface Confirming {
  readonly asked: Lines
  readonly turns: readonly LineTurn[]
  readonly reason: Reason
  /** By the position of the confirmation; null where the place was filled by an approval. */
  readonly seated: ReadonlyMap<PlacedApproval, number | null>
}

interface Sealed {
  /** The versions that the seal names. */
  readonly policies: readonly Applied[]
  readonly riskScore: number | null
  readonly actorId: string
  readonly sealedAt: string
}

const held = (ids: readonly string[], at: string): PlacedApproval => {
  const own = new Set(ids.map(comparableId))
  return { person: { actorId: ids[0] ?? '', roles: null }, level: 'session', own, ids: own, at: Date.parse(at) }
}

export const ownOf = ({ by_actor, on_behalf_of }: Pick<GivenConfirmation, 'by_actor' | 'on_behalf_of'>) => [
  by_actor,
  ...(on_behalf_of ? [on_behalf_of] : []),
]

/** Null where the texts of its policies do not ask. The levels are the highest of all policies that asked. */
export function confirmingOf(
  { used_by, places, confirmations }: Pick<Emergency, 'used_by' | 'places' | 'confirmations'>,
  { policies, riskScore, actorId, sealedAt }: Sealed,
): Confirming | null {
  const requirements = requirementsOf(policies, riskScore)
  if (!requirements) return null
  const urgent = new Set(places.filter(({ by }) => by === 'emergency').map(lineName))
  const lines = policies.map(lineOf).filter((line) => urgent.has(lineName(line)))
  const { identity, reasons } = requirements
  const seated = new Map<PlacedApproval, number | null>()
  const ordinary = places
    .filter(({ by }) => by !== 'emergency')
    .map((place) => [place, held(place.own, sealedAt)] as const)
  for (const [, given] of ordinary) seated.set(given, null)
  const confirmed = confirmations.map((each) => held(ownOf(each), each.at))
  for (const [at, given] of confirmed.entries()) seated.set(given, at)
  const seats = [
    ...ordinary.map(([place, given]) => ({ place, given })),
    ...confirmations.flatMap((each, at) =>
      each.places.map((place) => ({ place, given: confirmed[at] as PlacedApproval })),
    ),
  ]
  return {
    asked: {
      lines,
      identity,
      since: Date.parse(sealedAt),
      actor: comparableId(actorId),
      without: [held(used_by, sealedAt)],
    },
    turns: lines.map((line) => turnOf(line, seats, seated)),
    reason: reasons.find(({ policyId }) => lines.some((line) => line.policyId === policyId)) ?? reasons[0],
    seated,
  }
}

type Filled = { readonly place: Pick<Place, 'policyId' | 'version' | 'step' | 'by'>; readonly given: PlacedApproval }

/** What was filled when it was sealed began then: escalations run from the seal, or from a confirmation. */
function turnOf(line: Line, filled: readonly Filled[], seated: Confirming['seated']): LineTurn {
  const own = filled.filter(({ place }) => lineName(place) === lineName(line))
  const seats = own.map(({ place: { step, by }, given }) => ({ step, by, given }))
  const countAt = (at: number) => seats.filter(({ step }) => step === at).length
  const open = line.steps.findIndex((step, at) => countAt(at) < placesOf(step))
  const step = open < 0 ? line.steps.length : open
  const last = seats.findLast((seat) => seat.step === step - 1)?.given ?? null
  return { line, seats, step, after: last && seated.get(last) !== null ? last : null }
}

export interface Judged {
  readonly voucher: MemberVoucher
  readonly places: readonly Place[]
  /** All places of all lines are filled. */
  readonly complete: boolean
}

interface Given {
  readonly result: 'confirmed' | 'objected'
  /** In their own right, then as the deputy of others. */
  readonly vouchers: readonly [MemberVoucher, ...MemberVoucher[]]
  readonly people: readonly Candidate[]
  readonly at: string
}

export function judgeConfirmation(confirming: Confirming, { vouchers, ...given }: Given): Judged {
  let refusal: unknown
  for (const voucher of vouchers) {
    try {
      return judged(confirming, { ...given, voucher })
    } catch (error) {
      const isOfPerson = error instanceof Problem && (error.code === 'POLICY_VIOLATION' || 'turn' in error.details)
      if (!isOfPerson) throw error
      refusal ??= error
    }
  }
  throw refusal
}

function judged(
  { asked, turns, reason }: Confirming,
  { result, voucher, people, at }: Omit<Given, 'vouchers'> & { readonly voucher: MemberVoucher },
): Judged {
  const own = placed(voucher, people, at)
  if (isUser(asked, own)) {
    refuse(
      reason,
      'ownEmergency',
      "whoever approved in an emergency can't confirm that. Ask another person of its approval line.",
    )
  }
  if (voucher.level === 'session' && voucher.borrowed) {
    throw stepUpNeeded(
      "Another person must confirm this, and signing in through a provider or on a custom domain isn't enough for that.",
    )
  }
  if (result === 'objected') {
    if (own.ids.has(asked.actor) || !admittedSometime(asked, own.person)) refuseStranger(reason)
    return { voucher, places: [], complete: false }
  }
  const standings = turns.map((turn) => standingIn(asked, turn, own, { candidates: people }))
  for (const standing of standings) {
    if (standing.kind === 'level') refuse(reason, 'identity', howToReach[standing.level], standing.level)
  }
  if (own.ids.has(asked.actor) || standings.every(({ kind }) => kind !== 'place')) {
    if (standings.some(({ kind }) => kind === 'seated')) {
      throw new Problem(
        'CONFLICT',
        'You have already approved or confirmed this, directly, through a deputy or with another account. Another person must confirm the rest.',
        { details: { reason: 'confirmedByYou' } },
      )
    }
    const at = standings.findIndex(({ kind }) => kind === 'later')
    const standing = standings[at]
    if (standing?.kind !== 'later') refuseStranger(reason)
    const { policyId, version, steps } = (turns[at] as LineTurn).line
    const { step } = standing
    throw new Problem(
      'CONFLICT',
      `It isn't this person's turn to confirm yet: the policy asks for them at step ${step + 1}. Confirm when the steps before it are complete.`,
      { details: { reason: 'turn', turn: { policyId, version, step, title: steps[step]?.title ?? null } } },
    )
  }
  const after = linesWith(asked, turns, own, { candidates: people })
  return { voucher, places: placesIn(after, own), complete: after.every(isFull) }
}

function refuseStranger(reason: Reason): never {
  refuse(
    reason,
    'notInLine',
    "this person isn't in its approval line. Ask one of its approvers to confirm or to object.",
  )
}

function placed(voucher: MemberVoucher, people: readonly Candidate[], at: string): PlacedApproval {
  const standing = { people } as unknown as Standing
  return placedNow({
    ...{ approver: { id: voucher.actorId, type: 'human' }, voucher, standing },
    ...{ since: Date.parse(at), waited: 0 },
  })
}

const meets = (ids: ReadonlySet<string>, others: ReadonlySet<string>): boolean => [...ids].some((id) => others.has(id))

/** Accounts of one person, and a member and their deputy, are one. */
const isUser = ({ without = [] }: Lines, who: Pick<PlacedApproval, 'own' | 'ids'>): boolean =>
  without.some(({ own, ids }) => meets(own, who.ids) || meets(who.own, ids))

/** What a member can do about it now, and whose turn it is. */
export function rightsOf({ asked, turns }: Confirming, people: readonly Candidate[], at: number) {
  const able = people.filter((person) => {
    const own = new Set([comparableId(person.actorId)])
    const ids = person.ids ?? own
    return !isUser(asked, { own, ids }) && !(person.accounts ?? ids).has(asked.actor)
  })
  const given = (person: Candidate): PlacedApproval => {
    const own = new Set([comparableId(person.actorId)])
    return { person, own, ids: person.ids ?? own, level: 'passkey', at }
  }
  return {
    confirm: able.filter((person) =>
      turns.some((turn) => standingIn(asked, turn, given(person), { candidates: people }).kind === 'place'),
    ),
    object: able.filter((person) => admittedSometime(asked, person)),
  }
}
