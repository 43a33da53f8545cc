/**
 * Whether a change of policies loosens them: whether something that waited or was refused could pass after it. When in doubt, the
 * answer is yes: only the changes described below do not loosen anything. A change of a policy with a member that is not described
 * here counts as loosening. Pure.
 */
import { evidenceLevels, requiredIdentities } from '@countersign/contract/enums.ts'
import type {
  PolicyApproval,
  PolicyBody,
  PolicyEmergency,
  PolicyGuards,
  PolicyStep,
} from '@countersign/contract/policy-body.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import type { Applied } from './policies.ts'
import { usualUse } from './requirements.ts'

type Escalation = NonNullable<PolicyApproval['escalateTo']>

/** Whether the value after the change requires at least as much as the value before it. */
type Rule<T> = (before: T | undefined, after: T | undefined) => boolean
type Rules<T> = { readonly [M in keyof T]-?: Rule<NonNullable<T[M]>> }

const textOf = (value: unknown): string => canonical(JSON.parse(JSON.stringify([value])) as Json)
const same = (before: unknown, after: unknown): boolean => textOf(before) === textOf(after)

const free = (): boolean => true
const kept: Rule<boolean> = (before, after) => !before || after === true
/** An absent value means no limit. */
const smaller: Rule<number> = (before = Number.POSITIVE_INFINITY, after = Number.POSITIVE_INFINITY) => after <= before
/** What is absent counts as the usual time. */
const sooner: Rule<number> = (before = usualUse, after = usualUse) => after <= before
const larger: Rule<number> = (before, after) => before !== undefined && after !== undefined && after >= before

const raised =
  <T extends string>(ranking: readonly T[], usual?: T): Rule<T> =>
  (before = usual, after = usual) =>
    ranking.indexOf(after as T) >= ranking.indexOf(before as T)

/** An empty list allows everybody, so one name must remain. A list where there was none does not count as stricter. */
const fewer: Rule<readonly string[]> = (before, after) =>
  same(before, after) ||
  (before !== undefined && after !== undefined && after.length > 0 && after.every((each) => before.includes(each)))

const matchRules: Rules<PolicyBody['match']> = {
  eventTypes: same,
  actionTypes: same,
  verticals: same,
  actorTypes: same,
  when: same,
}

const guardRules: Rules<PolicyGuards> = {
  policyRequired: kept,
  minimumEvidenceLevel: raised(evidenceLevels),
  humanReview: kept,
  riskThreshold: smaller,
  dualApproval: kept,
}

const escalationRules: Rules<Escalation> = { roles: fewer, actorIds: fewer, afterSeconds: larger }

const escalates: Rule<Escalation> = (before, after) =>
  after === undefined || (before !== undefined && holds(escalationRules, before, after))

const stepRules: Rules<PolicyStep> = {
  title: free,
  roles: fewer,
  actorIds: fewer,
  groupIds: fewer,
  count: (before = 1, after = 1) => after >= before,
  identity: raised(requiredIdentities),
  escalateTo: escalates,
  delegated: free,
}

/** Each step of before is still there, in the same order: a new one in between asks for one person more. */
const longer: Rule<readonly PolicyStep[]> = (before, after) => {
  if (before === undefined || after === undefined) return before === after
  let at = 0
  for (const step of after) {
    const wanted = before[at]
    if (wanted && holds(stepRules, wanted, step)) at += 1
  }
  return at === before.length
}

/** Who is told approves nothing. */
const informRules: Rules<NonNullable<PolicyApproval['inform']>> = { roles: free, actorIds: free, groupIds: free }

const emergencyRules: Rules<PolicyEmergency> = {
  roles: fewer,
  actorIds: fewer,
  groupIds: fewer,
  confirmWithinSeconds: smaller,
}

/** Whoever approves in an emergency stands for a whole line, until it confirms. */
const rarer: Rule<PolicyEmergency> = (before, after) =>
  after === undefined || (before !== undefined && holds(emergencyRules, before, after))

const approvalRules: Rules<PolicyApproval> = {
  identity: raised(requiredIdentities, 'session'),
  roles: fewer,
  actorIds: fewer,
  steps: longer,
  inform: (before = {}, after = {}) => holds(informRules, before, after),
  expiresAfterSeconds: smaller,
  usableForSeconds: sooner,
  escalateTo: escalates,
  emergency: rarer,
}

const bodyRules: Rules<PolicyBody> = {
  name: free,
  description: free,
  // Only policies in force are compared.
  active: free,
  scope: same,
  country: same,
  region: same,
  match: (before = {}, after = {}) => holds(matchRules, before, after),
  guards: (before = {}, after = {}) => holds(guardRules, before, after),
  approval: (before = {}, after = {}) => holds(approvalRules, before, after),
}

