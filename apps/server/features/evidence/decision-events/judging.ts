/**
 * How an approval and the challenge of one are judged: the same decision, the same policies, the same members. The decision is open,
 * in time, as it was shown, and small enough to read. Pure.
 */

import type { ActorRole } from '@countersign/contract/enums.ts'
import { type ApprovalControl, approvalHash, priorDigest } from '@countersign/proof/control.ts'
import { fieldList } from '@countersign/proof/decision-fields.ts'
import { type ViewedDecision, viewBound, viewSize } from '@countersign/proof/decision-view.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { type Judged, judgeApproval, judgeRefusal } from '../../../governance/approvals.ts'
import type { Approving, ApprovingMember, MemberVoucher, Standing, Voucher } from '../../../governance/approving.ts'
import { countedOf } from '../../../governance/counting.ts'
import { requireNotFrozen } from '../../../governance/freezes.ts'
import { type Candidate, canFillAll, placesSince } from '../../../governance/line.ts'
import { type Applied, isOwn } from '../../../governance/policies.ts'
import { type Requirements, requirementsOf, type SixW } from '../../../governance/requirements.ts'
import type { ApprovalRow, EventRow } from '../../../governance/rows.ts'
import { Problem, refusedField } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { Need } from '../../../sealing/sealed-rows.ts'
import { countingRoles, needsOfMembers, notYet } from '../../identity/eligibility/api.ts'
import { passkeyRows } from '../../identity/passkeys/api.ts'
import { givenForProof, valuesIn } from '../dpu/api.ts'
import { approvalsOf, eventRows, hasExpired, policiesOver, sixWWith, waitingRows } from './decision.ts'
import { policiesChanged } from './waiting.ts'

/** What the approver was shown. */
export interface Seen {
  readonly actionDigest?: string | undefined
  readonly policies?: readonly { readonly id: string; readonly version: number }[] | undefined
  /** The digest of the approvals before; those that came meanwhile are not in it. */
  readonly prior?: string | undefined
  /** The digest under which this member opened the decision. */
  readonly openedDigest?: string | undefined
}

/** What is known of earlier approvers, and how many approvals there were when it was read. */
export interface KnownStanding extends Omit<Standing, 'isBound'> {
  readonly approvals: number
}

/** An approval came between reading and judging: what is known of its person has to be read first. */
export class ReadAgain extends Problem {
  constructor() {
    super('CONFLICT', 'Another approval arrived at the same moment. Read the decision again.', {
      details: { reason: 'changed' },
      passing: true,
    })
  }
}

/** A policy has steps: who is in which group, and who else could fill them, has to be read first. */
export class PeopleUnknown extends ReadAgain {}

export const unknownEvent = (): Problem =>
  new Problem('NOT_FOUND', "There's no decision event with this ID. Check the ID and the center.")

function openEvent(batch: Batch, eventId: string): EventRow {
  const event = batch.rows(eventRows).find(eventId)
  if (!event) throw unknownEvent()
  if (event.status === 'sealed' || event.status === 'rejected') {
    throw new Problem(
      'CONFLICT',
      event.status === 'sealed'
        ? "This decision is already sealed and can't be changed. Record a new one if you need to."
        : 'This decision was refused, and the refusal is sealed. Record a new one if you need to.',
      { details: { reason: 'closedDecision' } },
    )
  }
  return event
}

export interface Judging {
  readonly event: EventRow
  /** Those that match now, and the versions that asked when it began to wait. */
  readonly policies: readonly Applied[]
  readonly present: readonly Applied[]
  readonly asked: Requirements | null
  readonly evidence: SixW
  readonly prior: readonly ApprovalRow[]
  /** When it began to wait, in milliseconds, and for how many seconds it has. */
  readonly since: number
  readonly waited: number
}

export function judgingOf(batch: Batch, eventId: string, center: CenterProfile, reason: string | undefined): Judging {
  const event = openEvent(batch, eventId)
  const { all: policies, present } = policiesOver(batch, { event, center })
  const asked = requirementsOf(policies, event.risk_score)
  const row = batch.rows(waitingRows).find(event.id)
  const at = Date.parse(batch.at)
  // The job that seals the refusal may come later; an approval in between would contradict it.
  if (hasExpired(asked, row, batch.at)) {
    throw new Problem(
      'CONFLICT',
      'This decision has expired and will be sealed as refused. Record a new one if you need to.',
      { details: { reason: 'expired' } },
    )
  }
  const begun = row === undefined ? at : Date.parse(row.since)
  return {
    event,
    policies,
    present,
    asked,
    evidence: sixWWith(event, center, reason),
    prior: approvalsOf(batch, event.id),
    since: begun,
    waited: (at - begun) / 1000,
  }
}

