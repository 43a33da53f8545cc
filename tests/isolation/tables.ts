/** Every table of the directory and the cells, listed by hand: an unlisted table fails the catalog test. */

/** Every role with a grant in these schemas. The first owns all objects and cannot log in; the others log in and own nothing. */
export const ourRoles = [
  'cs_owner',
  'cs_api',
  'cs_auth',
  'cs_recorder',
  'cs_sequencer',
  'cs_public',
  'cs_jobs',
  'cs_operator',
] as const

/** Rows of one center. In addition to `tenant` and `batch` a table has only the policies named here. */
export const tenantTables: Readonly<Record<string, readonly string[]>> = {
  'cell.audit_entries': ['by_partner for SELECT to cs_api'],
  'cell.seal_entries': ['by_partner for SELECT to cs_api'],
  'cell.audit_counts': [],
  'cell.idempotency_records': ['expired for ALL to cs_jobs'],
  'cell.recorded_decisions': ['survey for SELECT to cs_jobs'],
  'cell.open_decisions': ['once for INSERT to cs_api, cs_recorder, cs_sequencer'],
  'cell.decision_words': ['search for SELECT to cs_owner', 'survey for SELECT to cs_jobs'],
  'cell.decision_word_marks': ['survey for SELECT to cs_jobs'],
  'cell.oversight_sums': [],
  'cell.oversight_marks': ['survey for SELECT to cs_jobs'],
  'cell.oversight_corrections': ['survey for SELECT to cs_jobs'],
  'cell.delivery_days': [],
  'cell.decision_event_tags': [],
  'cell.decision_event_counts': [],
  'cell.decision_event_marks': [],
  'cell.waiting_decisions': ['survey for SELECT to cs_jobs'],
  'cell.decided_decisions': ['survey for SELECT to cs_jobs'],
  'cell.decision_openings': [],
  'cell.decision_comments': [],
  'cell.approval_take_backs': [],
  'cell.deputies': [],
  'cell.approval_challenges': ['expired for ALL to cs_jobs'],
  'cell.approval_notices': ['survey for SELECT to cs_jobs'],
  'cell.notification_channels': ['survey for ALL to cs_jobs'],
  'cell.bookings': ['survey for SELECT to cs_jobs'],
  'cell.message_causes': ['expired for ALL to cs_jobs', 'survey for SELECT to cs_jobs'],
  'cell.attendance': [],
  'cell.closures': [],
  'cell.booking_series': [],
  'cell.booking_waits': ['survey for SELECT to cs_jobs'],
  'cell.booking_series_exceptions': [],
  'cell.attendance_counts': [],
  'cell.booking_counts': [],
  'cell.center_exports': ['lease for UPDATE to cs_jobs', 'survey for SELECT to cs_jobs'],
  'cell.center_export_files': ['expired for ALL to cs_jobs'],
  'cell.closed_logs': [],
  'cell.left_records': ['named for SELECT to cs_public'],
  'cell.chain_heads': ['by_partner for SELECT to cs_api', 'survey for SELECT to cs_jobs'],
  'cell.entries': [],
  'cell.checkpoints': ['survey for SELECT to cs_jobs'],
  'cell.signatures': ['survey for SELECT to cs_jobs'],
  'cell.tree_tiles': [],
  'cell.cosignatures': [],
  'cell.alarm_acknowledgements': ['survey for SELECT to cs_jobs'],
  'cell.integrity_notices': ['survey for SELECT to cs_jobs'],
  'cell.log_generations': ['survey for SELECT to cs_jobs'],
  'cell.witness_positions': ['survey for SELECT to cs_jobs'],
  'cell.timestamps': ['survey for SELECT to cs_jobs'],
  'cell.dpus': ['named for SELECT to cs_public'],
  'cell.dpu_labels': [],
  'cell.approvals': [],
  'cell.decision_executions': [],
  'cell.emergencies': ['by_partner for SELECT to cs_api', 'survey for SELECT to cs_jobs'],
  'cell.confirmations': [],
  'cell.public_verifications': [],
  'cell.history': [],
  'cell.policy_versions': [],
  'cell.asked_policies': [],
  'cell.rule_changes': [],
  'cell.freezes': ['by_partner for SELECT to cs_api', 'survey for SELECT to cs_jobs'],
  'cell.center_rules': [],
  'cell.action_type_versions': [],
  'cell.passkeys': [],
  'cell.eligibilities': ['by_partner for SELECT to cs_api'],
  'cell.groups': [],
  'cell.dpu_counts': ['totals for SELECT to cs_public'],
  'cell.chain_checks': ['by_partner for SELECT to cs_api', 'survey for SELECT to cs_jobs'],
  'cell.webhooks': ['survey for SELECT to cs_jobs'],
  'cell.webhook_secrets': [
    'expired for DELETE to cs_jobs',
    'seal_again for UPDATE to cs_jobs',
    'survey for SELECT to cs_jobs',
  ],
  'cell.webhook_endpoints': ['survey for ALL to cs_jobs'],
  'cell.webhook_events': [],
  'cell.webhook_event_ids': ['expired for ALL to cs_jobs'],
  'cell.webhook_deliveries': ['expired for DELETE to cs_jobs', 'survey for SELECT to cs_jobs'],
  'cell.webhook_attempts': [],
  'cell.webhook_recoveries': ['expired for DELETE to cs_jobs', 'survey for SELECT to cs_jobs'],
  'cell.executions': ['lease for UPDATE to cs_jobs', 'retention for DELETE to cs_jobs', 'survey for SELECT to cs_jobs'],
  'cell.execution_steps': ['record for ALL to cs_jobs', 'survey for SELECT to cs_jobs'],
  'cell.workflow_schedules': ['survey for SELECT to cs_jobs'],
  'cell.workflow_settings': ['survey for SELECT to cs_jobs'],
  'directory.memberships': [
    'entry for UPDATE to cs_auth',
    'operator for ALL to cs_operator',
    'own for SELECT to cs_api',
    'by_partner for SELECT to cs_api',
    'sign_in for SELECT to cs_auth',
    'renamed for UPDATE to cs_auth',
    'erased for UPDATE to cs_auth',
  ],
  'directory.api_keys': [
    'ending for SELECT to cs_jobs',
    'operator for ALL to cs_operator',
    'sign_in for SELECT to cs_auth',
    'touch for UPDATE to cs_auth',
  ],
  'directory.audit_entries': [
    'in_no_center for SELECT to cs_api',
    'operator for ALL to cs_operator',
    'by_partner for SELECT to cs_api',
    'write for INSERT to cs_auth',
  ],
  'directory.audit_counts': ['operator for ALL to cs_operator', 'write for ALL to cs_auth'],
  'directory.idempotency_records': ['expired for ALL to cs_jobs'],
  'directory.guardianships': [
    'answer for UPDATE to cs_auth',
    'family for SELECT to cs_auth',
    'operator for ALL to cs_operator',
  ],
  'directory.member_counts': ['entry for ALL to cs_auth', 'operator for ALL to cs_operator'],
  'directory.member_words': ['entry for ALL to cs_auth', 'operator for ALL to cs_operator'],
  'directory.saved_views': ['entry for ALL to cs_auth', 'operator for ALL to cs_operator'],
  'directory.instructor_profiles': ['operator for ALL to cs_operator'],
  'directory.subscriptions': [
    'operator for ALL to cs_operator',
    'seats for UPDATE to cs_auth',
    'seats_seen for SELECT to cs_auth',
    'trials for SELECT to cs_jobs',
    'by_partner for SELECT to cs_api',
  ],
  'directory.subscription_invoices': ['operator for ALL to cs_operator'],
  'directory.tenant_mappings': ['operator for INSERT to cs_operator'],
  'directory.center_roles': ['operator for INSERT to cs_operator'],
  'directory.center_words': ['operator for ALL to cs_operator', 'search for SELECT to cs_auth'],
  'directory.center_pairs': ['operator for ALL to cs_operator', 'search for SELECT to cs_auth'],
}

