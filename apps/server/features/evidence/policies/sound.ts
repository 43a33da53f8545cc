/** The rules of a policy that its schema cannot state. */
import {
  largestLine,
  type PolicyApproval,
  type PolicyBody,
  type PolicyCondition,
  type PolicyEmergency,
  type PolicyGuards,
  type PolicyStep,
} from '@countersign/contract/policy-body.ts'
import { lineOf, placesOf } from '@countersign/proof/line.ts'
import { couldBeConfirmed } from '../../../governance/line.ts'
import { groupIdsOf } from '../../../governance/policies.ts'
import { Problem } from '../../../lib/problem.ts'

const wrong = (reason: string, why: string): Problem =>
  new Problem('VALIDATION_ERROR', `${why}.`, { details: { reason } })

export function requireSound({ match, guards, approval }: PolicyBody): void {
  if (match.when && !match.actionTypes && !match.eventTypes) {
    throw wrong(
      'whenTypes',
      '"match.when" needs "actionTypes" or "eventTypes", which determine what its values mean. Add one of them',
    )
  }
  for (const [at, condition] of (match.when ?? []).entries()) requireValue(condition, `match.when[${at}].value`)
  if (!approval) return
  const { expiresAfterSeconds, steps } = approval
  requireEscalation(approval, expiresAfterSeconds, 'approval')
  if (steps) requireLine(steps, approval, guards)
  if (approval.emergency) requireEmergency(approval.emergency, approval, guards)
  for (const [at, step] of (steps ?? []).entries()) {
    requireEscalation(step, expiresAfterSeconds, `approval.steps[${at}]`)
  }
}

function requireEscalation(
  { escalateTo: escalation }: Pick<PolicyApproval, 'escalateTo'>,
  expiresAfterSeconds: number | undefined,
  path: string,
): void {
  if (!escalation) return
  if (!escalation.roles && !escalation.actorIds) {
    throw wrong(
      'escalateWhom',
      `"${path}.escalateTo" needs "roles" or "actorIds". Add one of them to say who should be asked`,
    )
  }
  if (escalation.afterSeconds >= (expiresAfterSeconds ?? Number.POSITIVE_INFINITY)) {
    throw wrong(
      'escalateTime',
      `"${path}.escalateTo.afterSeconds" isn't less than "approval.expiresAfterSeconds". Send a smaller number`,
    )
  }
}

/** A policy has a line or the short form, so that nobody has to know which of the two counts. */
function requireLine(steps: readonly PolicyStep[], approval: PolicyApproval, guards: PolicyGuards): void {
  const { roles, actorIds, escalateTo } = approval
  if (roles || actorIds || escalateTo || guards.dualApproval) {
    throw wrong(
      'stepsAlone',
      '"approval.steps" can\'t be combined with "approval.roles", "approval.actorIds", "approval.escalateTo" or "guards.dualApproval". Put these people into the steps',
    )
  }
  if (steps.reduce((sum, step) => sum + placesOf(step), 0) > largestLine) {
    throw wrong(
      'stepsSize',
      `"approval.steps" has more than ${largestLine} places. Use fewer steps, or a smaller "count"`,
    )
  }
  if (!guards.humanReview && guards.riskThreshold === undefined && guards.minimumEvidenceLevel !== 'AUDIT_READY') {
    throw wrong(
      'stepsGuard',
      '"approval.steps" needs a guard that requires an approval. Add "humanReview", "riskThreshold" or the "minimumEvidenceLevel" AUDIT_READY',
    )
  }
}

/** Whoever uses it stands for a line that asks, and that others can confirm: those whom it names are known. */
function requireEmergency(emergency: PolicyEmergency, approval: PolicyApproval, guards: PolicyGuards): void {
  if (!emergency.roles && !emergency.actorIds && !emergency.groupIds) {
    throw wrong(
      'emergencyWhom',
      '"approval.emergency" needs "roles", "actorIds" or "groupIds". Add one of them to say who may use it',
    )
  }
  const body = { guards, approval }
  if (!asksAlways(guards)) {
    throw wrong(
      'emergencyGuard',
      '"approval.emergency" needs a guard that requires an approval. Add "humanReview", "dualApproval", "riskThreshold" or the "minimumEvidenceLevel" AUDIT_READY',
    )
  }
  const line = lineOf({ id: '', version: 1, body })
  const isNamed = ({ roles, groupIds, escalateTo }: PolicyStep) => !roles && !groupIds && !escalateTo?.roles
  const named = line.steps.every((step) => step.actorIds && isNamed(step as PolicyStep))
  if (!named || emergency.roles || emergency.groupIds) return
  const people = line.steps
    .flatMap(({ actorIds = [], escalateTo }) => [...actorIds, ...(escalateTo?.actorIds ?? [])])
    .map((actorId) => ({ actorId, roles: null }))
  const users = (emergency.actorIds ?? []).map((actorId) => ({ actorId, roles: null }))
  if (users.some((user) => couldBeConfirmed(line, user, people))) return
  throw wrong(
    'nobodyConfirms',
    'Nobody else could confirm an emergency approval under this policy. Allow more people in its approval line, or others in "approval.emergency"',
  )
}

const asksAlways = ({ humanReview, dualApproval, riskThreshold, minimumEvidenceLevel }: PolicyGuards): boolean =>
  Boolean(humanReview || dualApproval) || riskThreshold !== undefined || minimumEvidenceLevel === 'AUDIT_READY'

/** Of a policy that is made for several centers. */
export function requireNoGroups(policy: PolicyBody): void {
  if (groupIdsOf(policy).length === 0) return
  throw wrong('partnerGroups', `Only a center's own policies can name groups. Leave out "groupIds"`)
}

const expected = {
  eq: 'a single value, not a list',
  in: 'a list of values',
  gt: 'a number',
  lt: 'a number',
  exists: 'true or false, or be left out',
} as const

function requireValue({ op, value }: PolicyCondition, path: string): void {
  const fits =
    op === 'exists'
      ? value === undefined || typeof value === 'boolean'
      : op === 'in'
        ? Array.isArray(value)
        : op === 'eq'
          ? value !== undefined && !Array.isArray(value)
          : typeof value === 'number'
  if (!fits) throw wrong('conditionValue', `With "${op}", "${path}" must be ${expected[op]}`)
}
