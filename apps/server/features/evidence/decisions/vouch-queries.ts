import type { ApprovalStatement } from '@countersign/proof/passkey.ts'
import { statement } from '../../../data/prepared.ts'

/** What the member asked for, to sign it. */
export interface AskedApproval {
  readonly statement: ApprovalStatement
  readonly reason_salt: string | null
}

/** An approval that was not taken back. */
export interface EarlierRow {
  readonly position: number
  readonly level: string
  readonly by: string
  readonly on_behalf_of: string | null
  readonly passkey_id: string | null
  /** For a deputy: whether the absence that covered the approval is still there. */
  readonly deputed: boolean
}

interface Known {
  readonly action_type: string | null
  readonly opened_at: Date | null
  readonly opened_digest: string | null
  readonly earlier: readonly EarlierRow[]
  /** Absences that concern the member now: their own, and those of the members whose deputy they are. */
  readonly deputies: readonly { readonly actor_id: string; readonly deputy_id: string }[]
  readonly challenge: AskedApproval | null
}

/**
 * What a cell knows of a member who approves. One statement: each of six would be a round trip of every approval.
 * Parameters: the center, the event, the member, the time and the challenge, which is null in an approval without one.
 */
export const readKnown = statement<Known>(`
  select
    (select e.action ->> 'type' from cell.decision_events e where e.center_id = $1 and e.id = $2::uuid) as action_type,
    (select o.opened_at from cell.decision_openings o
      where o.center_id = $1 and o.event_id = $2::uuid and o.actor_id = $3::uuid) as opened_at,
    (select o.action_digest from cell.decision_openings o
      where o.center_id = $1 and o.event_id = $2::uuid and o.actor_id = $3::uuid) as opened_digest,
    (select coalesce(json_agg(json_build_object('position', a.position, 'level', a.identity_level, 'by', a.identity_by,
        'on_behalf_of', a.on_behalf_of, 'passkey_id', a.passkey_id, 'deputed', a.on_behalf_of is null or exists (
          select from cell.deputies d where d.center_id = $1 and d.actor_id::text = a.on_behalf_of
            and d.deputy_id::text = a.identity_by and d.starts_at <= a.created_at and d.ends_at > a.created_at))), '[]')
      from cell.approvals a where a.center_id = $1 and a.event_id = $2::uuid) as earlier,
    (select coalesce(json_agg(json_build_object('actor_id', d.actor_id, 'deputy_id', d.deputy_id)), '[]')
      from cell.deputies d where d.center_id = $1 and d.starts_at <= $4 and d.ends_at > $4
        and (d.actor_id = $3::uuid or d.deputy_id = $3::uuid)) as deputies,
    (select json_build_object('statement', c.statement, 'reason_salt', c.reason_salt) from cell.approval_challenges c
      where c.center_id = $1 and c.challenge = $5::text and c.event_id = $2::uuid and c.actor_id = $3::uuid) as challenge`)