/** Tables of a cell whose rows stay when a center has left, each with the reason. */
export const staysAfterLeaving: Readonly<Record<string, string>> = {
  'cell.chain_heads': 'the log is closed, and its name is not used again',
  'cell.checkpoints': 'what the log has signed',
  'cell.signatures': 'what the log has signed',
  'cell.cosignatures': 'what witnesses have seen',
  'cell.timestamps': 'what an authority has seen',
  'cell.log_generations': 'declared losses',
  'cell.closed_logs': 'where each log was closed',
  'cell.left_records': 'the ids of sealed records, for who asks about one',
}

/**
 * Partitioned tenant tables, with one partition for each week. A query through the table is subject to its policies; a
 * partition itself shows no rows, because no role has a grant on it.
 */
export const partedTables = ['cell.webhook_events', 'cell.webhook_attempts'] as const

/** Partitions whose owner is exempt from row-level security, each with the reason. */
export const partsOpenToTheirOwner: Readonly<Record<string, string>> = {
  'cell.webhook_events_other':
    'the default partition, for weeks without their own: old rows are deleted, where other partitions are dropped',
  'cell.webhook_attempts_other':
    'the default partition, for weeks without their own: old rows are deleted, where other partitions are dropped',
}

/** Security definer functions, each with the reason and the only roles that may call it. */
export const ownersFunctions: Readonly<Record<string, { readonly reason: string; readonly roles: readonly string[] }>> =
  {
    'countersign.forget_rows': {
      reason: 'deletes rows of a center that has left, which no other role sees all of; it takes a center and a number',
      roles: ['cs_operator'],
    },
    'cell.find_decisions': {
      reason:
        'reads the index of words, which no role behind row-level security can use; it compares the center of the caller and returns positions only',
      roles: ['cs_api'],
    },
    'cell.keep_webhook_weeks': {
      reason: 'creates and drops weekly partitions, which only the owner can; it takes a time and returns nothing',
      roles: ['cs_jobs'],
    },
  }

