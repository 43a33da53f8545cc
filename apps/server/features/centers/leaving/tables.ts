/** The tables of a center and what the export does with each. A test compares this list with the schema. */

export interface ExportedTable {
  /** The name of its files. */
  readonly name: string
  readonly table: string
  /** The columns after `center_id` that order its rows, with their types. */
  readonly key: readonly (readonly [column: string, type: string])[]
  /** All columns without it. */
  readonly columns?: string
}

const table = (name: string, of: string, key: Readonly<Record<string, string>>, columns?: string): ExportedTable => ({
  name,
  table: of,
  key: Object.entries(key),
  ...(columns !== undefined && { columns }),
})

const id = { id: 'uuid' }

export const directoryTables: readonly ExportedTable[] = [
  table('members', 'directory.memberships', id),
  table('guardianships', 'directory.guardianships', id),
  table('instructors', 'directory.instructor_profiles', { actor_id: 'uuid' }),
  table('roles', 'directory.center_roles', { role: 'text' }),
  table('subscription', 'directory.subscriptions', {}),
  table('invoices', 'directory.subscription_invoices', { number: 'text' }),
  table('lms-tenant', 'directory.tenant_mappings', {}),
  table(
    'api-keys',
    'directory.api_keys',
    id,
    'id, prefix, name, scopes, rate_limit, bound_to, created_by, created_at, expires_at, revoked_at, last_used_at',
  ),
  // Without the token of a domain and the secret of a provider.
  table('domains', 'directory.domains', id, 'id, purpose, domain, created_at, proven_at, checked_at'),
  table('logos', 'directory.logos', id, 'id, digest, png, added_at'),
  table('sign-in-providers', 'directory.oidc_providers', id, 'id, name, issuer, client_id, created_at, updated_at'),
  table('audit-directory', 'directory.audit_entries', id),
]

export const cellTables: readonly ExportedTable[] = [
  table('audit', 'cell.audit_entries', id),
  table(
    'audit-seals',
    'cell.seal_audit_entries',
    { occurred_at: 'timestamptz', chain_index: 'bigint' },
    'center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details',
  ),
  table('decisions', 'cell.decision_events', id),
  table('approvals', 'cell.approvals', { event_id: 'uuid', position: 'integer' }),
  table('approvals-taken-back', 'cell.approval_take_backs', { event_id: 'uuid', position: 'integer' }),
  table('waiting', 'cell.waiting_decisions', { event_id: 'uuid' }),
  table('comments', 'cell.decision_comments', { event_id: 'uuid', id: 'uuid' }),
  table('openings', 'cell.decision_openings', { event_id: 'uuid', actor_id: 'uuid' }),
  table('deputies', 'cell.deputies', { actor_id: 'uuid' }),
  table('decision-executions', 'cell.decision_executions', { event_id: 'uuid' }),
  table('emergencies', 'cell.emergencies', { event_id: 'uuid' }),
  table('confirmations', 'cell.confirmations', { event_id: 'uuid', position: 'integer' }),
  table('bookings', 'cell.bookings', id),
  table('booking-series', 'cell.booking_series', id),
  table('booking-series-exceptions', 'cell.booking_series_exceptions', { series_id: 'uuid', week: 'integer' }),
  table('booking-waits', 'cell.booking_waits', id),
  table('closures', 'cell.closures', { day: 'date' }),
  table('attendance', 'cell.attendance', id),
  table('policies', 'cell.policy_versions', { id: 'uuid', version: 'integer' }),
  table('policies-asked', 'cell.asked_policies', id),
  table('policy-changes', 'cell.rule_changes', { policy_id: 'uuid' }),
  table('freezes', 'cell.freezes', id),
  table('action-types', 'cell.action_type_versions', { id: 'uuid', version: 'integer' }),
  table('passkeys', 'cell.passkeys', id),
  table('eligibilities', 'cell.eligibilities', id),
  table('groups', 'cell.groups', id),
  table(
    'channels',
    'cell.notification_channels',
    id,
    'id, kind, name, host, created_at, created_by, active, disabled_reason, last_sent_at, last_status, last_message',
  ),
  // Without the credentials of brokers.
  table(
    'webhooks',
    'cell.webhooks',
    id,
    'id, type, url, subject, exchange, routing_key, events, description, active, disabled_reason, version, created_at, deleted_at',
  ),
  table('webhook-events', 'cell.webhook_events', { created_at: 'timestamptz', id: 'uuid' }),
  table('webhook-deliveries', 'cell.webhook_deliveries', { webhook_id: 'uuid', event_id: 'uuid' }),
  table('webhook-attempts', 'cell.webhook_attempts', {
    webhook_id: 'uuid',
    event_id: 'uuid',
    number: 'integer',
    at: 'timestamptz',
  }),
  table('workflow-settings', 'cell.workflow_settings', { workflow_key: 'text' }),
  table('workflow-schedules', 'cell.workflow_schedules', { workflow_key: 'text' }),
  table('executions', 'cell.executions', id),
  table('execution-steps', 'cell.execution_steps', { execution_id: 'uuid', position: 'integer' }),
  table('generations', 'cell.log_generations', { domain: 'text', generation: 'integer' }),
]

const logs = 'the files of the logs have it'
const derived = 'it follows from other tables'
const passing = 'it is kept for hours or days and means nothing elsewhere'

/** Tenant tables without files of their own, each with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  'cell.entries': logs,
  'cell.dpus': logs,
  'cell.history': logs,
  'cell.checkpoints': logs,
  'cell.signatures': logs,
  'cell.cosignatures': logs,
  'cell.timestamps': logs,
  'cell.chain_heads': logs,
  'cell.closed_logs': 'it is written when the center has left',
  'cell.left_records': 'it is written when the center has left',
  'cell.tree_tiles': 'the hashes of the entries give the tree',
  'cell.webhook_secrets': 'secrets do not leave the database',
  'cell.attendance_counts': derived,
  'cell.audit_counts': derived,
  'cell.booking_counts': derived,
  'cell.center_rules': derived,
  'cell.decided_decisions': derived,
  'cell.decision_event_counts': derived,
  'cell.decision_event_marks': derived,
  'cell.decision_event_tags': derived,
  'cell.decision_word_marks': derived,
  'cell.decision_words': derived,
  'cell.delivery_days': derived,
  'cell.dpu_counts': derived,
  'cell.dpu_labels': derived,
  'cell.seal_entries': '`audit-seals` has it as it is shown',
  'cell.open_decisions': '`decisions` has it',
  'cell.oversight_corrections': derived,
  'cell.oversight_marks': derived,
  'cell.oversight_sums': derived,
  'directory.audit_counts': derived,
  'directory.center_pairs': derived,
  'directory.center_words': derived,
  'directory.member_counts': derived,
  'directory.member_words': derived,
  'cell.alarm_acknowledgements': 'who of the operators looked after an alarm; `audit` has it',
  'cell.approval_challenges': passing,
  'cell.approval_notices': passing,
  'cell.center_exports': passing,
  'cell.center_export_files': passing,
  'cell.chain_checks': passing,
  'cell.idempotency_records': passing,
  'cell.message_causes': passing,
  'cell.integrity_notices': 'it says what was told; `generations` and a verification have the losses and the alarms',
  'cell.public_verifications': passing,
  'cell.webhook_endpoints': passing,
  'cell.webhook_event_ids': passing,
  'cell.webhook_recoveries': passing,
  'cell.recorded_decisions': '`decisions` has it with its state',
  'cell.witness_positions': passing,
  'directory.idempotency_records': passing,
  'directory.saved_views': "searches under a name: no records, and most are one person's own",
}
