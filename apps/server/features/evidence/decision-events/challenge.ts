/** The challenge of an approval: judged like the approval itself, so that nobody signs what would be refused. */
import { type ApprovalStatement, challengeOf, reasonDigest } from '@countersign/proof/passkey.ts'
import { judgeApproval, type MemberVoucher } from '../../../governance/approvals.ts'
import { named } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { ChallengeRow } from '../../../governance/rows.ts'
import { newActionSalt, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import type { CenterProfile, SealItem } from '../../../sealing/item.ts'
import { approvalsOf, needsOfOpen } from './close.ts'
import { firstAccepted, openEvent, requireTime } from './open-decision.ts'
import { challengeRows, waitingRows } from './sealed-rows.ts'
import { matchingPolicies, needsOfSealing, sixWWith } from './sealing.ts'

export interface AskedChallenge {
  readonly result: ApprovalStatement['result']
  readonly reason?: string | undefined
  readonly actorId: string
  /** The member in their own right, then as the deputy of others. */
  readonly vouchers: readonly MemberVoucher[]
  readonly rpId: string
  readonly log: string
}

const lifetimeMs = 300_000

export function challengeItem(
  eventId: string,
  asked: AskedChallenge,
  center: CenterProfile,
  hasKey: boolean,
): Pick<SealItem<ChallengeRow>, 'holds' | 'judge'> {
  return {
    holds: { chains: [], rows: [...needsOfOpen(eventId), ...needsOfSealing] },
    judge: (batch) => makeChallenge(batch, eventId, asked, center, hasKey),
  }
}

function makeChallenge(
  batch: Batch,
  eventId: string,
  asked: AskedChallenge,
  center: CenterProfile,
  hasKey: boolean,
): ChallengeRow {
  const { result, reason, actorId, rpId, log } = asked
  const event = openEvent(batch, eventId)
  const policies = matchingPolicies(batch, { event, center })
  const since = batch.rows(waitingRows).find(event.id)?.since
  requireTime(requirementsOf(policies, event.risk_score), since, batch.at)
  const waited = since === undefined ? 0 : (Date.parse(batch.at) - Date.parse(since)) / 1000
  const evidence = sixWWith(event, center, reason)
  const signing = asked.vouchers.map((each) => ({ ...each, level: 'passkey' as const }))
  const [own] = signing
  if (!own) throw new Problem('INTERNAL_ERROR', 'Nobody vouches for this approval.')
  const approver = { id: actorId, type: 'human' }
  const earlier = approvalsOf(batch, event.id)
  const voucher =
    result === 'rejected'
      ? own
      : firstAccepted(signing, (each) =>
          judgeApproval(policies, evidence, { approver, voucher: each, event, earlier, waited }),
        ).voucher
  if (!hasKey) {
    throw new Problem(
      'CONFLICT',
      'You have no passkey that is confirmed in this center. Register one and ask an ADMIN to confirm it.',
    )
  }
  const reason_salt = reason === undefined ? null : newActionSalt()
  const statement: ApprovalStatement = {
    type: 'countersign-approval-v1',
    log,
    eventId: typedId('decisionEvent', event.id),
    decisionId: event.decision_id,
    actionDigest: event.action_digest,
    result,
    reasonDigest: reason === undefined || reason_salt === null ? null : reasonDigest(reason_salt, reason),
    approverId: actorId,
    policies: named(policies),
    onBehalfOf: voucher.onBehalfOf?.actorId ?? null,
    rpId,
    nonce: newActionSalt(),
    issuedAt: batch.at,
  }
  const row: ChallengeRow = {
    center_id: center.centerId,
    challenge: Buffer.from(challengeOf(statement)).toString('base64url'),
    event_id: event.id,
    actor_id: actorId,
    statement,
    reason_salt,
    expires_at: new Date(Date.parse(batch.at) + lifetimeMs).toISOString(),
  }
  batch.rows(challengeRows).insert(row)
  return row
}