export interface GlobalTable {
  readonly reason: string
  readonly policies: readonly string[]
}

const signIn = 'sign_in for ALL to cs_auth'
const operator = 'operator for ALL to cs_operator'
const expired = 'expired for ALL to cs_jobs'
const entry = 'entry for ALL to cs_auth'

/** Rows that belong to no single center, each with the reason. */
export const globalTables: Readonly<Record<string, GlobalTable>> = {
  'cell.fence': {
    reason: 'the ids of the database and of its fence store',
    policies: ['binding for UPDATE to cs_jobs', 'known for SELECT to cs_jobs, cs_sequencer'],
  },
  'cell.chain_ranges': {
    reason: 'which process seals for a range of centers; it names no center',
    policies: ['turns for ALL to cs_sequencer'],
  },
  'cell.left_centers': {
    reason: 'the centers whose data the operator deletes',
    policies: ['adding for INSERT to cs_operator', 'known for SELECT to cs_operator, cs_owner'],
  },
  'cell.shared_policies': {
    reason: 'a copy of the global policies',
    policies: ['copying for ALL to cs_jobs', 'standing for SELECT to cs_api, cs_recorder, cs_sequencer'],
  },
  'cell.shared_freezes': {
    reason: "the operator's stops for all centers",
    policies: ['making for ALL to cs_jobs', 'standing for SELECT to cs_api, cs_sequencer'],
  },
  'directory.log_signers': {
    reason: 'which log key each process signs with',
    policies: ['operator for SELECT to cs_operator', 'processes for ALL to cs_auth'],
  },
  'directory.stolen_log_keys': {
    reason: 'log keys that were stolen; public halves only',
    policies: ['known for SELECT to cs_auth', operator],
  },
  'directory.cells': {
    reason: 'which cells get new centers, and where their databases are; it has no password',
    policies: ['known for SELECT to cs_api, cs_auth, cs_jobs', operator],
  },
  'directory.policy_versions': {
    reason: 'the global policies',
    policies: ['copying for SELECT to cs_jobs', operator],
  },
  'directory.actors': {
    reason:
      'a person may be a member of many centers; a center and its partner see their own, and a center may add a person without credentials',
    policies: [
      'acting for SELECT to cs_api',
      'newcomer for INSERT to cs_api',
      'of_partner for SELECT to cs_api',
      operator,
      'by_partner for SELECT to cs_api',
      'same_center for SELECT to cs_api',
      'self for SELECT to cs_api',
      signIn,
    ],
  },
  'directory.credentials': { reason: 'a password belongs to a person', policies: [operator, signIn] },
  'directory.login_identifiers': { reason: 'looked up before the caller is known', policies: [operator, signIn] },
  'directory.partners': {
    reason: 'a partner has many centers; it sees and changes its own row',
    policies: [
      'change_own for UPDATE to cs_api',
      'found for INSERT to cs_api',
      operator,
      'own for SELECT to cs_api',
      signIn,
    ],
  },
  'directory.partner_accounts': {
    reason:
      'a person of a partner, not of a center; the first is created with the partner, which sees and changes its own',
    policies: [
      'change_own for UPDATE to cs_api',
      'end_own for DELETE to cs_api',
      'found for INSERT to cs_api',
      operator,
      'own for SELECT to cs_api',
      signIn,
    ],
  },
  'directory.partner_centers': {
    reason: 'the partner of a center; a partner sees its own rows, a center sees its row',
    policies: ['found for INSERT to cs_api', operator, 'own for SELECT to cs_api', 'sign_in for SELECT to cs_auth'],
  },
  'directory.partner_figures': {
    reason: 'sums over the centers of a partner, maintained by each of them',
    policies: ['kept for ALL to cs_api', operator, signIn],
  },
  'directory.partner_plan_figures': {
    reason: 'sums over the centers of a partner, maintained by each of them',
    policies: ['kept for ALL to cs_api', operator],
  },
  'directory.partner_invitations': {
    reason: 'rows of a partner: who is invited to act for it',
    policies: [entry, expired, 'own for ALL to cs_api'],
  },
  'directory.partner_visitors': {
    reason: 'which people of a partner were active on a day; no role reads it',
    policies: [expired, signIn],
  },
  'directory.partner_visitor_counts': {
    reason: 'how many people of a partner were active on a day',
    policies: [expired, 'own for SELECT to cs_api', signIn],
  },
  'directory.centers': {
    reason:
      'the list of tenants itself; a center sees and changes its own row, a member and a partner see those of their centers, a center its sandboxes',
    policies: [
      'change_own for UPDATE to cs_api',
      'found for INSERT to cs_api',
      'member for SELECT to cs_api',
      operator,
      'own for SELECT to cs_api',
      'by_partner for SELECT to cs_api',
      'by_partner_change for UPDATE to cs_api',
      'sandbox_of_own for SELECT to cs_api',
      signIn,
    ],
  },
  'directory.sessions': { reason: 'a session may have entered no center', policies: [expired, signIn] },
  'directory.refresh_tokens': { reason: 'belongs to a session', policies: [signIn] },
  'directory.sso_tokens': { reason: 'belongs to a session', policies: [expired, signIn] },
  'directory.push_subscriptions': { reason: 'belongs to a session', policies: [signIn] },
  'directory.push_notices': {
    reason: 'sent by the first free worker to a session, about any of its centers',
    policies: [entry, expired],
  },
  'directory.passkeys': { reason: 'belongs to a person, in every center', policies: [signIn] },
  'directory.passkey_users': { reason: 'belongs to a person', policies: [signIn] },
  'directory.passkey_host': { reason: 'belongs to the service', policies: [signIn] },
  'directory.passkey_challenges': { reason: 'belongs to a person or to nobody yet', policies: [expired, signIn] },
  'directory.passkey_deliveries': { reason: 'what each center has to seal of a passkey', policies: [signIn] },
  'directory.passkey_joins': {
    reason: 'people whose centers have changed; a center only inserts',
    policies: ['joined for INSERT to cs_api, cs_operator', signIn],
  },
  'directory.member_changes': {
    reason: 'what each center has to seal of a membership; a center only inserts',
    policies: ['noted for INSERT to cs_api, cs_operator', signIn],
  },
  'directory.domains': {
    reason:
      'of a center or a partner, each of which sees its own, and a partner those of its centers; looked up by name when somebody signs in',
    policies: [operator, 'by_partner for SELECT to cs_api', 'own for ALL to cs_api', signIn],
  },
  'directory.logos': {
    reason: 'of a center or a partner, each of which changes its own; shown by its digest to everybody',
    policies: [operator, 'own for ALL to cs_api', 'shown for SELECT to cs_auth'],
  },
  'directory.oidc_providers': {
    reason: 'of a center or a partner, each of which sees its own; looked up by id when somebody signs in',
    policies: [operator, 'own for ALL to cs_api', signIn],
  },
  'directory.oidc_accounts': { reason: 'links a person to a provider', policies: [signIn] },
  'directory.oidc_attempts': { reason: 'belongs to nobody yet', policies: [expired, signIn] },
  'directory.site_handoffs': { reason: 'belongs to nobody yet', policies: [expired, signIn] },
  'directory.signing_keys': { reason: 'belongs to the service', policies: [signIn] },
  'directory.search_words': {
    reason: 'the words in use by all centers, without their centers',
    policies: [
      'new_word for INSERT to cs_api, cs_operator',
      'search for SELECT to cs_api, cs_auth, cs_operator',
      'unused_word for DELETE to cs_api, cs_operator',
      'word_count for UPDATE to cs_api, cs_operator',
    ],
  },
  'directory.plans': {
    reason: 'the price list, the same for every center',
    policies: [
      'catalog for SELECT to cs_api, cs_auth, cs_operator',
      'made for INSERT to cs_api',
      operator,
      'raised for UPDATE to cs_api',
    ],
  },
  'directory.plan_versions': {
    reason: 'what each plan was from one moment on, the same for every center',
    policies: [
      'catalog for SELECT to cs_api, cs_auth, cs_operator',
      'made for INSERT to cs_api',
      'operator for INSERT to cs_operator',
    ],
  },
  'directory.invitations': {
    reason: 'looked up by its token before the caller is known; a center inserts, and withdraws its own',
    policies: [
      entry,
      expired,
      'invite for INSERT to cs_api',
      'operator for INSERT to cs_operator',
      'withdraw for DELETE to cs_api',
      'withdrawn for SELECT to cs_api',
    ],
  },
  'directory.password_resets': { reason: 'belongs to a person', policies: [entry, expired] },
  'directory.invited_recipients': {
    reason: 'counts invitations to an address, from all centers; a transaction sees the one that it names',
    policies: [entry, expired, 'named for ALL to cs_api', operator],
  },
  'directory.address_changes': { reason: 'belongs to a person', policies: [entry, expired] },
  'directory.sign_ups': { reason: 'belongs to an address, before there is an account', policies: [entry, expired] },
  'directory.mails': {
    reason: 'encrypted, and sent by the first free worker; a center only inserts',
    policies: [entry, expired, 'operator for INSERT to cs_operator', 'send for INSERT to cs_api'],
  },
  'directory.message_causes': {
    reason: 'about a center or an account, told by the first free worker; a center only inserts',
    policies: [entry, expired, 'note for INSERT to cs_api', 'operator for INSERT to cs_operator'],
  },
  'directory.messages_told': { reason: 'who was told of what, over all centers', policies: [entry, expired] },
  'directory.notification_settings': { reason: 'belongs to a person', policies: [signIn] },
  'directory.calendar_feeds': { reason: 'belongs to a person', policies: [signIn] },
  'directory.digest_items': { reason: 'belongs to a person, from all of their centers', policies: [entry, expired] },
  'directory.told_addresses': {
    reason: 'addresses, without a center: a person is told at most once in ten minutes, whatever the center',
    policies: [entry, expired],
  },
  'directory.provisioning_orders': {
    reason: 'claimed before its center exists; visible only to a caller that names it',
    policies: ['named for SELECT to cs_api', 'order_once for INSERT to cs_api'],
  },
}

