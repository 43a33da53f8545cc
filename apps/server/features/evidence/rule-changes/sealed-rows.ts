/** Changes of policies in a batch: what is known of the policy, and the change of it that waits. */
import type { RowKind } from '../../../sealing/sealed-rows.ts'

export interface RuleChangeRow {
  readonly center_id: number
  readonly policy_id: string
  /** When its first version was made; null for a new policy. */
  readonly since: string | null
  /** Whether a decision has waited for it. */
  readonly asked: boolean
  /** Whether the decision about its change is open. */
  readonly open: boolean
  readonly event_id: string | null
  readonly base: number | null
  readonly policy: string | null
}

export const ruleChangeRows: RowKind<RuleChangeRow, { readonly policy_id: string } | { readonly event_id: string }> = {
  name: 'rule changes',
  order: 57,
  load: 'load_rule_changes',
  write: 'write_rule_changes',
  namesOf: ({ policy_id }) => [policy_id],
}
