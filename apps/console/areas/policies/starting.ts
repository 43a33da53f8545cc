/** Policies to start from: refunds by their amount, and data that leaves the center. Pure. */
import type { Body } from './body.ts'
import type { Titles } from './line.ts'

export const startings = ['Refund', 'LargeRefund', 'DataOut'] as const
export type Starting = (typeof startings)[number]

/** A limit to begin with; the sentence lets people change it. */
const largeAmount = 500_000

export function startingBody(starting: Starting, name: string, { staff, director }: Titles): Body {
  const agents: Pick<Body['match'], 'actorTypes'> = { actorTypes: ['ai_agent'] }
  const base = { name, approval: { identity: 'session', expiresAfterSeconds: 86_400 } } as const
  if (starting === 'Refund') {
    return { ...base, match: { ...agents, actionTypes: ['refund.*'] }, guards: { humanReview: true } }
  }
  if (starting === 'DataOut') {
    const actionTypes = ['data.export*', 'data.share*', 'data.send*']
    return { ...base, match: { ...agents, actionTypes }, guards: { dualApproval: true } }
  }
  return {
    name,
    match: {
      ...agents,
      actionTypes: ['refund.*'],
      when: [{ pointer: '/action/input/amount', op: 'gt', value: largeAmount }],
    },
    guards: { humanReview: true },
    approval: { ...base.approval, steps: [{ title: staff }, { title: director, roles: ['ADMIN'] }] },
  }
}
