/**
 * The rules that a batch judges by, and what its seals say of them. They are compared with what their last change left, so that
 * a policy that was removed or altered in the database stops sealing instead of letting a decision pass. Pure.
 */

import { hash } from 'node:crypto'
import { type Rules, rulesDigest } from '@countersign/proof/control.ts'
import type { StopCovers } from '@countersign/proof/stops.ts'
import type { CenterProfile } from '../data/center-profile.ts'
import { typedId } from '../lib/ids.ts'
import { Problem, unavailable } from '../lib/problem.ts'
import type { Batch } from '../sealing/batch.ts'
import { type Need, need, type RowKind } from '../sealing/sealed-rows.ts'
import { appliedOf, reaches } from './policies.ts'
import type { PolicyRow } from './rows.ts'

/** The rules in a batch: every policy of the center in its newest version, those that all centers share, and their head. */
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

/** A stop in force. In a batch that lifts it, with its lifting. */
export interface FreezeRule {
  readonly sort: 'freeze'
  readonly center_id: number
  readonly id: string
  readonly covers: StopCovers
  readonly reason: string
  readonly rank: 'center' | 'partner' | 'operator'
  readonly made_by: string
  readonly made_at: string
  readonly made_index: number
  readonly last_entry: string
  readonly lifted_by?: string
  readonly lifted_at?: string
  readonly lifted_index?: number
  readonly lift_reason?: string
}

/** As it is stored, in force or lifted. */
export type StoredFreeze = Omit<FreezeRule, 'lifted_by' | 'lifted_at' | 'lifted_index' | 'lift_reason'> & {
  readonly lifted_by: string | null
  readonly lifted_at: string | null
  readonly lifted_index: number | null
  readonly lift_reason: string | null
}

/** The operator's stop for all centers of the cell: in force, or lifted here and not in this center yet. */
export interface SharedFreeze {
  readonly sort: 'sharedFreeze'
  readonly center_id: null
  readonly id: string
  readonly covers: StopCovers
  readonly reason: string
  readonly made_by: string
  readonly lifted_by: string | null
  readonly lift_reason: string | null
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

export const ruleRows: RowKind<PolicyRule | FreezeRule | SharedFreeze | RulesHead, Record<string, never>> = {
  name: 'rules',
  order: 50,
  load: 'load_rules',
  write: 'write_rules',
  namesOf: (row) => [row.sort === 'head' ? headName : row.id],
}

export const needPolicies: Need = need(ruleRows, {})

/** Rules of others reach the center that are not in its history yet. Whoever seals enters them and judges again. */
export class RulesBehind extends Problem {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'Policies that apply to this center are being updated. Try again in a moment.', {
      retryAfter: 1,
      passing: true,
    })
  }
}

/** The stored policies are not those that were sealed. */
export class RulesAltered extends Problem {
  readonly at: number
  readonly reason: string
  constructor(at: number, reason: string) {
    super(
      'CHAIN_BROKEN',
      `This center's policies have been altered: ${reason}. Contact the operator; nothing can be sealed until they've checked the policies.`,
      {
        details: { domain: 'history', brokenAt: at },
      },
    )
    this.at = at
    this.reason = reason
  }
}

export const headOf = (batch: Batch): RulesHead | null => {
  const found = batch.rows(ruleRows).find(headName)
  return found?.sort === 'head' ? found : null
}

export const policyRule = (batch: Batch, id: string): PolicyRule | undefined => {
  const found = batch.rows(ruleRows).find(id)
  return found?.sort === 'policy' ? found : undefined
}

export const policyRules = (batch: Batch): readonly PolicyRule[] =>
  batch
    .rows(ruleRows)
    .all()
    .filter((row) => row.sort === 'policy')

/** The operator's stops whose making or lifting is not in the history of the center yet. */
export const freezesBehind = (batch: Batch): readonly SharedFreeze[] =>
  batch
    .rows(ruleRows)
    .all()
    .filter((row) => row.sort === 'sharedFreeze')
    .filter(({ id, lifted_by }) => {
      const own = batch.rows(ruleRows).find(id)
      const isHere = own?.sort === 'freeze' && own.lifted_at === undefined
      return isHere === (lifted_by !== null)
    })

