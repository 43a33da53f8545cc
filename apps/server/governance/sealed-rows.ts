/** The rules in a batch: every policy of the center in its newest version, those that all centers share, and their head. */
import type { Rules } from '@countersign/proof/control.ts'
import { type Need, need, type RowKind } from '../sealing/sealed-rows.ts'
import type { PolicyRow } from './rows.ts'

export type PolicyRule = PolicyRow & { readonly sort: 'policy' }

/** A version of a shared policy that is entered in the history of the center, and the hash of its entry. */
export interface EnteredPolicy {
  readonly id: string
  readonly version: number
  readonly digest: string
  readonly hash: string
  /** It no longer applies; kept, because an entry about it names the one before. */
  readonly ended?: boolean
}

/** What the last change of the rules left. A center without rules has none. */
export interface RulesHead {
  readonly sort: 'head'
  readonly center_id: number
  readonly history_index: number
  readonly digest: Rules['digest']
  readonly shared: readonly EnteredPolicy[]
}

export const headName = 'head'

export const ruleRows: RowKind<PolicyRule | RulesHead, Record<string, never>> = {
  name: 'rules',
  order: 50,
  load: 'load_rules',
  write: 'write_rules',
  namesOf: (row) => [row.sort === 'policy' ? row.id : headName],
}

export const needPolicies: Need = need(ruleRows, {})
