/**
 * What becomes of an approval that was given in an emergency: its lines confirm it or object, or nobody does in time, and then
 * somebody closes the matter. Each of these is an entry of the chain `history` about the decision.
 */

import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { lineName } from '@countersign/proof/line.ts'
import type { ConfirmationStatement } from '@countersign/proof/passkey.ts'
import { reasonDigest } from '@countersign/proof/passkey.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import type { MemberVoucher } from '../../../governance/approving.ts'
import { type Confirming, confirmingOf, judgeConfirmation, stateAt } from '../../../governance/confirming.ts'
import { type Candidate, placesSince } from '../../../governance/line.ts'
import type { Applied } from '../../../governance/policies.ts'
import type { ChallengeRow, EventRow } from '../../../governance/rows.ts'
import { newActionSalt, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry, SealItem } from '../../../sealing/batch.ts'
import { type Need, need } from '../../../sealing/sealed-rows.ts'
import { needWebhooks, publishInBatch } from '../../automation/webhooks/api.ts'
import { requireCountingAdmin } from '../../identity/eligibility/api.ts'
import {
  challengeRows,
  keepChallenge,
  needsOfSigned,
  requireChallenge,
  requireKey,
  type Signed,
} from '../../identity/passkeys/api.ts'
import { appendToUnit, brokenRecord, needDpu } from '../dpu/api.ts'
import { asSigner } from './approve.ts'
import { eventRows } from './decision.ts'
import { type ConfirmationRow, type EmergencyRow, emergencyRows, needEmergency } from './emergency.ts'
import { byCountingRoles, needsOfVouchers, sinceOf, unknownEvent } from './judging.ts'

export type SignedConfirmation = Signed<ConfirmationStatement>
type Result = ConfirmationRow['result']

/** Of a record that was verified. What was sealed does not change until the batch. */
export interface SealedDecision {
  readonly chainHash: string
  readonly sealedAt: string
  /** The texts of the versions that the seal names. */
  readonly policies: readonly Applied[]
  /** The places that the seal says were filled. */
  readonly places: readonly {
    readonly policyId: string
    readonly version: number
    readonly step: number
    readonly by: string
  }[]
  readonly confirmBy: string | null
}

export interface AskedConfirmation {
  readonly result: Result
  readonly reason?: string | undefined
  /** The member in their own right, then as the deputy of others. */
  readonly vouchers: readonly [MemberVoucher, ...MemberVoucher[]]
  readonly people: readonly Candidate[]
  readonly sealed: SealedDecision | undefined
}

type ConfirmationItem<T> = Pick<SealItem<T>, 'holds' | 'judge'>

const needsOf = (eventId: string): readonly Need[] => [
  need(eventRows, { id: eventId }),
  needDpu(eventId),
  needEmergency(eventId),
  needWebhooks,
]

interface Open {
  readonly event: EventRow
  readonly row: EmergencyRow
}

function found(batch: Batch, eventId: string): Open {
  const event = batch.rows(eventRows).find(eventId)
  if (!event) throw unknownEvent()
  const row = batch.rows(emergencyRows).find(eventId)
  if (row) return { event, row }
  throw new Problem(
    'CONFLICT',
    "This decision wasn't approved in an emergency, so there's nothing to confirm. Read the decision to see its approvals.",
    { details: { reason: 'notEmergency' } },
  )
}

/** Nobody has objected, the lines are not complete, and the time is not over. */
function openAt(batch: Batch, eventId: string, at: string): Open {
  const open = found(batch, eventId)
  const state = stateAt(open.row, at)
  if (state === 'open') return open
  const said = {
    confirmed: 'This emergency approval is already confirmed, and nothing can be added to that.',
    objected: 'This emergency approval was objected to, and nothing can be added to that.',
    unconfirmed: `This emergency approval could only be confirmed until ${new Date(open.row.confirm_by).toISOString()}.`,
  }
  throw new Problem('CONFLICT', `${said[state]} Read the decision to see its state.`, { details: { reason: state } })
}

const nameOf = ({ policyId, version, step, by }: SealedDecision['places'][number]): string =>
  canonical({ policyId, version, step, by })

/** The row says what the seal says: it decides who may confirm. */
function confirmingIn({ event, row }: Open, sealed: SealedDecision | undefined): Confirming {
  if (!sealed) throw brokenRecord('its emergency approval has no seal')
  const lines = new Set(sealed.places.filter(({ by }) => by === 'emergency').map(lineName))
  const stated = sealed.places.filter((place) => lines.has(lineName(place))).map(nameOf)
  const isSame =
    sealed.confirmBy === new Date(row.confirm_by).toISOString() &&
    stated.toSorted().join() === row.places.map(nameOf).toSorted().join()
  const { policies, sealedAt } = sealed
  const facts = { policies, sealedAt, riskScore: event.risk_score, actorId: event.actor.id ?? '' }
  const confirming = isSame ? confirmingOf(row, facts) : null
  if (!confirming || confirming.turns.length < lines.size) {
    throw brokenRecord("its emergency approval doesn't match what was sealed")
  }
  return confirming
}