/** Nothing is judged, and nothing about stops is entered, before them. */
export function requireFreezesEntered(batch: Batch): void {
  if (freezesBehind(batch).length > 0) throw new RulesBehind()
}

/** The policies in force for the center: those that are shared with it, and its own. */
export const standingRules = (batch: Batch, center: CenterProfile): readonly PolicyRule[] =>
  policyRules(batch).filter((row) => !row.deleted && (row.center_id !== null || reaches(appliedOf(row).body, center)))

const nameOf = ({ id, version, digest }: Pick<EnteredPolicy, 'id' | 'version' | 'digest'>) =>
  `${id} ${version} ${digest}`

export const sharedNow = (standing: readonly PolicyRule[]) =>
  standing.filter(({ center_id }) => center_id === null).map(appliedOf)

export const digestOfPolicy = (policy: string): string => `sha256:${hash('sha256', policy)}`

const own = (standing: readonly PolicyRule[]) => standing.filter(({ center_id }) => center_id !== null)

const digestOf = (standing: readonly PolicyRule[], shared: readonly EnteredPolicy[]): Rules['digest'] =>
  rulesDigest([...own(standing).map(appliedOf), ...shared.filter(({ ended }) => !ended)])

const none: Rules = { index: null, digest: rulesDigest([]) }
const checked = new WeakSet<RulesHead>()
/** A change of rules makes another head, in the same batch too. */
const rulesOfHead = new WeakMap<RulesHead, Rules>()

/** Throws where the stored policies are not those that the last change left. A change of altered ones would hide it. */
export function requireUnaltered(batch: Batch, center: CenterProfile): void {
  const head = headOf(batch)
  if (!head || checked.has(head)) return
  const standing = standingRules(batch, center)
  for (const { policy, digest, id } of standing) {
    if (digest !== digestOfPolicy(policy)) {
      throw new RulesAltered(head.history_index, `the text of ${typedId('policy', id)} doesn't match its digest`)
    }
  }
  if (digestOf(standing, head.shared) !== head.digest) {
    throw new RulesAltered(head.history_index, "they don't match the last recorded change")
  }
  checked.add(head)
}

/** What a seal of this batch says of the rules. It throws where they are not those of the last change. */
export function rulesOf(batch: Batch, center: CenterProfile): Rules {
  requireFreezesEntered(batch)
  const head = headOf(batch)
  const known = head && rulesOfHead.get(head)
  if (known) return known
  if (!head) {
    const standing = standingRules(batch, center)
    if (standing.length > 0 || policyRules(batch).some(({ center_id }) => center_id !== null)) throw new RulesBehind()
    return none
  }
  requireUnaltered(batch, center)
  const entered = new Set(head.shared.filter(({ ended }) => !ended).map(nameOf))
  const shared = sharedNow(standingRules(batch, center))
  if (shared.length !== entered.size || shared.some((each) => !entered.has(nameOf(each)))) throw new RulesBehind()
  const rules = { index: head.history_index, digest: head.digest }
  rulesOfHead.set(head, rules)
  return rules
}

/** Notes that an entry of the history has changed the rules. */
export function noteRules(
  batch: Batch,
  center: CenterProfile,
  { index, shared }: { readonly index: number; readonly shared?: readonly EnteredPolicy[] },
): void {
  const before = headOf(batch)
  const entered = shared ?? before?.shared ?? []
  const head: RulesHead = {
    sort: 'head',
    center_id: center.centerId,
    history_index: index,
    digest: digestOf(standingRules(batch, center), entered),
    shared: entered,
  }
  checked.add(head)
  const rows = batch.rows(ruleRows)
  if (before) rows.update(head)
  else rows.insert(head)
}

/**
 * The policies in force for the center: those that are shared with it, and its own. It throws while an inherited one is not
 * written, or where the stored ones are not those that were sealed, so that nothing is judged without them.
 */
export function policiesInForce(batch: Batch, center: CenterProfile): readonly PolicyRow[] {
  if (center.inherited?.ids.some((id) => !policyRule(batch, id))) {
    throw unavailable("This center's inherited policies aren't ready yet")
  }
  rulesOf(batch, center)
  return standingRules(batch, center)
}

/** The version in force, if there is one. */
export function standingPolicy(batch: Batch, id: string): PolicyRow | undefined {
  const row = policyRule(batch, id)
  return row?.deleted ? undefined : row
}
