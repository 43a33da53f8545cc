/**
 * Whether what was given when a decision was sealed is enough for the policies of now. Levels and people count as they were
 * sealed: a member who has left since approved all the same. Pure.
 */
import { requiredIdentities } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { isWithin } from './loosens.ts'
import { type Applied, named } from './policies.ts'
import { type Reason, requirementsOf } from './requirements.ts'

/** An approval that counted when the decision was sealed. */
export interface SealedApproval {
  readonly level: string
  /** Empty once it is redacted. */
  readonly approver: { readonly id?: string; readonly type?: string }
  /** The member whose deputy approved. */
  readonly onBehalfOf: string | null
}

export interface Given {
  readonly approvals: readonly SealedApproval[]
  /** The policies that the seal names. */
  readonly policies: readonly { readonly id: string; readonly version: number; readonly digest: string }[]
  /** Those of them whose texts are kept. Null for a seal of 0.1.0, of which only number and level of approvals are compared. */
  readonly lines: readonly Applied[] | null
}

/** A redacted id is absent. */
type Decision = { readonly actor: { readonly id?: string }; readonly risk_score: number | null }

const rank = (level: string): number => (requiredIdentities as readonly string[]).indexOf(level)
const nameOf = ({ id, version, digest }: Given['policies'][number]): string => `${id} ${version} ${digest}`

/** The first policy of `present`, all of which match the decision, that asks for more than was given. */
export function asksMore(
  present: readonly Applied[],
  { actor, risk_score }: Decision,
  { approvals, policies, lines }: Given,
): Reason | null {
  const satisfied = new Set(policies.map(nameOf))
  // Whoever approved was allowed by each policy that asked then.
  const asked = lines?.filter((line) => requirementsOf([line], risk_score)) ?? []
  for (const policy of present) {
    if (named([policy]).some((each) => satisfied.has(nameOf(each)))) continue
    const now = requirementsOf([policy], risk_score)
    if (!now) continue
    const { actorIds } = policy.body.approval ?? {}
    const isOpen = lines === null || asked.some(({ body }) => isWithin(body.approval, policy.body.approval))
    const counting = approvals.filter(({ level, approver, onBehalfOf }) => {
      const { id = '', type } = approver
      if (rank(level) < rank(now.identity) || type !== 'human') return false
      if (comparableId(id) === '' || comparableId(id) === comparableId(actor.id ?? '')) return false
      const place = comparableId(onBehalfOf ?? id)
      return isOpen || isWithin({}, policy.body.approval) || actorIds?.some((each) => comparableId(each) === place)
    })
    if (counting.length < now.approvals) return now.reasons[0]
  }
  return null
}
