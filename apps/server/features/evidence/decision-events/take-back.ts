/** A member takes an approval back while the decision waits: the record keeps it, and it fills no place any more. */
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import { approvalRows, eventRows, needsOfOpen, needsOfSealing } from './decision.ts'
import { judgingOf } from './judging.ts'

export const takeBackItem = (
  eventId: string,
  actorId: string,
  center: CenterProfile,
  caller: Caller,
): Pick<SealItem<{ readonly approvalId: string; readonly takenBackAt: string }>, 'holds' | 'judge'> => ({
  holds: { chains: ['proof'], rows: [...needsOfOpen(eventId), ...needsOfSealing] },
  judge(batch) {
    const { event, prior } = judgingOf(batch, eventId, center, undefined)
    const standing = prior.filter(({ taken_back_at }) => !taken_back_at)
    const own = standing.findLast(
      ({ identity_by, identity_level }) => identity_level !== 'claim' && identity_by === actorId,
    )
    if (!own)
      throw new Problem(
        'CONFLICT',
        'You have no approval of this decision to take back. Read the decision to see its approvals.',
        { details: { reason: 'noApproval' } },
      )
    batch.rows(approvalRows).update({ ...own, taken_back_at: batch.at })
    if (standing.length === 1) batch.rows(eventRows).update({ ...event, status: 'recorded', updated_at: batch.at })
    auditInBatch(batch, caller, {
      type: 'decision.sealed',
      action: 'approval_taken_back',
      target: { type: 'decision_event', id: typedId('decisionEvent', event.id) },
      details: { decisionId: event.decision_id },
    })
    return { approvalId: typedId('approval', own.id), takenBackAt: batch.at }
  },
})
