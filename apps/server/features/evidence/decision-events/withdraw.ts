/** The requester withdraws a decision while it waits: the service itself refuses it, and the seal names who withdrew it. */

import { comparableId } from '@countersign/proof/comparable-id.ts'
import { isVisibleTo, type KeyPrincipal, type MemberPrincipal } from '../../../access/principal.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Entry, SealItem } from '../../../sealing/batch.ts'
import type { RowKind } from '../../../sealing/sealed-rows.ts'
import { eventRows, needsOfOpen, needsOfSealing, waitingRows } from './decision.ts'
import { judgingOf, unknownEvent } from './judging.ts'
import { requireOwnKey } from './own-key.ts'
import { refuseOpen } from './refuse.ts'

/** An API key, or a member who is signed in. */
type Withdrawer =
  | Pick<KeyPrincipal, 'kind' | 'actorId' | 'boundTo' | 'line'>
  | Pick<MemberPrincipal, 'kind' | 'actorId' | 'name'>

interface NewComment {
  readonly center_id: number
  readonly event_id: string
  readonly id: string
  readonly author_id: string
  readonly author_name: string
  readonly text: string
  readonly created_at: string
}

const commentRows: RowKind<NewComment> = {
  name: 'comments',
  order: 35,
  write: 'write_comments',
  namesOf: ({ id }) => [id],
}

function requireOwn(by: Withdrawer, event: EventRow | undefined): EventRow {
  if (!event) throw unknownEvent()
  if (by.kind === 'key') {
    if (!isVisibleTo(by, event)) throw unknownEvent()
    requireOwnKey(by, event)
    return event
  }
  const { id = '', type } = event.actor
  if (type === 'human' && comparableId(id) === comparableId(by.actorId)) return event
  throw new Problem('FORBIDDEN', 'Only the requester can withdraw this decision. You can refuse it instead.', {
    details: { reason: 'requesterOnly' },
  })
}

export const withdrawalItem = (
  eventId: string,
  by: Withdrawer,
  reason: string | undefined,
  center: CenterProfile,
  caller: Caller,
): Pick<SealItem<{ readonly event: EventRow; readonly entry: Entry }>, 'holds' | 'judge'> => ({
  holds: { chains: ['proof'], rows: [...needsOfOpen(eventId), ...needsOfSealing] },
  judge(batch) {
    requireOwn(by, batch.rows(eventRows).find(eventId))
    const { event } = judgingOf(batch, eventId, center, undefined)
    if (!batch.rows(waitingRows).find(eventId)) {
      throw new Problem(
        'CONFLICT',
        "This decision isn't waiting for approval, so it can't be withdrawn. Check its status.",
        { details: { reason: 'notWaiting' } },
      )
    }
    const { entry } = refuseOpen(batch, event, { center, caller, reason: 'withdrawn', said: reason ?? null })
    auditInBatch(batch, caller, {
      type: 'decision.sealed',
      action: 'withdrawn',
      target: { type: 'decision_event', id: typedId('decisionEvent', event.id) },
      details: { decisionId: event.decision_id },
    })
    if (by.kind !== 'key' && reason !== undefined) {
      batch.rows(commentRows).insert({
        center_id: event.center_id,
        event_id: event.id,
        id: newUuid(),
        author_id: by.actorId,
        author_name: by.name,
        text: reason,
        created_at: entry.sealedAt,
      })
    }
    return { event, entry }
  },
})