/** A stop keeps what it covers from being approved; refusing it always works. */
export const requireMoving = (batch: Batch, { actor, recorded_by, action }: EventRow, by: Voucher): void =>
  requireNotFrozen(batch, {
    actorId: actor.id,
    keyIds: [recorded_by, ...(by.level === 'claim' ? by.line : [])],
    actionType: action.type,
  })

interface Answering {
  readonly result: 'approved' | 'rejected'
  readonly approver: Approving['approver']
  readonly standing: Standing | null
  /** Of the one who asked for a change of rules, where too few others could approve it: these. */
  readonly alone?: Approving['alone']
  readonly emergency?: boolean
}

/** What is known of the earlier approvers, with the keys as the batch has read them. */
export function standingIn(
  batch: Batch,
  known: KnownStanding | undefined,
  prior: readonly ApprovalRow[],
): Standing | null {
  if (!known) return null
  if (prior.length > known.approvals) throw new ReadAgain()
  return { ...known, isBound: (id) => batch.rows(passkeyRows).find(id)?.removed === false }
}

/** The first voucher that the policies accept. A refusal is judged only where a key names who refuses: the first one refuses. */
export function acceptedVoucher<V extends Voucher>(
  vouchers: readonly [V, ...V[]],
  { event, policies, present, asked, evidence, prior: earlier, since, waited }: Judging,
  { result, approver, standing, alone = null, emergency = false }: Answering,
): Judged & { readonly voucher: V } {
  const [first] = vouchers
  const approving = { approver, event, earlier, since, waited, standing, alone, emergency }
  // Groups are read with the people, and a group may be one that approves in an emergency.
  const needsPeople = emergency || asked?.lines.some(({ isShort }) => !isShort)
  if (standing && !standing.people && needsPeople) throw new PeopleUnknown()
  if (result === 'rejected') {
    judgeRefusal(policies, vouchers, { event, standing })
    const counted = countedOf(policies, { ...approving, voucher: first })
    return { voucher: first, verdict: 'seals', places: [], seen: [], roles: null, earlier: counted }
  }
  // Lines say who decides about rules. What they ask of the evidence of other decisions is not theirs to ask here.
  const judged = isOwn(event.action.type) ? null : present
  let refusal: unknown
  for (const voucher of vouchers) {
    try {
      return { voucher, ...judgeApproval(policies, evidence, { ...approving, voucher }, judged) }
    } catch (error) {
      const isOfPerson = error instanceof Problem && (error.code === 'POLICY_VIOLATION' || 'turn' in error.details)
      if (!isOfPerson) throw error
      refusal ??= error
    }
  }
  throw refusal
}

/** Who else could approve it: where too few could, the one who asked may, after this many seconds. */
export interface Fallback {
  readonly afterSeconds: number
  readonly others: readonly Candidate[]
}

/**
 * Whether the member who asked for a change of rules may approve it: long enough ago, and the others could not fill the lines.
 * Whoever could in the last month counts, so that nobody is alone by removing the others.
 */
export function aloneWith({ event, asked, waited }: Judging, voucher: Voucher, fallback: Fallback | undefined) {
  if (!fallback || !asked || voucher.level === 'claim' || voucher.actorId !== event.actor.id) return null
  if (!isOwn(event.action.type) || waited < fallback.afterSeconds) return null
  const family = new Set(voucher.family)
  const others = fallback.others.filter(({ actorId }) => !family.has(actorId))
  return asked.lines.every((line) => canFillAll(line, others)) ? null : others
}

/** The hashes of the approvals so far, which a later one names. */
export const priorHashes = (prior: readonly ApprovalRow[]): readonly string[] =>
  prior.map((row) => approvalHash(row.salt ?? '', givenForProof(row)))

/** Whether these are the first of the approvals so far. One that came while a person was reading changes nothing for them. */
export const isPrefix = (digest: string, prior: readonly ApprovalRow[]): boolean => {
  const hashes = priorHashes(prior)
  return Array.from({ length: hashes.length + 1 }, (_, count) => priorDigest(hashes.slice(0, count))).includes(digest)
}

const again = (reason: string, why: string): Problem =>
  new Problem('CONFLICT', `${why} Read the decision again.`, { details: { reason } })

