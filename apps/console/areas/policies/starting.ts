/** Policies to start from: what a trade decides every week, refunds by their amount, and data that leaves the center. Pure. */
import type { Vertical } from '@countersign/sdk'
import type { Body } from './body.ts'
import type { Titles } from './line.ts'

export const everywhere = ['Refund', 'LargeRefund', 'DataOut'] as const
export type Starting = (typeof everywhere)[number] | Vertical

/** That of its own trade first. */
export const startingsOf = (vertical: Vertical | undefined): readonly Starting[] =>
  vertical === undefined ? everywhere : [vertical, ...everywhere]

/** A limit to begin with; the sentence lets people change it. */
const largeAmount = 500_000
const isLarge = [{ pointer: '/action/input/amount', op: 'gt', value: largeAmount }] as const

interface Trade {
  readonly actionType: string
  readonly guards: Body['guards']
  readonly when?: typeof isLarge
}
const line = { humanReview: true } as const
const twoPeople = { dualApproval: true } as const

/** Of people and agents alike. */
const trades: Readonly<Record<Vertical, Trade>> = {
  rehabilitation: { actionType: 'plan.adjust', guards: line },
  welfare: { actionType: 'service.end', guards: line },
  education: { actionType: 'tuition.refund', guards: line },
  pharmacy: { actionType: 'dose.adjust', guards: twoPeople },
  commerce: { actionType: 'order.place', guards: line, when: isLarge },
  mentoring: { actionType: 'mentor.change', guards: line },
  interior: { actionType: 'estimate.send', guards: line },
}

/** A refund of tuition is due within five days. */
const threeDays = 3 * 86_400

export function startingBody(starting: Starting, name: string, { staff, director }: Titles): Body {
  const steps = () => [{ title: staff }, { title: director, roles: ['ADMIN' as const] }]
  const agents: Pick<Body['match'], 'actorTypes'> = { actorTypes: ['ai_agent'] }
  const base = { name, approval: { identity: 'session', expiresAfterSeconds: 86_400 } } as const
  if (starting === 'Refund') {
    return { ...base, match: { ...agents, actionTypes: ['refund.*'] }, guards: { humanReview: true } }
  }
  if (starting === 'LargeRefund') {
    return {
      name,
      match: { ...agents, actionTypes: ['refund.*'], when: [...isLarge] },
      guards: line,
      approval: { ...base.approval, steps: steps() },
    }
  }
  if (starting === 'DataOut') {
    const actionTypes = ['data.export*', 'data.share*', 'data.send*']
    return { ...base, match: { ...agents, actionTypes }, guards: twoPeople }
  }
  const { actionType, guards, when } = trades[starting]
  const approval = { identity: 'session', expiresAfterSeconds: threeDays } as const
  return {
    name,
    match: { actionTypes: [actionType], ...(when && { when: [...when] }) },
    guards,
    approval: guards === line ? { ...approval, steps: steps() } : approval,
  }
}
