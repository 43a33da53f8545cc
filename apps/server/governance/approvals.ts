/**
 * Who may approve what a policy asks for: a person who is not the actor of the decision, known at the level that the
 * policies name. Pure.
 */
import type { ActorRole, RequiredIdentity } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { isFull, lineName } from '@countersign/proof/line.ts'
import { Problem, refusedField, stepUpNeeded } from '../lib/problem.ts'
import type { Approving, KeyVoucher, Voucher } from './approving.ts'
import { type Counted, countedIn, keyName, personOf, type Replay, replay, sinceOf, uncounted } from './counting.ts'
import {
  admittedSometime,
  type Lines,
  linesWith,
  type Place,
  type PlacedApproval,
  placesIn,
  standingIn,
} from './line.ts'
import type { Applied } from './policies.ts'
import {
  type Reason,
  type Requirements,
  rank,
  requireEvidence,
  requirementsOf,
  type SixW,
  strictest,
} from './requirements.ts'

/** Approvers of the service itself; nobody else may use their ids, in an approval or in a refusal. */
export function refuseReservedId(id: string): void {
  const compared = comparableId(id)
  if (compared !== 'countersign' && !compared.startsWith('pol_')) return
  throw refusedField('approver.id', 'is reserved for the service. Send the ID of the person who decides')
}

export interface Judged {
  /** `first`: other places are still empty. */
  readonly verdict: 'seals' | 'first'
  /** The places that the approval fills; none where no policy asks. */
  readonly places: readonly Place[]
  /** The names of all lines that there are now, and the roles by which the approval is judged. */
  readonly seen: readonly string[]
  readonly roles: readonly ActorRole[] | null
  readonly earlier: readonly Counted[]
}

/** An approval fills places, and seals when all lines are full. A refusal needs no guard. */
export function judgeApproval(
  policies: readonly Applied[],
  sixW: SixW,
  approving: Approving,
  /** Those that match now: a policy that has ended covers no decision. Null: only who approves is judged, not the evidence. */
  present: readonly Applied[] | null = policies,
): Judged {
  const asked = requirementsOf(policies, approving.event.risk_score)
  if (!asked && approving.emergency) {
    throw new Problem(
      'CONFLICT',
      'No policy requires an approval of this decision, so it needs no emergency approval. Approve it without "emergency".',
      { details: { reason: 'noEmergency' } },
    )
  }
  const judged: Judged = asked
    ? place(asked, approving)
    : { verdict: 'seals', places: [], seen: [], roles: null, earlier: uncounted(approving) }
  if (present) requireEvidence(strictest(policies), present, sixW, true)
  return judged
}

/**
 * A refusal by a member needs no guard, except that a line of steps is refused by somebody whom one of them admits, now or later,
 * or by an ADMIN. One by a key counts where its approval could: it names a person who may not know.
 */
export function judgeRefusal(
  policies: readonly Applied[],
  vouchers: readonly [Voucher, ...Voucher[]],
  { event, standing }: Pick<Approving, 'event' | 'standing'>,
): void {
  const asked = requirementsOf(policies, event.risk_score)
  if (!asked) return
  const [voucher] = vouchers
  if (voucher.level === 'claim') {
    requireLevel(asked, voucher)
    requireKey(asked.reasons[0], voucher, event)
    return
  }
  const { lines } = asked
  if (lines.some(({ isShort }) => isShort)) return
  const people = vouchers.flatMap((each) => (each.level === 'claim' ? [] : [each.onBehalfOf ?? each]))
  const isOfLine = ({ actorId, roles }: (typeof people)[number]) =>
    roles.includes('ADMIN') || admittedSometime({ lines }, personOf(actorId, roles, standing))
  if (people.some(isOfLine)) return
  refuse(
    asked.reasons[0],
    'notInLine',
    'only the people of its approval line and administrators can refuse. Ask one of them.',
  )
}