/** Append-only: not even the owner may change or delete a row. */
export const appendOnlyTables = [
  'cell.audit_entries',
  'cell.seal_entries',
  'cell.entries',
  'cell.checkpoints',
  'cell.signatures',
  'cell.tree_tiles',
  'cell.cosignatures',
  'cell.timestamps',
  'cell.approvals',
  'cell.approval_take_backs',
  'cell.history',
  'cell.log_generations',
  'cell.closed_logs',
  'cell.left_records',
  'cell.policy_versions',
  'cell.asked_policies',
  'cell.action_type_versions',
  'directory.audit_entries',
] as const

/** Where a role reads across centers on purpose, and why that is harmless. */
export const looksAcross: Readonly<Record<string, string>> = {
  'cs_public cell.dpu_counts': 'public sums of centers that are no sandbox; the column with the center is not granted',
  'cs_jobs directory.subscriptions': 'which trials are over; only while no center is entered',
  'cs_jobs cell.bookings': 'which are tomorrow; only while no center is entered',
  'cs_jobs cell.booking_waits': 'which kept places and days are over; only while no center is entered',
  'cs_jobs cell.recorded_decisions': 'which centers have decisions to index; only while no center is entered',
  'cs_jobs cell.decision_words': 'which have to be indexed again; only while no center is entered',
  'cs_jobs cell.decision_word_marks': 'how far each center is indexed; only while no center is entered',
  'cs_jobs cell.oversight_marks': 'how far each center is counted; only while no center is entered',
  'cs_jobs cell.oversight_corrections': 'which sums a redaction changes; only while no center is entered',
  'cs_jobs cell.message_causes': 'which are to be told; only while no center is entered',
  'cs_jobs cell.waiting_decisions': 'which are due; only while no center is entered',
  'cs_jobs cell.decided_decisions': 'who is to be informed; only while no center is entered',
  'cs_jobs cell.approval_notices': 'who is to be told; only while no center is entered',
  'cs_jobs cell.notification_channels': 'which are due, and their leases; only while no center is entered',
  'cs_jobs cell.center_exports': 'which are due; only while no center is entered',
  'cs_jobs cell.alarm_acknowledgements': 'who looks after which alarm; only while no center is entered',
  'cs_jobs cell.chain_heads': 'which chains are due for verification; only while no center is entered',
  'cs_jobs cell.checkpoints':
    'whether a promoted or restored database has what was signed; only while no center is entered',
  'cs_jobs cell.signatures': 'the signatures of heads, before a store is replaced; only while no center is entered',
  'cs_jobs cell.chain_checks': 'which chains were verified last; only while no center is entered',
  'cs_jobs cell.log_generations': 'where each log began for its witnesses; only while no center is entered',
  'cs_jobs cell.emergencies': 'which are to be confirmed, and whom to tell; only while no center is entered',
  'cs_jobs cell.freezes': 'which stops were told by mail; only while no center is entered',
  'cs_jobs cell.integrity_notices': 'which alarms and losses were told; only while no center is entered',
  'cs_jobs cell.witness_positions': 'how far each witness has followed each log; only while no center is entered',
  'cs_jobs cell.timestamps': 'which logs are due to be stamped; only while no center is entered',
  'cs_jobs cell.webhooks': 'which are active, for the figures that operators watch; only while no center is entered',
  'cs_jobs cell.webhook_secrets': 'which are sealed with an older key; only while no center is entered',
  'cs_jobs cell.webhook_endpoints': 'which have due work and no lease; only while no center is entered',
  'cs_jobs cell.webhook_deliveries': 'what is due, and where; only while no center is entered',
  'cs_jobs cell.webhook_recoveries': 'which are running; only while no center is entered',
  'cs_jobs cell.executions': 'which are due and have no lease; only while no center is entered',
  'cs_jobs cell.execution_steps': 'how far those have progressed; only while no center is entered',
  'cs_jobs cell.workflow_schedules': 'which are due; only while no center is entered',
  'cs_jobs cell.workflow_settings': 'which schedules are turned off; only while no center is entered',
}

