/** A policy as the form holds it: the body that the API takes. An edit replaces its own part and keeps all others. */
import type { NewPolicy, Policy, PolicyApproval, PolicyCondition, PolicyStep } from '@countersign/sdk'

export type Body = Omit<NewPolicy, 'scope'>
export type Count = 0 | 1 | 2
export type Who = 'ADMIN' | 'INSTRUCTOR' | 'ANY' | 'NAMED'

export const emptyBody: Body = {
  name: '',
  match: {
    actorTypes: ['ai_agent'],
    actionTypes: ['refund.*'],
    when: [{ pointer: '/action/input/amount', op: 'gt', value: 500_000 }],
  },
  guards: { humanReview: true },
  approval: { identity: 'session', roles: ['ADMIN'], expiresAfterSeconds: 86_400 },
}

export const bodyOf = ({ name, description, match, guards, approval, active }: Policy): Body => ({
  name,
  ...(description !== null && { description }),
  match,
  guards,
  ...(approval && { approval }),
  active,
})

/** The same content has the same text, in whatever order its members stand. */
export const sameText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

export const countOf = ({ guards }: Body): Count => {
  if (guards.dualApproval) return 2
  return guards.humanReview || guards.riskThreshold !== undefined ? 1 : 0
}

export function whoOf({ approval }: Body): Who {
  if (approval?.actorIds) return 'NAMED'
  return approval?.roles?.length === 1 ? (approval.roles[0] as Who) : 'ANY'
}

function approvalWith(
  body: Body,
  change: { readonly [K in keyof PolicyApproval]?: PolicyApproval[K] | undefined },
): Body {
  const { approval: old, ...rest } = body
  const approval = Object.fromEntries(
    Object.entries({ ...old, ...change }).filter(([, value]) => value !== undefined),
  ) as PolicyApproval
  return Object.keys(approval).length > 0 ? { ...rest, approval } : rest
}

export function withPeople(body: Body, who: Who, count: Count): Body {
  const { humanReview: _, dualApproval: __, ...others } = body.guards
  const asks = count === 2 ? { dualApproval: true } : count === 1 ? { humanReview: true } : {}
  const guards = { ...others, ...asks }
  if (count === 0) {
    const { approval: ___, ...rest } = body
    return { ...rest, guards }
  }
  const next = { ...body, guards }
  if (who === 'NAMED') return next
  const named = approvalWith(next, { roles: who === 'ANY' ? undefined : [who], actorIds: undefined })
  return named
}

export const withIdentity = (body: Body, identity: NonNullable<PolicyApproval['identity']>): Body =>
  approvalWith(body, { identity })

export const withExpiry = (body: Body, seconds: number): Body =>
  approvalWith(body, { expiresAfterSeconds: seconds > 0 ? seconds : undefined })

/** How long an approval can be used if its policy doesn't say: seven days. */
const defaultUse = 604_800

export const useOf = ({ approval }: Body): number => approval?.usableForSeconds ?? defaultUse

export const withUse = (body: Body, seconds: number): Body =>
  approvalWith(body, { usableForSeconds: seconds === defaultUse ? undefined : seconds })

export function withActors(body: Body, type: string): Body {
  const { actorTypes: _, ...match } = body.match
  return { ...body, match: type ? { ...match, actorTypes: type.split(',') as never } : match }
}

export function withActions(body: Body, text: string): Body {
  const { actionTypes: _, ...match } = body.match
  const actionTypes = [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean)
  return { ...body, match: actionTypes.length > 0 ? { ...match, actionTypes } : match }
}

export function withConditions(body: Body, when: readonly PolicyCondition[]): Body {
  const { when: _, ...match } = body.match
  return { ...body, match: when.length > 0 ? { ...match, when: [...when] } : match }
}

/** People in a line; the API takes no more. */
export const mostPlaces = 9
export const placesOf = (steps: readonly PolicyStep[]): number => steps.reduce((sum, { count = 1 }) => sum + count, 0)

/** The API takes it. */
export function isComplete(body: Body): boolean {
  if (body.name.trim() === '' || Object.keys(body.guards).length === 0) return false
  if (body.approval?.steps && placesOf(body.approval.steps) > mostPlaces) return false
  const { when = [], actionTypes, eventTypes } = body.match
  return when.every(isWhole) && (when.length === 0 || Boolean(actionTypes ?? eventTypes))
}

const isWhole = ({ op, value, pointer }: PolicyCondition): boolean => {
  if (!pointer.startsWith('/')) return false
  if (op === 'gt' || op === 'lt') return typeof value === 'number' && Number.isFinite(value)
  return op === 'exists' || (Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '')
}