export const confirmationChallengeItem = (
  eventId: string,
  asked: AskedConfirmation & { readonly hasKey: boolean; readonly rpId: string; readonly log: string },
  { centerId }: CenterProfile,
): ConfirmationItem<ChallengeRow & { readonly statement: ConfirmationStatement }> => ({
  holds: { chains: [], rows: [...needsOf(eventId), ...needsOfVouchers(asked.vouchers)] },
  judge(batch) {
    const { result, reason, people, rpId, log, sealed } = asked
    const open = openAt(batch, eventId, batch.at)
    requireReason(result, reason)
    const [first, ...others] = asked.vouchers
    const vouchers = byCountingRoles(batch, [asSigner(first), ...others.map(asSigner)])
    const confirming = confirmingIn(open, sealed)
    sinceOf(judgeConfirmation(confirming, { result, vouchers, people, at: batch.at }).voucher)
    const salt = reason === undefined ? null : newActionSalt()
    const statement: ConfirmationStatement = {
      type: 'countersign-confirm-v1',
      log,
      eventId: typedId('decisionEvent', eventId),
      chainHash: (sealed as SealedDecision).chainHash,
      result,
      reasonDigest: salt === null ? null : reasonDigest(salt, reason as string),
      approverId: first.actorId,
      rpId,
      nonce: newActionSalt(),
      issuedAt: batch.at,
    }
    const about = { center_id: centerId, event_id: eventId, dpu_id: null, actor_id: first.actorId, reason_salt: salt }
    return keepChallenge(batch, asked.hasKey, { ...about, statement })
  },
})

function requireReason(result: Result, reason: string | undefined): void {
  if (result === 'confirmed' || (reason !== undefined && reason.trim() !== '')) return
  throw new Problem('VALIDATION_ERROR', 'An objection needs a "reason". Say what you object to.', {
    details: { reason: 'noReason', field: 'reason' },
  })
}

export interface Confirmed {
  readonly event: EventRow
  readonly entry: Entry
  readonly complete: boolean
}

export const confirmationItem = (
  eventId: string,
  asked: AskedConfirmation & { readonly signed?: SignedConfirmation | undefined },
  caller: Caller,
): ConfirmationItem<Confirmed> => ({
  holds: {
    chains: ['history'],
    rows: [
      ...needsOf(eventId),
      ...needsOfVouchers(asked.vouchers),
      ...(asked.signed ? needsOfSigned(asked.signed) : []),
    ],
  },
  judge: (batch) => confirm(batch, eventId, asked, caller),
})

function confirm(
  batch: Batch,
  eventId: string,
  {
    result,
    reason,
    vouchers,
    people,
    sealed,
    signed,
  }: AskedConfirmation & { readonly signed?: SignedConfirmation | undefined },
  caller: Caller,
): Confirmed {
  const at = batch.time('history')
  const { event, row } = openAt(batch, eventId, at)
  requireReason(result, reason)
  const challenge = signed && requireChallenge(batch, signed, ({ event_id }) => event_id === eventId)
  if (signed && (signed.statement.result !== result || signed.statement.chainHash !== sealed?.chainHash)) {
    throw new Problem(
      'CONFLICT',
      'Your passkey signed a different result or comment. Get a new challenge and sign it.',
      { details: { reason: 'otherSigned' } },
    )
  }
  const passkey = signed && { ...requireKey(batch, signed), statement: signed.statement }
  const [first, ...others] = vouchers
  const signing = signed ? ([asSigner(first), ...others.map(asSigner)] as const) : vouchers
  const known = byCountingRoles(batch, signing)
  const judged = judgeConfirmation(confirmingIn({ event, row }, sealed), { result, vouchers: known, people, at })
  const { voucher, complete } = judged
  const places = placesSince(judged.places, sinceOf(voucher))
  const { actorId, onBehalfOf, level } = voucher
  const { entry } = appendToUnit(batch, eventId, 'confirmation', {
    action: result,
    by: { id: actorId },
    ...(onBehalfOf && { onBehalfOf: onBehalfOf.actorId }),
    level,
    ...(result === 'confirmed' && { admitted: places as unknown as Json, complete }),
    ...(reason !== undefined && { reason }),
    ...(challenge?.reason_salt && { reasonSalt: challenge.reason_salt }),
    ...(passkey && { passkey: passkey as unknown as Json }),
  })
  const confirmation: ConfirmationRow = {
    center_id: row.center_id,
    event_id: eventId,
    position: row.confirmations.length,
    result,
    by_actor: actorId,
    on_behalf_of: onBehalfOf?.actorId ?? null,
    level: level as ConfirmationRow['level'],
    places: judged.places,
    at: entry.sealedAt,
    history_index: entry.index,
  }
  if (challenge) batch.rows(challengeRows).update(challenge)
  const state = result === 'objected' ? 'objected' : complete ? 'confirmed' : 'open'
  const next: EmergencyRow = {
    ...row,
    confirmations: [...row.confirmations, confirmation],
    ...(state !== 'open' && { state, state_at: entry.sealedAt, state_index: entry.index }),
  }
  batch.rows(emergencyRows).update(next)
  note(batch, event, caller, result, entry)
  if (result === 'objected') {
    publishInBatch(batch, row.center_id, 'agent.approval.objected', () => ({
      ...published(event, row),
      ...{ objectedBy: actorId, reason: reason as string, objectedAt: entry.sealedAt },
    }))
  }
  if (complete) {
    publishInBatch(batch, row.center_id, 'agent.approval.confirmed', () => ({
      ...published(event, row),
      confirmedBy: next.confirmations.map(({ by_actor }) => by_actor),
      confirmedAt: entry.sealedAt,
    }))
  }
  return { event, entry, complete }
}