/** The decision is still what the approver was shown, as far as they say what that was. */
export function requireSame(
  { actionDigest, policies, prior }: Seen,
  { event, prior: given }: Pick<Judging, 'event' | 'prior'>,
  asking: readonly { id: string; version: number }[],
) {
  if (actionDigest !== undefined && actionDigest !== event.action_digest) {
    throw again('otherAction', "This isn't the action you were shown.")
  }
  const nameOf = ({ id, version }: { id: string; version: number }) => `${id} ${version}`
  const shown = policies && new Set(policies.map(nameOf))
  if (shown && (shown.size !== asking.length || asking.some((each) => !shown.has(nameOf(each))))) {
    throw again(policiesChanged, 'The policies that ask for this approval have changed.')
  }
  if (prior !== undefined && !isPrefix(prior, given))
    throw again('otherApprovals', 'The approvals before yours have changed.')
}

/** Where a policy asks, a member says what they were shown, and has opened it. Without that nobody knows what was approved. */
export function requireSeen({ actionDigest, policies, prior, openedDigest }: Seen, event: EventRow): void {
  if (actionDigest === undefined || policies === undefined || prior === undefined) {
    throw again('notShown', 'This approval must include what you were shown: "actionDigest", "policies" and "prior".')
  }
  if (openedDigest !== event.action_digest) {
    throw new Problem(
      'CONFLICT',
      "You haven't opened this decision in its current form. Read the decision again, then call POST /api/decisions/{eventId}/opened.",
      { details: { reason: 'notOpened' } },
    )
  }
}

export const needsOfVouchers = (vouchers: readonly Voucher[]): readonly Need[] =>
  needsOfMembers(
    vouchers.flatMap((voucher) =>
      voucher.level === 'claim' ? [] : [voucher, ...(voucher.onBehalfOf ? [voucher.onBehalfOf] : [])],
    ),
  )

/**
 * The vouchers by the roles that count now, and after all of these, where a role does not count yet, by every role: whoever is
 * accepted only so learns when it will.
 */
export function byCountingRoles<V extends Voucher>(batch: Batch, vouchers: readonly [V, ...V[]]): readonly [V, ...V[]] {
  const each = vouchers.map((voucher) =>
    voucher.level === 'claim' ? { now: voucher } : rolesOf(batch, voucher as MemberVoucher),
  )
  return [...each.flatMap(({ now }) => now ?? []), ...each.flatMap(({ later }) => later ?? [])] as unknown as [
    V,
    ...V[],
  ]
}

interface ByRoles {
  readonly now?: Voucher
  readonly later?: Voucher
}

/** A deputy counts only if both of them do; the place is that of the absent member. */
function rolesOf(batch: Batch, voucher: MemberVoucher): ByRoles {
  const { onBehalfOf } = voucher
  const own = countingRoles(batch, voucher)
  const { counting, waiting } = onBehalfOf ? countingRoles(batch, onBehalfOf) : own
  const isDeputy = own.counting.length > 0
  const [first] = isDeputy ? waiting : own.waiting
  const by: Pick<ApprovingMember, 'roles' | 'roleSince'> = {
    roles: counting.map(({ role }) => role as ActorRole),
    roleSince: Object.fromEntries(counting.map(({ role, since }) => [role, since])),
  }
  return {
    ...(isDeputy &&
      counting.length > 0 && {
        now: onBehalfOf ? { ...voucher, onBehalfOf: { ...onBehalfOf, ...by } } : { ...voucher, ...by },
      }),
    ...(first && { later: { ...voucher, countsFrom: first.countsFrom } }),
  }
}

/** By which entry the first of the roles counts that admit this member. */
export function sinceOf({ countsFrom, onBehalfOf, roleSince }: MemberVoucher): number {
  if (countsFrom !== undefined) throw notYet(countsFrom)
  return Math.min(...Object.values((onBehalfOf ? onBehalfOf.roleSince : roleSince) ?? {}))
}

/** Whether a member who approves counts yet, and what is sealed of the places. */
export function admittedBy(voucher: Voucher, places: Judged['places']): Pick<ApprovalControl, 'admitted'> {
  if (voucher.level === 'claim') return places.length > 0 ? { admitted: places } : {}
  return { admitted: placesSince(places, sinceOf(voucher)) }
}

/** How much an approver would have to read. */
const sizeOf = (event: EventRow) => viewSize(valuesIn(event, fieldList) as unknown as ViewedDecision)

const tooMuch = `This decision has more than ${viewBound.values} values or ${viewBound.bytes} bytes, too much for a person to read before approving`

/** A decision that a person has to approve is one that a person can read. */
export function requireReadable(event: EventRow): void {
  if (sizeOf(event).fits) return
  throw refusedField('action', tooMuch, `${tooMuch}. Split it into smaller decisions.`)
}

/** One that was recorded all the same waits, and can only be refused. */
export function requireShowable(event: EventRow): void {
  if (!sizeOf(event).fits)
    throw new Problem('CONFLICT', `${tooMuch}. Refuse it, then record it again in smaller parts.`, {
      details: { reason: 'tooLarge' },
    })
}
