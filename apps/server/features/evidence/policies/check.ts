/** What the policies would say about a decision, and whether enough people can approve it. Pure. */
import { approverRoles } from '@countersign/contract/enums.ts'
import type { BodyOf, PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import type { checkPolicies } from '@countersign/contract/policy-check.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { type Line, lineOf, placesIn, placesOf, type StepText } from '@countersign/proof/line.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { levelOf } from '../../../governance/line.ts'
import { type Applied, factsOfEvent, matchPolicies, named } from '../../../governance/policies.ts'
import { judgeDecision, type Requirements, requirementsOf, sixWOfEvent } from '../../../governance/requirements.ts'
import type { EventRow, PolicyRow } from '../../../governance/rows.ts'
import { Problem } from '../../../lib/problem.ts'
import { type Changing, changeOf } from './check-change.ts'
import { type Able, ableAt, admittedBy, candidatesOf, fills, personsAmong, shownPeople } from './check-people.ts'
import type { Approvable } from './check-queries.ts'
import { usersOf } from './emergency.ts'

type Check = PayloadOf<SpecOf<typeof checkPolicies>, 200>
type CheckedEmergency = NonNullable<Check['approval']>['lines'][number]['emergency']
type Decision = Omit<BodyOf<SpecOf<typeof checkPolicies>>, 'draft'>

type CheckedEvent = Pick<
  EventRow,
  'type' | 'actor' | 'action' | 'ai_context' | 'tags' | 'risk_score' | 'reason' | 'occurred_at'
>

/** The members of the decision that policies and evidence read. */
const asEvent = ({ agent, action, aiContext, tags, riskScore, reason }: Decision, at: string) =>
  ({
    type: 'agent_execution',
    actor: { ...agent, type: 'ai_agent' },
    action,
    ai_context: aiContext ?? null,
    tags: tags ?? [],
    risk_score: riskScore ?? null,
    reason: reason ?? null,
    occurred_at: at,
  }) as CheckedEvent

export function checkDecision(
  decision: Decision,
  rows: readonly PolicyRow[],
  center: CenterProfile,
  approvable: Approvable,
  asking: Pick<Changing, 'asker' | 'ever'>,
  at: string,
): Check {
  const event = asEvent(decision, at)
  const policies = matchPolicies(rows, factsOfEvent(event), center)
  const asked = requirementsOf(policies, event.risk_score)
  const changing = { center, able: candidatesOf(approvable.members), ...asking }
  return {
    ...judged(policies, event, center),
    policies: policies.map((policy) => ({
      ...(named([policy])[0] as { id: string; version: number; digest: string }),
      name: policy.body.name,
      asks: (asked?.reasons ?? []).flatMap(({ policyId, guard }) =>
        policyId === policy.id && guard !== 'policyRequired' ? [guard] : [],
      ),
      approval: policy.body.approval ?? null,
      change: changeOf(policy, changing),
    })),
    approval: asked && approvalOf(asked, policies, event, approvable),
  }
}

function judged(
  policies: readonly Applied[],
  event: CheckedEvent,
  center: CenterProfile,
): Pick<Check, 'outcome' | 'refusal'> {
  try {
    const sixW = sixWOfEvent(event, center, { evidenceLevel: 'DRAFT' })
    return { outcome: judgeDecision(policies, sixW, event.risk_score), refusal: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { policyId, rule, guard } = error.details as { policyId: string; rule: string; guard: string }
    return { outcome: 'refused', refusal: { policyId, rule, guard, message: error.message } }
  }
}

/** What `decide` would have answered about a decision that was recorded. */
export const outcomeOf = (rows: readonly PolicyRow[], event: CheckedEvent, center: CenterProfile): Check['outcome'] =>
  judged(matchPolicies(rows, factsOfEvent(event), center), event, center).outcome

function approvalOf(
  asked: Requirements,
  policies: readonly Applied[],
  event: CheckedEvent,
  { members, keys }: Approvable,
): NonNullable<Check['approval']> {
  const { identity, expiresAfterSeconds, usableForSeconds } = asked
  const asking = policies.filter(({ id, version }) =>
    asked.lines.some((each) => each.policyId === id && each.version === version),
  )
  const lines = asking.map((policy) => ({ name: policy.body.name, ...lineOf(policy) }))
  const actor = comparableId(event.actor.id)
  const able = candidatesOf(members).filter(({ ids }) => !ids.has(actor))
  const steps = lines.flatMap((line) => line.steps.map((step) => ({ step, who: ableAt(asked, line, step, able) })))
  const roles = approverRoles.filter((role) =>
    steps.some(({ step }) => step.roles?.some((each) => each === role) ?? !(step.actorIds || step.groupIds)),
  )
  const needs = Math.max(...lines.map(placesIn))
  const hasClaims = identity === 'claim' && keys >= needs && steps.every(({ step }) => namesNobody(step))
  return {
    identity,
    approvals: needs,
    roles: roles.length > 0 ? roles : null,
    actorIds: able.filter((each) => steps.some(({ who }) => who.includes(each))).map(({ actorId }) => actorId),
    expiresAfterSeconds,
    usableForSeconds,
    lines: lines.map((line) => ({
      policyId: line.policyId,
      version: line.version,
      name: line.name,
      steps: line.steps.map((step) => checkedStep(step, asked, ableAt(asked, line, step, able))),
      emergency: emergencyOf(line, able),
    })),
    problem: hasClaims && lines.every(({ isShort }) => isShort) ? null : problemOf(asked, lines, able),
  }
}

const namesNobody = ({ roles, actorIds, groupIds }: StepText): boolean => !roles && !actorIds && !groupIds

const checkedStep = (step: StepText, asked: Requirements, who: readonly Able[]) => ({
  title: step.title ?? null,
  count: placesOf(step),
  identity: levelOf(asked, step),
  ...shownPeople(who),
})

/** Whoever could use it is confirmed by the others, or named here. */
function emergencyOf(line: Line, able: readonly Able[]): CheckedEmergency {
  if (!line.emergency) return null
  const { users, alone } = usersOf(line, able)
  const confirmers = able.filter((who) => line.steps.some((step) => admittedBy(line, step, [who]).length > 0))
  const { people, peopleCount } = shownPeople(users)
  const { people: those, peopleCount: confirmerCount } = shownPeople(confirmers)
  return {
    confirmWithinSeconds: line.emergency.confirmWithinSeconds,
    ...{ people, peopleCount, confirmers: those, confirmerCount },
    problem: urgentProblem(users, alone),
  }
}

function urgentProblem(users: readonly Able[], alone: readonly Able[]): string | null {
  if (users.length === 0) return 'No ACTIVE member can approve in an emergency. Change "approval.emergency".'
  if (alone.length === 0) return null
  const names = shownPeople(alone).people.map(({ name }) => name)
  return `Nobody else could confirm an emergency approval by ${names.join(', ')}, so they can't give one. Allow more people in the approval line.`
}

type NamedLine = Line & { readonly name: string }

/** The first line that the members could not fill, one place each, and its first step at which that fails. */
function problemOf(asked: Requirements, lines: readonly NamedLine[], able: readonly Able[]) {
  const line = lines.find((each) => !fills(asked, each, able))
  if (!line) return null
  const at = line.steps.findIndex((_, last) => !fills(asked, { ...line, steps: line.steps.slice(0, last + 1) }, able))
  const step = line.steps[at] as StepText
  const [needed, people] = [placesOf(step), personsAmong(admittedBy(line, step, able))]
  const signing = personsAmong(ableAt(asked, line, step, able))
  if (people >= needed && signing < needed) return passkeyProblem(line, at, signing)
  return line.isShort ? shortProblem(asked.identity, needed, people) : stepProblem(line, at, people)
}

function passkeyProblem(line: NamedLine, at: number, signing: number): string {
  const where = line.isShort ? `under the policy "${line.name}"` : `at ${placeOf(line, at)}`
  const needed = placesOf(line.steps[at] as StepText)
  return `A passkey is needed to approve ${where}, and ${signing} of the ${needed} people it takes have one that is confirmed in this center. Ask more of its approvers to register a passkey, and confirm it.`
}

function shortProblem(identity: Requirements['identity'], needed: number, people: number): string {
  if (people === 0 && identity !== 'claim') {
    return 'No ACTIVE member is allowed by one of the policies that ask. Change its "approval.roles" or "approval.actorIds".'
  }
  return identity === 'claim'
    ? `The policies ask for ${needed}, and neither enough members nor enough API keys with the scope proof:approve exist.`
    : `The policies ask for ${needed} people, and ${people} can approve. Allow more members.`
}

function placeOf({ name, steps }: Pick<NamedLine, 'name' | 'steps'>, at: number): string {
  const { title } = steps[at] as StepText
  return `step ${at + 1}${title === undefined ? '' : ` (${title})`} of the policy "${name}"`
}

function stepProblem({ name, steps }: NamedLine, at: number, people: number): string {
  const step = steps[at] as StepText
  const where = placeOf({ name, steps }, at)
  if (people === 0) return `No ACTIVE member can approve at ${where}. Change who may approve at this step.`
  if (people < placesOf(step)) {
    return `${placesOf(step)} people must approve at ${where}, and ${people} can. Allow more members.`
  }
  return `A person fills one place of a line, and everyone who can approve at ${where} is needed at an earlier step. Allow more members.`
}