export function refuse(reason: Reason, cause: string, why: string, identity?: RequiredIdentity): never {
  throw new Problem('POLICY_VIOLATION', `The policy "${reason.policyName}" refuses this: ${why}`, {
    details: {
      ...{ reason: cause, policyId: reason.policyId, rule: reason.rule, guard: reason.guard },
      ...(identity && { identity }),
    },
  })
}

export const howToReach: Record<RequiredIdentity, string> = {
  claim: 'only an API key with the proof:approve scope can name the person who approves. Use such a key.',
  session: 'a signed-in member must approve the decision. Sign in, and use POST /api/decisions/{eventId}/approvals.',
  passkey: 'a signed-in member must approve the decision with a passkey. Sign in and use one.',
}

function place(asked: Requirements, approving: Approving): Judged {
  requirePerson(asked, approving)
  const { voucher } = approving
  const replayed = replay(asked, approving, voucher.level === 'claim')
  const { lines, people, turns } = replayed
  const own = placedNow(approving)
  const standings = turns.map((turn) => standingIn(lines, turn, own, people))
  for (const [at, standing] of standings.entries()) {
    if (standing.kind === 'level') refuse(reasonAt(asked, at), 'identity', howToReach[standing.level], standing.level)
  }
  if (standings.every(({ kind }) => kind !== 'place')) {
    if (own.emergency) refuseEmergency(asked, standings)
    refuseTurn(asked, approving, standings)
  }
  const after = linesWith(lines, turns, own, people)
  const verdict = after.every(isFull) ? 'seals' : 'first'
  requireOthers(asked, approving, replayed, verdict)
  return {
    verdict,
    places: placesIn(after, own),
    seen: asked.lines.map(lineName),
    roles: own.person.roles,
    earlier: countedIn(replayed, after),
  }
}

/** The policies of lines and reasons are the same, and each has at least one reason. */
const reasonAt = ({ lines, reasons }: Requirements, at: number): Reason =>
  reasons.find(({ policyId }) => policyId === lines[at]?.policyId) ?? reasons[0]

function requirePerson(asked: Requirements, { approver, voucher, event, alone }: Approving): void {
  const [first] = asked.reasons
  requireLevel(asked, voucher)
  if (voucher.level === 'claim') requireKey(first, voucher, event)
  if (approver.type !== 'human' || comparableId(approver.id) === '') {
    refuse(
      first,
      'notPerson',
      "a person must approve the decision, and this approver isn't a person. Ask a person to approve it.",
    )
  }
  if (!alone && idsOf(approver, voucher).has(comparableId(event.actor.id)))
    refuse(first, 'ownDecision', "the approver can't be the decision's own actor. Ask someone else to approve it.")
}

export function placedNow(
  approving: Pick<Approving, 'approver' | 'voucher' | 'standing' | 'alone' | 'emergency' | 'since' | 'waited'>,
): PlacedApproval {
  const { approver, voucher, alone, emergency, waited } = approving
  const at = sinceOf(approving) + waited * 1000
  const ids = idsOf(approver, voucher)
  if (voucher.level === 'claim') {
    const own = new Set([...ids, ...voucher.line.map(keyName)])
    return { person: { actorId: approver.id, roles: null }, level: 'claim', own, ids: own, at }
  }
  const { actorId, roles, roleSince } = voucher.onBehalfOf ?? voucher
  return {
    person: { ...personOf(actorId, roles, approving.standing), ...(roleSince && { roleSince }) },
    level: voucher.level,
    own: new Set([approver.id, voucher.actorId, actorId].map(comparableId)),
    // Where two must approve, those who may stand in for each other count as one.
    ids: new Set([...ids, ...(voucher.together ?? []).map(comparableId)]),
    at,
    ...(alone && { alone }),
    ...(emergency && { emergency }),
  }
}

function refuseEmergency(asked: Requirements, standings: readonly ReturnType<typeof standingIn>[]): never {
  const at = standings.findIndex(({ kind }) => kind === 'unconfirmable')
  if (at >= 0) {
    refuse(
      reasonAt(asked, at),
      'nobodyConfirms',
      'nobody else could confirm an emergency approval by this person. Ask the people of its approval line.',
    )
  }
  refuse(
    asked.reasons[0],
    'noEmergencyRight',
    "this person can't approve in an emergency, or its line is already complete. Ask the people of its approval line.",
  )
}

