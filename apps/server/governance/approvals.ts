/**
 * Who may approve what a policy asks for: a person who is not the actor of the decision, known at the level that the
 * policies name. Pure.
 */
import {
  type ActorRole,
  type IdentityLevel,
  type RequiredIdentity,
  requiredIdentities,
} from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { VoidReason } from '@countersign/proof/control.ts'
import { isFull, lineName } from '@countersign/proof/line.ts'
import { Problem, refusedField, stepUpNeeded } from '../lib/problem.ts'
import {
  admittedSometime,
  type Candidate,
  type Lines,
  type LineTurn,
  linesAfter,
  linesWith,
  type People,
  type Place,
  type PlacedApproval,
  placesIn,
  standingIn,
} from './line.ts'
import type { Applied } from './policies.ts'
import {
  type Reason,
  type Requirements,
  requireEvidence,
  requirementsOf,
  type SixW,
  strictest,
} from './requirements.ts'
import type { ApprovalRow, EventRow } from './rows.ts'

/** An API key that names the approver. */
export interface KeyVoucher {
  readonly level: 'claim'
  /** The id of the key. */
  readonly by: string
  /** Whether it has the scope `proof:approve`; `proof:write` alone vouches for nobody. */
  readonly maySpeak: boolean
  readonly boundTo: { readonly id: string } | null
}

export interface VouchedMember {
  readonly actorId: string
  readonly role: ActorRole
  /** The ids of all actors who share a verified address with this one, itself included. */
  readonly family: readonly string[]
}

/** A member by whose role a place is filled. */
export interface ApprovingMember extends VouchedMember {
  readonly membershipId: string
}

/** A member who approves under their own account, and the member whose deputy they are. */
export interface MemberVoucher extends ApprovingMember {
  readonly level: 'session' | 'passkey'
  readonly onBehalfOf: ApprovingMember | null
  /** The members whose deputy they are now, and their own deputy: where two must approve, all of them count as one. */
  readonly together?: readonly string[]
  /** The provider or the domain of a center began the session, and its person has not shown with us that it is them. */
  readonly borrowed?: boolean
}

export type Voucher = KeyVoucher | MemberVoucher

/** What is sealed as the one who vouches. */
export const vouchedBy = (voucher: Voucher): string => (voucher.level === 'claim' ? voucher.by : voucher.actorId)

export interface Approving {
  readonly approver: { readonly id: string; readonly type: string }
  readonly voucher: Voucher
  readonly event: Pick<EventRow, 'actor' | 'recorded_by' | 'risk_score'>
  readonly earlier: readonly EarlierApproval[]
  /** Who of the earlier approvers is still who they were; null where an approval is not weighed beside those of members. */
  readonly standing: Standing | null
  /** The approver is the actor, and the service lets them fill the places that none of these people can. */
  readonly alone?: readonly Candidate[] | null
  /** When the decision began to wait, in milliseconds; 0 where only the time since then is known. */
  readonly since?: number
  /** For how many seconds the decision has waited. */
  readonly waited: number
}

export type EarlierApproval = Pick<
  ApprovalRow,
  | 'position'
  | 'approver'
  | 'result'
  | 'identity_level'
  | 'identity_by'
  | 'on_behalf_of'
  | 'passkey_id'
  | 'taken_back_at'
> & { readonly control?: ApprovalRow['control']; readonly created_at?: string }

/** What is known now of the people whose approvals stand, read at most a second before. */
export interface Standing {
  /** ACTIVE members who may approve by their role; absent: no longer one. */
  readonly members: ReadonlyMap<string, ActorRole>
  /** The positions of approvals whose deputyship was withdrawn, or never covered them. */
  readonly withdrawn: ReadonlySet<number>
  /** Whether a passkey is still bound to its person in this center. */
  readonly isBound: (passkeyId: string) => boolean
  /** The ids of the family of each of them. */
  readonly families?: ReadonlyMap<string, readonly string[]>
  /** Everybody who may approve by their role, with their groups; read only where a policy has steps. */
  readonly people?: readonly Candidate[]
}

