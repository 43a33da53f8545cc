/**
 * Every change that an audit entry can be about: the `action` of entries by their type. The server writes no other, and
 * the console has a sentence for each in both languages.
 */
import type { AuditType } from './enums.ts'

export const auditActions = {
  'session.changed': ['start', 'switch', 'revoke', 'reuse', 'step_up'],
  'membership.transitioned': [
    ...['invite', 'reinvite', 'accept', 'decline', 'approve', 'suspend', 'reinstate', 'end', 'leave', 'reject', 'role'],
    ...['renamed', 'readdressed', 'erased', 'child_added', 'child_restarted'],
    ...['guardianship_added', 'guardianship_invite', 'guardianship_accept', 'guardianship_end'],
  ],
  'center.provisioned': ['created'],
  'center.updated': [
    ...['rename', 'relocate', 'suspend', 'reinstate', 'end', 'subscription', 'begin-export', 'delete-data'],
    ...['create-sandbox', 'refresh-sandbox', 'reset-sandbox', 'end-sandbox'],
    ...['booking_created', 'booking_moved', 'booking_attended', 'booking_no_show', 'booking_canceled'],
    ...['booking_series_created', 'booking_wait_added', 'booking_wait_removed'],
  ],
  'settings.updated': [
    ...['center', 'partner', 'hours', 'logo', 'workflow', 'operator', 'admin_passkeys', 'day_closed', 'day_opened'],
    ...['account.opened', 'account.changed', 'account.password', 'account.email', 'account.phone'],
    ...['account.email_removed', 'account.phone_removed', 'account.erased', 'notifications.changed'],
    ...['calendar_feed.created', 'calendar_feed.changed', 'calendar_feed.removed'],
    ...['passkey.registered', 'passkey.bound', 'passkey.confirmed', 'passkey.removed'],
    ...['sign_in.linked', 'sign_in.unlinked', 'provider.added', 'provider.changed', 'provider.removed'],
    ...[
      'domain.added',
      'domain.proven',
      'domain.lapsed',
      'domain.removed',
      'channel_added',
      'channel_removed',
      'channel_disabled',
    ],
    ...['eligibility.admitted', 'eligibility.role', 'eligibility.removed', 'eligibility.existing'],
    ...['eligibility.confirmed', 'deputy', 'deputy_ended', 'view_shared', 'view_changed', 'view_removed'],
    ...[
      'invited',
      'invitation accepted',
      'invitation revoked',
      'account role changed',
      'account ended',
      'partner account erased',
    ],
    ...['partner onboarded', 'plan added', 'plan version added'],
    ...['log-key stolen', 'signing-key added', 'signing-keys retired'],
  ],
  'policy.changed': [
    ...['created', 'updated', 'deleted', 'frozen', 'lifted', 'closed'],
    ...['action_type_created', 'action_type_updated', 'action_type_deleted'],
    ...['group_created', 'group_updated', 'group_confirmed', 'group_ended'],
  ],
  'dpu.changed': ['created', 'level', 'metadata', 'redacted', 'draft_edited', 'draft_sent', 'draft_refused'],
  'decision.sealed': [
    ...['approved', 'rejected', 'completed', 'first_approval', 'approval_taken_back', 'withdrawn', 'commented'],
    ...['consumed', 'outcome', 'confirmed', 'objected', 'unconfirmed', 'closed'],
  ],
  'api_key.changed': ['created', 'rotated', 'revoked'],
  'webhook.changed': [
    ...['created', 'updated', 'deleted', 'secret_rotated', 'tested', 'recovery_started', 'retried', 'disabled'],
  ],
  'workflow.executed': ['started', 'completed', 'failed', 'canceled', 'skipped'],
  'integrity.alarm': [...['found', 'cleared', 'acknowledged', 'witness_refused', 'database_accepted', 'loss_declared']],
} as const satisfies Readonly<Record<AuditType, readonly string[]>>

export type AuditAction<Type extends AuditType = AuditType> = (typeof auditActions)[Type][number]