/** Nothing is this person's to fill now: because they have a place, because it is not their turn, or for good. */
function refuseTurn(
  asked: Requirements,
  { voucher }: Approving,
  standings: readonly ReturnType<typeof standingIn>[],
): never {
  if (standings.some(({ kind }) => kind === 'seated')) {
    throw new Problem(
      'CONFLICT',
      voucher.level === 'claim'
        ? 'This person or this key has already approved. The next approval must come from another person, through another key.'
        : 'This approver has already approved the decision directly, through a deputy or with another account. The next approval must come from another person.',
      { details: { reason: 'seated' } },
    )
  }
  const at = standings.findIndex(({ kind }) => kind === 'later')
  const standing = standings[at]
  if (standing?.kind !== 'later') {
    refuse(
      asked.reasons[0],
      'notApprover',
      "this person isn't one of its approvers. Ask one of its approvers to decide.",
    )
  }
  const { policyId, policyName } = reasonAt(asked, at)
  const { version, steps } = asked.lines[at] as Lines['lines'][number]
  const { step } = standing
  throw new Problem(
    'CONFLICT',
    `It isn't this approver's turn yet: the policy "${policyName}" asks for them at step ${step + 1}. Approve when the steps before it are complete.`,
    { details: { reason: 'turn', turn: { policyId, version, step, title: steps[step]?.title ?? null } } },
  )
}

function requireLevel(asked: Requirements, { level }: Voucher): void {
  if (rank(level) >= rank(asked.identity)) return
  const higher = asked.reasons.find(({ identity }) => rank(identity) > rank(level)) ?? asked.reasons[0]
  refuse(higher, 'identity', howToReach[asked.identity], asked.identity)
}

/** A claim counts from a key that may speak for people and that did not record the decision itself. */
function requireKey(reason: Reason, { line, maySpeak, boundTo }: KeyVoucher, event: Approving['event']): void {
  if (!maySpeak) refuse(reason, 'identity', howToReach.claim, 'claim')
  if (event.recorded_by === null || line.includes(event.recorded_by)) {
    refuse(reason, 'ownKey', "the key that recorded the decision can't approve it. Use another key.", 'claim')
  }
  if (boundTo && comparableId(boundTo.id) === comparableId(event.actor.id)) {
    refuse(reason, 'ownKey', "the key belongs to the decision's actor. Use another key.", 'claim')
  }
}

/** Everybody who counts as this approver: their family, and the member whose deputy they are. */
function idsOf({ id }: Approving['approver'], voucher: Voucher): ReadonlySet<string> {
  if (voucher.level === 'claim') return new Set([comparableId(id)])
  const people = [voucher, ...(voucher.onBehalfOf ? [voucher.onBehalfOf] : [])]
  return new Set([id, ...people.flatMap(({ actorId, family }) => [actorId, ...family])].map(comparableId))
}

/** With the first member, only members fill places. Where more than one has to, a provider's word is not enough. */
function requireOthers(
  asked: Requirements,
  { voucher, emergency }: Approving,
  { counting }: Replay,
  verdict: Judged['verdict'],
): void {
  const isShared = emergency || asked.approvals > 1 || verdict === 'first' || counting.length > 0
  if (isShared && voucher.level === 'session' && voucher.borrowed) {
    throw stepUpNeeded(
      "Two people must approve this, and signing in through a provider or on a custom domain isn't enough for that.",
    )
  }
  if (voucher.level !== 'claim' || counting.every(({ identity_level }) => identity_level === 'claim')) return
  refuse(
    asked.reasons.find(({ guard }) => guard === 'dualApproval') ?? asked.reasons[0],
    'memberNeeded',
    'a signed-in member gave the first approval, so a signed-in member must give the second. Ask another member to approve it.',
    'session',
  )
}