/** Why an earlier approval cannot fill a place of any line; null while it can. */
function voidOf(asked: Requirements, { event, standing }: Approving, given: EarlierApproval): VoidReason | null {
  const { position, approver, identity_level: level, identity_by: by, on_behalf_of: absent, passkey_id } = given
  if (given.taken_back_at) return 'takenBack'
  const isActor = comparableId(approver.id) === comparableId(event.actor.id)
  const isOther = !isActor || given.control?.fallback === 'alone'
  // A policy that became stricter asks again of those who gave less.
  if (approver.type !== 'human' || !isOther || rank(level) < rank(asked.identity)) return 'policy'
  if (level === 'claim') return by === event.recorded_by ? 'policy' : null
  if (!standing) return null
  if (!standing.members.has(by)) return 'member'
  if (!standing.members.has(absent ?? by) || standing.withdrawn.has(position)) return 'role'
  return passkey_id !== null && !standing.isBound(passkey_id) ? 'key' : null
}

/** An earlier approval as it counts now. */
export interface Counted {
  readonly void: VoidReason | null
  readonly places: readonly Place[]
}

interface Replay {
  readonly lines: Lines
  readonly people: People
  readonly turns: readonly LineTurn[]
  readonly counting: readonly EarlierApproval[]
  /** For each earlier approval, in their order, where its places are found. */
  readonly placed: readonly (PlacedApproval | VoidReason | null)[]
}

const sinceOf = ({ since = 0 }: Approving): number => since

/** `byClaim`: whether claims fill the places. With the first member, earlier claims fill nothing. */
function replay(asked: Requirements, approving: Approving, byClaim: boolean): Replay {
  const { event, earlier, standing } = approving
  const lines = {
    lines: asked.lines,
    identity: asked.identity,
    since: sinceOf(approving),
    actor: comparableId(event.actor.id),
  }
  const placed = earlier.map((given) => {
    if (given.taken_back_at) return 'takenBack'
    if (given.result !== 'approved') return null
    return voidOf(asked, approving, given) ?? placedOf(given, standing, lines.since)
  })
  const isPlaced = (each: (typeof placed)[number]): each is PlacedApproval => typeof each === 'object' && each !== null
  const counting = placed.filter(isPlaced).filter(({ level }) => (level === 'claim') === byClaim)
  // A claim is weighed beside those whom the lines name: of others nothing is known.
  const named = asked.lines.flatMap(({ steps }) => steps.flatMap(({ actorIds = [] }) => actorIds))
  const candidates = byClaim ? named.map((actorId) => ({ actorId, role: null })) : (standing?.people ?? [])
  const turns = linesAfter(lines, counting, { candidates })
  const acceptable = earlier.filter((_, at) => isPlaced(placed[at] ?? null))
  return { lines, people: { candidates }, turns, counting: acceptable, placed }
}

function placedOf(given: EarlierApproval, standing: Standing | null, since: number): PlacedApproval {
  const { approver, identity_level: level, identity_by: by, on_behalf_of: absent, control, created_at } = given
  const named = [approver.id, ...(level === 'claim' ? [] : [by]), ...(absent ? [absent] : [])]
  const own = new Set([...named.map(comparableId), ...(level === 'claim' ? [keyName(by)] : [])])
  const families = named.flatMap((id) => standing?.families?.get(id) ?? [])
  const role = level === 'claim' ? null : (standing?.members.get(absent ?? by) ?? null)
  return {
    person: personOf(level === 'claim' ? approver.id : (absent ?? by), role, standing),
    level,
    own,
    ids: new Set([...own, ...families.map(comparableId)]),
    at: created_at === undefined ? since : Date.parse(created_at),
    ...judgedBefore(control ?? null),
  }
}

/** Groups are read with the people: only lines of steps name them. */
function personOf(actorId: string, role: ActorRole | null, standing: Standing | null): Candidate {
  const known = role === null ? undefined : standing?.people?.find((each) => each.actorId === actorId)
  return { ...known, actorId, role }
}

