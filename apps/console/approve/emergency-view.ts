/** An emergency approval after the seal: what was approved, how it stands, and the confirmation of the person who looks. */
import { decisionView as viewOf } from '@countersign/proof/decision-view.ts'
import { viewNodes } from '@countersign/proof/view-tree.ts'
import type { Decision } from '@countersign/sdk'
import { confirmsWithPasskey, nameOf } from '../decision/read.ts'
import { contextOf } from '../decision/recorded.ts'
import { timeText } from '../ui/clock.ts'
import { button, type Child, field, linesOf, make, nodeOf } from './dom.ts'
import { say, spoken } from './page.ts'

interface Shown {
  readonly decision: Decision
  readonly viewer: string
  readonly fault: Child
  confirm(result: 'confirmed' | 'objected', reason: string): Promise<void>
}

const tone = { open: 'waiting', confirmed: 'verified', objected: 'broken', unconfirmed: 'broken' } as const

export function emergencyView(shown: Shown): readonly Child[] {
  const { decision } = shown
  const { emergency } = decision
  if (emergency === null) return []
  const { state, confirmBy, mayConfirm } = emergency
  const used = emergency.approvals.flatMap((index) => decision.approvals[index] ?? [])
  return [
    make(
      'section',
      { class: 'part' },
      make('h2', {}, say('emergencyTitle')),
      used.map((given) => [
        make('p', {}, say('emergencyBy', { name: nameOf(given) })),
        given.reason && make('p', { class: 'said' }, linesOf(say('emergencyWhy', { reason: given.reason }))),
      ]),
      make('p', { class: tone[state] }, say(`state${state}`, { time: timeText(confirmBy, spoken(), 'long') })),
    ),
    // Whoever confirms reads what was approved.
    mayConfirm &&
      viewNodes(viewOf(decision, spoken()), { ...contextOf(decision), policies: [], keyName: null }).map(nodeOf),
    confirmView(shown),
  ]
}

function confirmView({ decision, viewer, fault, confirm }: Shown): Child {
  const { mayConfirm = false, mayObject = false } = decision.emergency ?? {}
  if (!mayConfirm && !mayObject) return null
  const opinion = field(
    say('opinion'),
    { rows: '2', maxlength: '10000', placeholder: say('confirmHint') },
    { tag: 'textarea' },
  )
  const send = (result: 'confirmed' | 'objected') => {
    const reason = opinion.input.value.trim()
    const missing = result === 'objected' && reason === ''
    opinion.fault(missing ? say('needObjection') : '')
    if (missing) opinion.input.focus()
    return missing ? undefined : confirm(result, reason)
  }
  const confirms = say(confirmsWithPasskey(decision, viewer) ? 'confirmPasskey' : 'confirm')
  return make(
    'section',
    { class: 'part confirm-here' },
    make('div', { class: 'fault notice', id: 'fault', role: 'alert', tabindex: '-1' }, fault),
    mayConfirm && make('p', {}, say('confirmAsk')),
    opinion.box,
    make(
      'p',
      { class: 'actions' },
      mayObject && button(say('object'), 'plain', () => send('objected'), say('sealing')),
      mayConfirm && button(confirms, 'first', () => send('confirmed'), say('sealing')),
    ),
  )
}
