/** Which columns a proof covers. docs/formats/what-is-covered.md says the same to people, and a test holds them together. */

/** Tables whose rows are proved, or say where a proof stands. */
export const provenTables = [
  'chain_entries',
  'chain_heads',
  'dpus',
  'decision_events',
  'approvals',
  'history',
  'policy_versions',
] as const
export type ProvenTable = (typeof provenTables)[number]

/** Columns of theirs that somebody with the database's own rights could change without being found, each with the reason. */
export const uncovered: Readonly<Record<string, string>> = {
  'chain_heads.broken_at':
    'the alarm itself: taking it away lets sealing go on, and the next verification sets it again',
  'decision_events.seq': 'the order of lists, which nobody signed; the times of an event are covered',
  'decision_events.fingerprint': 'recognises a repeated request; it says nothing about the decision',
  'approvals.id': 'a name that is told once, in the answer to the approval, and shown nowhere else',
}