/** What was judged of an approval when it was given. */
export function judgedBefore(
  control: EarlierApproval['control'],
): Pick<PlacedApproval, 'taken' | 'withheld' | 'alone'> {
  const { admitted = [], withheld = [], fallback } = control ?? {}
  const taken = new Map<string, number>()
  for (const place of admitted) {
    if (!('policyId' in place)) continue
    const name = lineName(place)
    taken.set(name, (taken.get(name) ?? 0) + 1)
  }
  return { taken, withheld: new Set(withheld), ...(fallback === 'alone' && { alone: [] }) }
}

/** Two claims through one key are those of one person. No id of a person begins like this. */
export const keyName = (keyId: string): string => `\0key ${keyId}`

/** Each earlier approval as it counts after the replay. */
function countedIn({ lines, placed }: Replay, turns: readonly LineTurn[]): readonly Counted[] {
  return placed.map((each) => {
    if (each === null || typeof each === 'string') return { void: each, places: [] }
    const places = placesIn(turns, each)
    if (places.length > 0) return { void: null, places }
    return { void: admittedSometime(lines, each.person) ? 'order' : 'role', places }
  })
}

/** For each earlier approval, in their order. */
export function countedOf(policies: readonly Applied[], approving: Approving): readonly Counted[] {
  const asked = requirementsOf(policies, approving.event.risk_score)
  if (!asked) return uncounted(approving)
  const replayed = replay(asked, approving, approving.voucher.level === 'claim')
  return countedIn(replayed, replayed.turns)
}

const uncounted = ({ earlier }: Approving): readonly Counted[] =>
  earlier.map(({ taken_back_at }) => ({ void: taken_back_at ? 'takenBack' : null, places: [] }))

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
  /** The names of the lines in which its person is kept for a later place. */
  readonly withheld: readonly string[]
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
  const judged: Judged = asked
    ? place(asked, approving)
    : { verdict: 'seals', places: [], withheld: [], earlier: uncounted(approving) }
  if (present) requireEvidence(strictest(policies), present, sixW, true)
  return judged
}

/**
 * A refusal by a member needs no guard, except that a line of steps is refused by somebody whom one of them admits, now or later,
 * or by an ADMIN. One by a key counts where its approval could: it names a person who may not know.
 */
export function judgeRefusal(policies: readonly Applied[], { voucher, event }: Pick<Approving, 'voucher' | 'event'>) {
  const asked = requirementsOf(policies, event.risk_score)
  if (!asked) return
  if (voucher.level !== 'claim') {
    const { lines } = asked
    const people = [voucher, ...(voucher.onBehalfOf ? [voucher.onBehalfOf] : [])]
    const mayRefuse = people.some((who) => who.role === 'ADMIN' || admittedSometime({ lines }, who))
    if (mayRefuse || lines.some(({ isShort }) => isShort)) return
    refuse(asked.reasons[0], 'only the people of its approval line and administrators can refuse. Ask one of them.')
  }
  requireLevel(asked, voucher)
  requireKey(asked.reasons[0], voucher, event)
}

const rank = (level: IdentityLevel): number => requiredIdentities.indexOf(level as RequiredIdentity)

function refuse(reason: Reason, why: string, identity?: RequiredIdentity): never {
  throw new Problem('POLICY_VIOLATION', `The policy "${reason.policyName}" refuses this: ${why}`, {
    details: { policyId: reason.policyId, rule: reason.rule, guard: reason.guard, ...(identity && { identity }) },
  })
}

const howToReach: Record<RequiredIdentity, string> = {
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
    if (standing.kind === 'level') refuse(reasonAt(asked, at), howToReach[standing.level], standing.level)
  }
  if (standings.every(({ kind }) => kind !== 'place')) refuseTurn(asked, approving, standings)
  if (asked.approvals > 1) requireOthers(asked, approving, replayed)
  const after = linesWith(lines, turns, own, people)
  return {
    verdict: after.every(isFull) ? 'seals' : 'first',
    places: placesIn(after, own),
    withheld: standings.flatMap((standing, at) =>
      standing.kind === 'later' && standing.isKept ? [lineName(asked.lines[at] as Lines['lines'][number])] : [],
    ),
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
    refuse(first, "a person must approve the decision, and this approver isn't a person. Ask a person to approve it.")
  }
  if (!alone && idsOf(approver, voucher).has(comparableId(event.actor.id)))
    refuse(first, "the approver can't be the decision's own actor. Ask someone else to approve it.")
}

