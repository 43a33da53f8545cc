/** The rules of a policy that its schema cannot state. */
import type { PolicyBody, PolicyCondition } from '@countersign/contract/policy-body.ts'
import { Problem } from '../../../lib/problem.ts'

const wrong = (why: string): Problem => new Problem('VALIDATION_ERROR', `${why}.`)

export function requireSound({ match, approval }: PolicyBody): void {
  if (match.when && !match.actionTypes && !match.eventTypes) {
    throw wrong(
      '"match.when" needs "actionTypes" or "eventTypes", which determine what its values mean. Add one of them',
    )
  }
  for (const [at, condition] of (match.when ?? []).entries()) requireValue(condition, `match.when[${at}].value`)
  const escalation = approval?.escalateTo
  if (!escalation) return
  if (!escalation.roles && !escalation.actorIds) {
    throw wrong('"approval.escalateTo" needs "roles" or "actorIds". Add one of them to say who should be asked')
  }
  if (escalation.afterSeconds >= (approval.expiresAfterSeconds ?? Number.POSITIVE_INFINITY)) {
    throw wrong(
      '"approval.escalateTo.afterSeconds" isn\'t less than "approval.expiresAfterSeconds". Send a smaller number',
    )
  }
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
  if (!fits) throw wrong(`With "${op}", "${path}" must be ${expected[op]}`)
}