/** Where it also updates such rows, and why that is harmless; it cannot insert, delete or move a row to another center. */
export const changesAcross: Readonly<Record<string, string>> = {
  'cs_jobs cell.center_exports': 'workers take leases on exports of all centers',
  'cs_jobs cell.webhook_secrets': 'sealed again when the key is rotated; only the encrypted value can be changed',
  'cs_jobs cell.notification_channels': 'leased to the next worker, and sealed again when the key is rotated',
  'cs_jobs cell.webhook_endpoints': 'leased to the next delivery worker, before the center of the endpoint is known',
  'cs_jobs cell.executions': 'leased to the next worker; an ended one cannot be changed, and none can be ended',
}

/** Where a role sees a row only by its id, in any center, and which columns it sees. */
export const seesWhatItNames: Readonly<Record<string, string>> = {
  'cs_public cell.left_records': 'verification by id: the center and the log of a record whose center has left',
  'cs_public cell.dpus': 'verification by id: the center and the chain of a sealed record, and no content',
}

/** Indexes of tenant tables that correctly do not begin with the center. */
export const indexesAcrossCenters: Readonly<Record<string, string>> = {
  'cell.decision_words_tokens':
    'its hashes are of one center each; a search compares the center, and no role reads by this index but through a function',
  'cell.left_records_id': 'public verification finds a record by its id, before its center is known',
  'cell.center_exports_due': 'workers look for due exports of all centers',
  'cell.center_export_files_expiry': 'housekeeping deletes expired files of all centers',
  'cell.booking_waits_due': 'a job looks for kept places and days that are over in all centers',
  'cell.bookings_to_remind': 'a job looks for the appointments of tomorrow in all centers',
  'cell.message_causes_expiry': 'housekeeping looks for what has expired in all centers',
  'cell.approval_challenges_expiry': 'housekeeping looks for what has expired in all centers',
  'cell.idempotency_records_expiry': 'housekeeping looks for what has expired in all centers',
  'directory.idempotency_records_expiry': 'housekeeping looks for what has expired in all centers',
  'cell.dpus_sealed_id': 'public verification finds a sealed record by its id, before its center is known',
  'directory.subscriptions_trials': 'a job looks for trials that are over in all centers',
  'cell.waiting_decisions_expiry': 'a job looks for expired decisions in all centers',
  'cell.notification_channels_due': 'workers look for channels that are due in all centers',
  'cell.executions_ended': 'housekeeping looks for executions that ended long ago in all centers',
  'cell.workflow_schedules_due': 'workers look for due schedules in all centers',
  'cell.webhook_event_ids_age': 'housekeeping looks for what has expired in all centers',
  'cell.chain_heads_grown': 'workers look for logs that have grown in all centers',
  'cell.workflow_settings_changed': 'workers look for changed settings in all centers',
  'cell.webhook_endpoints_due': 'workers look for endpoints that are due in all centers',
  'cell.webhook_deliveries_age': 'housekeeping looks for what has expired in all centers',
  'directory.memberships_actor': 'sign-in asks for all centers of a person',
  'directory.guardianships_parent': 'a guardian asks for the own children in all centers',
  'directory.audit_entries_partner': 'entries about a partner and no center',
  'directory.api_keys_hash_key': 'a key is looked up before its center is known',
  'directory.tenant_mappings_lms_tenant_id_key': 'a learning tenant belongs to one center',
  'directory.center_words_by_word': 'search looks for a word in all centers',
  'directory.center_words_by_vertical': 'search looks for a word in all centers of a vertical',
  'directory.center_pairs_by_pair': 'search looks for a pair of syllables in all centers',
  'directory.center_pairs_by_vertical': 'search looks for a pair of syllables in all centers of a vertical',
}

/** Tables outside both schemas, owned by their engines, with the only roles that may access them. */
export const engineSchemas: Readonly<Record<string, { readonly reason: string; readonly roles: readonly string[] }>> = {
  pgboss: { reason: "pg-boss's own tables, installed by its own migrations", roles: ['cs_jobs'] },
  countersign_migrations: {
    reason: 'names and checksums of migrations; the server reads them at start',
    roles: ['cs_api'],
  },
}