const holds = <T extends object>(rules: Rules<T>, before: T, after: T): boolean =>
  (Object.keys(rules) as (keyof T)[]).every((member) =>
    rules[member](before[member] ?? undefined, after[member] ?? undefined),
  )

const peopleRules = ['roles', 'actorIds', 'escalateTo'] as const
/** Who may approve, by an approval or by one of its steps. */
export type Named = Pick<PolicyStep, (typeof peopleRules)[number] | 'groupIds'>

/** Whether everybody who may approve under `inner` may approve under `outer`, at the same time or earlier. */
export const isWithin = (inner: Named = {}, outer: PolicyApproval = {}): boolean =>
  (outer.roles === undefined && outer.actorIds === undefined) ||
  (inner.groupIds === undefined &&
    peopleRules.every((member) => (approvalRules[member] as Rule<unknown>)(outer[member], inner[member])))

/** Whether whatever was enough for `before` is enough for `now`, as far as the people are concerned. */
export const asksAsMuch = (before: PolicyBody, now: PolicyBody): boolean =>
  isDescribed(before) &&
  isDescribed(now) &&
  holds(guardRules, now.guards, before.guards) &&
  (['identity', 'steps', ...peopleRules] as const).every((member) =>
    (approvalRules[member] as Rule<unknown>)(now.approval?.[member], before.approval?.[member]),
  )

/** Whether whoever could approve in an emergency under `before` still can under `now`, with as much time to confirm it. */
export const allowsAsMuch = (before: PolicyBody, now: PolicyBody): boolean =>
  rarer(now.approval?.emergency, before.approval?.emergency)

/** By the place of the object in a body. */
export const describedMembers = {
  '': Object.keys(bodyRules),
  '/match': Object.keys(matchRules),
  '/guards': Object.keys(guardRules),
  '/approval': Object.keys(approvalRules),
  '/approval/escalateTo': Object.keys(escalationRules),
  '/approval/steps/*': Object.keys(stepRules),
  '/approval/steps/*/escalateTo': Object.keys(escalationRules),
  '/approval/inform': Object.keys(informRules),
  '/approval/emergency': Object.keys(emergencyRules),
}

function isDescribed(body: PolicyBody): boolean {
  const { match, guards, approval = {} } = body
  const steps = approval.steps ?? []
  const parts: readonly (readonly [keyof typeof describedMembers, object])[] = [
    ['', body],
    ['/match', match],
    ['/guards', guards],
    ['/approval', approval],
    ['/approval/escalateTo', approval.escalateTo ?? {}],
    ['/approval/inform', approval.inform ?? {}],
    ['/approval/emergency', approval.emergency ?? {}],
    ...steps.flatMap((step) => [
      ['/approval/steps/*', step] as const,
      ['/approval/steps/*/escalateTo', step.escalateTo ?? {}] as const,
    ]),
  ]
  return parts.every(([place, part]) => Object.keys(part).every((member) => describedMembers[place].includes(member)))
}

const stands = (before: PolicyBody, after: PolicyBody): boolean =>
  same(before, after) || (isDescribed(before) && isDescribed(after) && holds(bodyRules, before, after))

const reach = ['match', 'scope', 'country', 'region'] as const

/** Whether decisions that no policy covered, and that `policyRequired` refused, may be covered by this one now. */
function mayCover(before: PolicyBody | undefined, after: PolicyBody): boolean {
  if (before === undefined) return true
  if (same(before, after)) return false
  if (!isDescribed(before) || !isDescribed(after)) return true
  if (after.guards.policyRequired) return false
  return before.guards.policyRequired === true || reach.some((member) => !same(before[member], after[member]))
}

const inForce = ({ body }: Applied): boolean => body.active !== false

/**
 * The ids of the policies that a change loosens, of the whole sets before and after it; none: it loosens nothing. What a new
 * policy with an undescribed member does is not known, so it counts as loosening all of them, and itself. One that is new and lets
 * somebody approve in an emergency loosens itself: people would approve it, and then wait for nobody.
 */
export function loosened(before: readonly Applied[], after: readonly Applied[]): readonly string[] {
  const old = new Map(before.filter(inForce).map(({ id, body }) => [id, body]))
  const now = new Map(after.filter(inForce).map(({ id, body }) => [id, body]))
  const strange = [...now].filter(([id, body]) => !old.has(id) && !isDescribed(body)).map(([id]) => id)
  if (strange.length > 0) return [...old.keys(), ...strange]
  const urgent = [...now].filter(([id, body]) => !old.has(id) && body.approval?.emergency).map(([id]) => id)
  const covers = [...now].some(([id, body]) => mayCover(old.get(id), body))
  const weakened = [...old].flatMap(([id, body]) => {
    const changed = now.get(id)
    const holdsOn = changed !== undefined && stands(body, changed)
    return holdsOn && !(covers && body.guards.policyRequired) ? [] : [id]
  })
  return [...weakened, ...urgent]
}
