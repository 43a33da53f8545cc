/**
 * Whether what was given when a decision was sealed is enough for the policies of now. Levels and people count as they were
 * sealed: a member who has left since approved all the same. Pure.
 */
import { requiredIdentities } from '@countersign/contract/enums.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { Admitted } from '@countersign/proof/control.ts'
import { lineName, lineOf } from '@countersign/proof/line.ts'
import { allowsAsMuch, asksAsMuch, isWithin, type Named } from './loosens.ts'
import { type Applied, named } from './policies.ts'
import { type Reason, requirementsOf } from './requirements.ts'

/** An approval that counted when the decision was sealed. */
export interface SealedApproval {
  readonly level: string
  /** Empty once it is redacted. */
  readonly approver: { readonly id?: string; readonly type?: string }
  /** The member whose deputy approved. */
  readonly onBehalfOf: string | null
  /** The places that it filled. Undefined in seals that don't name them: each policy that asked had to allow the approver then. */
  readonly places?: readonly Pick<Admitted, 'policyId' | 'version' | 'step'>[]
  /** Given in an emergency: it counts for the policy that allowed that, and for no other. */
  readonly emergency?: boolean
}

export interface Given {
  readonly approvals: readonly SealedApproval[]
  /** The policies that the seal names. */
  readonly policies: readonly { readonly id: string; readonly version: number; readonly digest: string }[]
  /** Those of them whose texts are kept. Null for a seal of 0.1.0, of which only number and level of approvals are compared. */
  readonly lines: readonly Applied[] | null
  /** The names of lines that somebody filled in an emergency and that have not confirmed it. */
  readonly urgent?: ReadonlySet<string>
}

/** A redacted id is absent. */
type Decision = { readonly actor: { readonly id?: string }; readonly risk_score: number | null }

const rank = (level: string): number => (requiredIdentities as readonly string[]).indexOf(level)
const nameOf = ({ id, version, digest }: Given['policies'][number]): string => `${id} ${version} ${digest}`

/** The first policy of `present`, all of which match the decision, that asks for more than was given. */
export function asksMore(
  present: readonly Applied[],
  { actor, risk_score }: Decision,
  { approvals, policies, lines, urgent = new Set() }: Given,
): Reason | null {
  const satisfied = new Set(policies.map(nameOf))
  const asked = lines?.filter((line) => requirementsOf([line], risk_score)) ?? []
  for (const policy of present) {
    if (named([policy]).some((each) => satisfied.has(nameOf(each)))) continue
    const now = requirementsOf([policy], risk_score)
    if (!now || asked.some((line) => gives(line, policy, urgent))) continue
    const { approval } = policy.body
    // What a line of steps asks for is given only by one that asked for as much: who was in which group then is not known.
    if (lines && approval?.steps) return now.reasons[0]
    const counting = approvals.filter(({ level, approver, onBehalfOf, places, emergency }) => {
      const { id = '', type } = approver
      if (emergency) return false
      if (rank(level) < rank(now.identity) || type !== 'human') return false
      if (comparableId(id) === '' || comparableId(id) === comparableId(actor.id ?? '')) return false
      if (lines === null || isWithin({}, approval)) return true
      const filled = asked.flatMap((line): readonly Named[] =>
        places ? stepsOf(line, places) : [line.body.approval ?? {}],
      )
      const place = comparableId(onBehalfOf ?? id)
      return (
        filled.some((step) => isWithin(step, approval)) ||
        approval?.actorIds?.some((each) => comparableId(each) === place)
      )
    })
    if (peopleOf(counting) < now.approvals) return now.reasons[0]
  }
  return null
}

/** Until a line has confirmed what was done in an emergency, only a policy that allows as much in one is satisfied by it. */
const gives = (line: Applied, now: Applied, urgent: ReadonlySet<string>): boolean =>
  asksAsMuch(line.body, now.body) &&
  (!urgent.has(lineName({ policyId: line.id, version: line.version })) || allowsAsMuch(line.body, now.body))

/** The steps of a sealed line at which an approval had a place. */
function stepsOf(line: Applied, places: NonNullable<SealedApproval['places']>): readonly Named[] {
  const { steps } = lineOf(line)
  return places.flatMap(({ policyId, version, step = 0 }) => {
    const found = policyId === line.id && version === line.version ? steps[step] : undefined
    return found ? [found as Named] : []
  })
}

/** Two approvals that name the same person, as approver or as the one whose deputy approved, are those of one. */
function peopleOf(approvals: readonly SealedApproval[]): number {
  const people: Set<string>[] = []
  for (const { approver, onBehalfOf } of approvals) {
    const ids = new Set([approver.id ?? '', ...(onBehalfOf ? [onBehalfOf] : [])].map(comparableId))
    const same = people.find((each) => [...ids].some((id) => each.has(id)))
    if (same) for (const id of ids) same.add(id)
    else people.push(ids)
  }
  return people.length
}
