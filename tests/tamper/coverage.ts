/** The columns that a proof covers. A test keeps docs/formats/what-is-covered.md in agreement. */

/** Tables whose rows are proven, or locate a proof. */
export const provenTables = [
  'entries',
  'chain_heads',
  'dpus',
  'recorded_decisions',
  'approvals',
  'history',
  'decision_executions',
  'policy_versions',
  'action_type_versions',
  'passkeys',
  'eligibilities',
  'groups',
] as const
export type ProvenTable = (typeof provenTables)[number]

/** Columns of these tables that an attacker with full database access could change undetected, each with the reason. */
export const uncovered: Readonly<Record<string, string>> = {
  'chain_heads.broken_at':
    'marks a broken chain: clearing it lets sealing continue, and the next verification sets it again',
  'chain_heads.closed': 'marks that the center has left: setting it stops sealing, and no role may clear it',
  'chain_heads.generation':
    "the number in the log's name: signatures cover the true name, so nothing exported under another number verifies",
  'chain_heads.grown':
    'tells witnesses and timestamps which logs have grown; all heads are compared every hour regardless',
  'recorded_decisions.seq': "the order of lists, which isn't signed; an event's times are covered",
  'dpus.event_seq': 'the same number, by which lists of sealed or refused decisions are ordered',
  'recorded_decisions.fingerprint': "detects a repeated request; it contains none of the decision's content",
  'recorded_decisions.traceparent':
    'the trace of the request that recorded the event, chosen by the caller. It helps to find log lines and says nothing about the decision',
  'approvals.id': 'an ID that occurs only in the response to the approval',
  'approvals.control':
    'used only until the decision is sealed; what the seal says about each approval is in `dpus.control` and `dpus.prior_controls`, which are covered',
  'approvals.passkey_id': "used by the export to find the key's binding, whose hash is covered",
}

/** Columns that are covered in some rows only: the condition for the row `t`. The page says it beside the column. */
export const coveredWhere: Readonly<Record<string, string>> = {
  'approvals.salt': `exists (select from cell.approvals later where later.center_id = t.center_id
    and later.event_id = t.event_id and later.position > t.position)`,
  'dpus.event_status': `t.domain = 'proof'`,
  'dpus.closed_at': `t.domain = 'proof'`,
}
