/** The columns that a proof covers. A test keeps docs/formats/what-is-covered.md in agreement. */

/** Tables whose rows are proven, or locate a proof. */
export const provenTables = [
  'chain_entries',
  'chain_heads',
  'dpus',
  'decision_events',
  'approvals',
  'history',
  'decision_executions',
  'policy_versions',
  'action_type_versions',
  'passkeys',
  'eligibilities',
] as const
export type ProvenTable = (typeof provenTables)[number]

/** Columns of these tables that an attacker with full database access could change undetected, each with the reason. */
export const uncovered: Readonly<Record<string, string>> = {
  'chain_heads.broken_at':
    'the mark of a broken chain: clearing it lets sealing continue, and the next verification sets it again',
  'chain_heads.closed': 'that the center has left: setting it stops sealing, and clearing it is refused to every role',
  'chain_heads.generation':
    'the number in the name of the log: signatures are over the true name, so under another number nothing that is exported verifies',
  'chain_heads.grown':
    'tells witnesses and time stamps which logs have grown; all heads are compared every hour whatever it says',
  'decision_events.seq': 'the order of lists, which is not signed; the times of an event are covered',
  'decision_events.fingerprint': 'recognizes a repeated request; it contains nothing of the decision',
  'decision_events.traceparent':
    'the trace of the request that recorded it, which the caller chose; it helps to find logs and says nothing of the decision',
  'approvals.id': 'an id that occurs only in the answer to the approval',
  'approvals.control':
    'read until the decision is sealed; what the seal says of each approval is in `dpus.control` and `dpus.prior_controls`, which are covered',
  'approvals.passkey_id': 'where the export looks for the binding of the key, whose hash is covered',
}

/** Columns that are covered in some rows only: the condition for the row `t`. The page says it beside the column. */
export const coveredWhere: Readonly<Record<string, string>> = {
  'approvals.salt': `exists (select from cell.approvals later where later.center_id = t.center_id
    and later.event_id = t.event_id and later.position > t.position)`,
}
