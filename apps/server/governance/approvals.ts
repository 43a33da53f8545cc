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
import { Problem, refusedField, stepUpNeeded } from '../lib/problem.ts'
import type { Applied } from './policies.ts'
import {
  mayApprove,
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
  /** The approver is the actor, and the service lets them: fewer others could approve a change of rules than it needs. */
  readonly alone?: { readonly others: number } | null
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
> & { readonly control?: ApprovalRow['control'] }

/** What is known now of the people whose approvals stand, read at most a second before. */
export interface Standing {
  /** ACTIVE members who may approve by their role; absent: no longer one. */
  readonly members: ReadonlyMap<string, ActorRole>
  /** The positions of approvals whose deputyship was withdrawn, or never covered them. */
  readonly withdrawn: ReadonlySet<number>
  /** Whether a passkey is still bound to its person in this center. */
  readonly isBound: (passkeyId: string) => boolean
}

/**
 * Why an earlier approval fills no place any more; null while it counts. A policy that became stricter asks again of those who
 * gave less.
 */
function voidOf(
  asked: Requirements,
  { event, standing, waited }: Approving,
  given: EarlierApproval,
): VoidReason | null {
  const { position, approver, identity_level: level, identity_by: by, on_behalf_of: absent, passkey_id } = given
  if (given.taken_back_at) return 'takenBack'
  const isActor = comparableId(approver.id) === comparableId(event.actor.id)
  const isOther = !isActor || given.control?.fallback === 'alone'
  if (approver.type !== 'human' || !isOther || rank(level) < rank(asked.identity)) return 'policy'
  if (level === 'claim') return by === event.recorded_by ? 'policy' : null
  if (!standing) return null
  if (!standing.members.has(by)) return 'member'
  const actorId = absent ?? by
  const role = standing.members.get(actorId)
  if (role === undefined || standing.withdrawn.has(position)) return 'role'
  if (!mayApprove(asked, { actorId, role }, waited)) return 'role'
  return passkey_id !== null && !standing.isBound(passkey_id) ? 'key' : null
}

/** For each earlier approval, in their order. */
export function voidsOf(policies: readonly Applied[], approving: Approving): readonly (VoidReason | null)[] {
  const asked = requirementsOf(policies, approving.event.risk_score)
  return approving.earlier.map((given) => {
    if (given.taken_back_at) return 'takenBack'
    return asked && given.result === 'approved' ? voidOf(asked, approving, given) : null
  })
}

/** Approvers of the service itself; nobody else may use their ids, in an approval or in a refusal. */
export function refuseReservedId(id: string): void {
  const compared = comparableId(id)
  if (compared !== 'countersign' && !compared.startsWith('pol_')) return
  throw refusedField('approver.id', 'is reserved for the service. Send the ID of the person who decides')
}

/** An approval seals, or is the first of two. A refusal needs no guard. */
export function judgeApproval(
  policies: readonly Applied[],
  sixW: SixW,
  approving: Approving,
  /** Those that match now: a policy that has ended covers no decision. Null: only who approves is judged, not the evidence. */
  present: readonly Applied[] | null = policies,
): 'seals' | 'first' {
  const asked = requirementsOf(policies, approving.event.risk_score)
  const counted = asked ? requireApprover(asked, approving) : approving.earlier
  if (present) requireEvidence(strictest(policies), present, sixW, true)
  // Who fills a place because nobody else could fills all of those: the others fill theirs.
  const needed = approving.alone ? approving.alone.others + 1 : (asked?.approvals ?? 1)
  return counted.length + 1 < needed ? 'first' : 'seals'
}

/** A refusal by a member needs no guard. One by a key counts where its approval could: it names a person who may not know. */
export function judgeRefusal(policies: readonly Applied[], { voucher, event }: Pick<Approving, 'voucher' | 'event'>) {
  const asked = requirementsOf(policies, event.risk_score)
  if (!asked || voucher.level !== 'claim') return
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

/** Returns the earlier approvals that count beside this one. */
function requireApprover(asked: Requirements, approving: Approving): readonly Approving['earlier'][number][] {
  const { approver, voucher, event, waited } = approving
  const [first] = asked.reasons
  requireLevel(asked, voucher)
  if (voucher.level === 'claim') requireKey(first, voucher, event)
  if (approver.type !== 'human' || comparableId(approver.id) === '') {
    refuse(first, "a person must approve the decision, and this approver isn't a person. Ask a person to approve it.")
  }
  const own = idsOf(approver, voucher)
  if (!approving.alone && own.has(comparableId(event.actor.id)))
    refuse(first, "the approver can't be the decision's own actor. Ask someone else to approve it.")
  for (const policy of asked.approvers) {
    if (mayApprove({ approvers: [policy] }, candidateOf(approver, voucher), waited)) continue
    const reason = asked.reasons.find(({ policyId }) => policyId === policy.policyId) ?? first
    refuse(reason, "this approver isn't one of the people it lets approve. Ask one of those people.")
  }
  return asked.approvals === 2 ? requireAnother(asked, approving, own) : approving.earlier
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

const candidateOf = (approver: Approving['approver'], voucher: Voucher) =>
  voucher.level === 'claim' ? { actorId: approver.id, role: null } : (voucher.onBehalfOf ?? voucher)

/** Everybody who counts as this approver: their family, and the member whose deputy they are. */
function idsOf({ id }: Approving['approver'], voucher: Voucher): ReadonlySet<string> {
  if (voucher.level === 'claim') return new Set([comparableId(id)])
  const people = [voucher, ...(voucher.onBehalfOf ? [voucher.onBehalfOf] : [])]
  return new Set([id, ...people.flatMap(({ actorId, family }) => [actorId, ...family])].map(comparableId))
}

/** Two approvals come from two people who are vouched for by two. */
function requireAnother(asked: Requirements, approving: Approving, ids: ReadonlySet<string>) {
  const { voucher, earlier } = approving
  if (voucher.level === 'session' && voucher.borrowed) {
    throw stepUpNeeded(
      "Two people must approve this, and signing in through a provider or on a custom domain isn't enough for that.",
    )
  }
  const together = voucher.level === 'claim' ? [] : (voucher.together ?? [])
  const own = new Set([...ids, ...together.map(comparableId)])
  const acceptable = earlier.filter((given) => given.result === 'approved' && voidOf(asked, approving, given) === null)
  const dual = asked.reasons.find(({ guard }) => guard === 'dualApproval') as Reason
  if (voucher.level === 'claim' && acceptable.some(({ identity_level }) => identity_level !== 'claim')) {
    refuse(
      dual,
      'a signed-in member gave the first approval, so a signed-in member must give the second. Ask another member to approve it.',
      'session',
    )
  }
  // A claim is no second approval beside that of a signed-in member.
  const counted = acceptable.filter(
    ({ identity_level }) => (identity_level === 'claim') === (voucher.level === 'claim'),
  )
  const by = vouchedBy(voucher)
  for (const { approver, identity_by, on_behalf_of } of counted) {
    const theirs = [approver.id, identity_by, ...(on_behalf_of ? [on_behalf_of] : [])]
    if (identity_by !== by && !theirs.some((id) => own.has(comparableId(id)))) continue
    throw new Problem(
      'CONFLICT',
      identity_by === by && voucher.level === 'claim'
        ? 'This key has already submitted the first approval. The second must come from another person, through another key.'
        : 'This approver has already approved, in person, through a deputy or with another account. The second approval must come from another person.',
    )
  }
  return counted
}