const published = (event: EventRow, { used_by, confirm_by }: EmergencyRow) => ({
  decisionId: event.decision_id,
  eventId: typedId('decisionEvent', event.id),
  agentId: event.actor.id ?? 'redacted',
  actionType: event.action.type,
  usedBy: [...used_by],
  confirmBy: new Date(confirm_by).toISOString(),
})

function note(
  batch: Batch,
  event: EventRow,
  caller: Caller,
  action: 'confirmed' | 'objected' | 'unconfirmed' | 'closed',
  entry: Entry,
): void {
  auditInBatch(batch, caller, {
    type: 'decision.sealed',
    action,
    target: { type: 'decision_event', id: typedId('decisionEvent', event.id) },
    details: { decisionId: event.decision_id, historyIndex: entry.index },
  })
}

/** Seals that nobody confirmed it in time; false if somebody did, or there still is time. */
export const lapseItem = (eventId: string, caller: Caller): ConfirmationItem<boolean> => ({
  holds: { chains: ['history'], rows: needsOf(eventId) },
  judge(batch) {
    const { event, row } = found(batch, eventId)
    if (row.state !== 'open' || stateAt(row, batch.time('history')) !== 'unconfirmed') return false
    lapse(batch, event, row, caller)
    return true
  },
})

function lapse(batch: Batch, event: EventRow, row: EmergencyRow, caller: Caller): EmergencyRow {
  const { entry } = appendToUnit(batch, event.id, 'confirmation', {
    action: 'unconfirmed',
    by: { id: 'countersign' },
  })
  const next: EmergencyRow = { ...row, state: 'unconfirmed', state_at: entry.sealedAt, state_index: entry.index }
  batch.rows(emergencyRows).update(next)
  note(batch, event, caller, 'unconfirmed', entry)
  publishInBatch(batch, row.center_id, 'agent.approval.unconfirmed', () => ({
    ...published(event, row),
    unconfirmedAt: entry.sealedAt,
  }))
  return next
}

export interface Closing {
  readonly id: string
  readonly rank: 'center' | 'partner' | 'operator'
  /** All accounts of this person; none for the operator. */
  readonly family: readonly string[]
  readonly reason: string
  /** Of the center only: whoever becomes an ADMIN closes nothing before that role counts. */
  readonly member?: MemberVoucher
  /** The ACTIVE ADMINs of the center, each with all of their accounts. */
  readonly admins: readonly (readonly string[])[]
}

/** Whoever used it may do so again; the decision stays as it is. */
export const closingItem = (eventId: string, by: Closing, caller: Caller): ConfirmationItem<Entry> => ({
  holds: { chains: ['history'], rows: [...needsOf(eventId), ...needsOfVouchers(by.member ? [by.member] : [])] },
  judge(batch) {
    const { event, row: stored } = found(batch, eventId)
    const state = stateAt(stored, batch.time('history'))
    if (stored.closed_at !== null || state === 'open' || state === 'confirmed') {
      throw new Problem(
        'CONFLICT',
        'This emergency approval is still open, confirmed or already closed, so there is nothing to close. Read the decision to see its state.',
        { details: { reason: 'emergencySettled' } },
      )
    }
    requireOther(stored, by)
    if (by.member) requireCountingAdmin(batch, by.member.membershipId)
    const row = stored.state === 'open' ? lapse(batch, event, stored, { ...caller, actorId: 'countersign' }) : stored
    const { id, rank, reason } = by
    const { entry } = appendToUnit(batch, eventId, 'confirmation', { action: 'closed', by: { id }, rank, reason })
    batch.rows(emergencyRows).update({
      ...row,
      ...{ closed_by: id, closed_at: entry.sealedAt, closed_index: entry.index, close_reason: reason },
    })
    note(batch, event, caller, 'closed', entry)
    return entry
  },
})

/** Another ADMIN; the partner or the operator only where there is none. */
function requireOther({ used_by }: EmergencyRow, { rank, family, admins }: Closing): void {
  const isUser = (ids: readonly string[]) => ids.some((id) => used_by.includes(id))
  if (isUser(family)) {
    throw new Problem('FORBIDDEN', "You can't close your own emergency approval. Ask another administrator.", {
      details: { reason: 'ownEmergency' },
    })
  }
  if (rank === 'center' || admins.every(isUser)) return
  throw new Problem(
    'FORBIDDEN',
    'Another administrator of the center can close this, so the partner and the operator leave it to them. Ask one of them.',
    { details: { reason: 'centersEmergency' } },
  )
}