function placedNow(approving: Approving): PlacedApproval {
  const { approver, voucher, alone, waited } = approving
  const at = sinceOf(approving) + waited * 1000
  const ids = idsOf(approver, voucher)
  if (voucher.level === 'claim') {
    const own = new Set([...ids, keyName(voucher.by)])
    return { person: { actorId: approver.id, role: null }, level: 'claim', own, ids: own, at }
  }
  const { actorId, role } = voucher.onBehalfOf ?? voucher
  return {
    person: personOf(actorId, role, approving.standing),
    level: voucher.level,
    own: new Set([approver.id, voucher.actorId, actorId].map(comparableId)),
    // Where two must approve, those who may stand in for each other count as one.
    ids: new Set([...ids, ...(voucher.together ?? []).map(comparableId)]),
    at,
    ...(alone && { alone }),
  }
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
    )
  }
  const at = standings.findIndex(({ kind }) => kind === 'later')
  const standing = standings[at]
  if (standing?.kind !== 'later') {
    refuse(asked.reasons[0], "this person isn't one of its approvers. Ask one of its approvers to decide.")
  }
  const { policyId, policyName } = reasonAt(asked, at)
  const { version, steps } = asked.lines[at] as Lines['lines'][number]
  const { step } = standing
  throw new Problem(
    'CONFLICT',
    `It isn't this approver's turn yet: the policy "${policyName}" asks for them at step ${step + 1}. Approve when the steps before it are complete.`,
    { details: { turn: { policyId, version, step, title: steps[step]?.title ?? null } } },
  )
}

function requireLevel(asked: Requirements, { level }: Voucher): void {
  if (rank(level) >= rank(asked.identity)) return
  const higher = asked.reasons.find(({ identity }) => rank(identity) > rank(level)) ?? asked.reasons[0]
  refuse(higher, howToReach[asked.identity], asked.identity)
}

/** A claim counts from a key that may speak for people and that did not record the decision itself. */
function requireKey(reason: Reason, { by, maySpeak, boundTo }: KeyVoucher, event: Approving['event']): void {
  if (!maySpeak) refuse(reason, howToReach.claim, 'claim')
  if (event.recorded_by === null || event.recorded_by === by) {
    refuse(reason, "the key that recorded the decision can't approve it. Use another key.", 'claim')
  }
  if (boundTo && comparableId(boundTo.id) === comparableId(event.actor.id)) {
    refuse(reason, "the key belongs to the decision's actor. Use another key.", 'claim')
  }
}

/** Everybody who counts as this approver: their family, and the member whose deputy they are. */
function idsOf({ id }: Approving['approver'], voucher: Voucher): ReadonlySet<string> {
  if (voucher.level === 'claim') return new Set([comparableId(id)])
  const people = [voucher, ...(voucher.onBehalfOf ? [voucher.onBehalfOf] : [])]
  return new Set([id, ...people.flatMap(({ actorId, family }) => [actorId, ...family])].map(comparableId))
}

/** Where more than one person has to approve, all of them are members of whom the service knows more than a provider says, or none is. */
function requireOthers(asked: Requirements, { voucher }: Approving, { counting }: Replay): void {
  if (voucher.level === 'session' && voucher.borrowed) {
    throw stepUpNeeded(
      "Two people must approve this, and signing in through a provider or on a custom domain isn't enough for that.",
    )
  }
  if (voucher.level !== 'claim' || counting.every(({ identity_level }) => identity_level === 'claim')) return
  refuse(
    asked.reasons.find(({ guard }) => guard === 'dualApproval') ?? asked.reasons[0],
    'a signed-in member gave the first approval, so a signed-in member must give the second. Ask another member to approve it.',
    'session',
  )
}
