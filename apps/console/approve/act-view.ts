/** The bar at the bottom: how much has been in view, a comment, and the two verbs. */
import type { DecisionView } from '@countersign/proof/decision-view.ts'
import { sayView } from '@countersign/proof/decision-view-words.ts'
import { stopText, turnObstacle } from '../decision/decide.ts'
import { asksForPasskey } from '../decision/read.ts'
import { mayApprove } from '../decision/reading.ts'
import { durationText } from '../ui/clock.ts'
import type { Deciding } from './deciding.ts'
import { button, byId, field, make } from './dom.ts'
import { say, spoken } from './page.ts'

/** Until everything was in view, the first button goes on reading; it never sits there dead. */
export function showProgress(done: number, total: number, approves: string): void {
  const [bar, approve] = [byId('act'), byId<HTMLButtonElement>('approve')]
  if (!bar || !approve) return
  const isRead = done === total
  bar.classList.toggle('all', isRead)
  bar.style.setProperty('--seen', `${total === 0 ? 100 : (100 * done) / total}%`)
  byId('state').textContent = isRead
    ? `✓ ${sayView(spoken(), 'shownAll', { total })}`
    : sayView(spoken(), 'shownSome', { done, total })
  if ('notNow' in approve.dataset) approve.disabled = isRead
  if (approve.getAttribute('aria-disabled') === 'true') return
  approve.textContent = isRead ? approves : `${sayView(spoken(), 'keepReading', { left: total - done })} ↓`
}

/** What the first button says. */
export function approvesText({ decision, draft }: Pick<Deciding, 'decision' | 'draft'>): string {
  const { emergency } = draft
  if (emergency) return say(asksForPasskey(decision, emergency) ? 'emergencyPasskey' : 'emergencyApprove')
  return say(asksForPasskey(decision) ? 'approvePasskey' : 'approve')
}

/** The right to approve in place of the line, where the person has it. */
function emergencyView({ decision: { waiting }, draft }: Deciding, changed: () => void): HTMLElement | null {
  const right = waiting?.emergency
  if (!right) return null
  if (right.blocked !== null) {
    const earlier = make('a', { class: 'link', href: `/approve/${right.blocked}` }, say('emergencyEarlier'))
    return make('p', { class: 'small soft emergency' }, say('emergencyBlocked'), ' ', earlier)
  }
  const time = durationText(right.confirmWithinSeconds * 1000, spoken())
  const text = [say('emergencyText', { time }), ...(right.seals ? [] : [say('emergencyOthers')])].join(' ')
  const says = make('p', { class: 'small' }, text)
  const toggle = make<HTMLButtonElement>('button', { type: 'button', class: 'quiet write' })
  const show = () => {
    says.hidden = !draft.emergency
    toggle.setAttribute('aria-pressed', String(draft.emergency === true))
    toggle.textContent = say(draft.emergency ? 'emergencyLeave' : 'emergencyAsk')
  }
  toggle.addEventListener('click', () => {
    if (draft.emergency) delete draft.emergency
    else draft.emergency = true
    show()
    changed()
  })
  show()
  return make('div', { class: 'emergency' }, says, toggle)
}

export function actView(deciding: Deciding, view: DecisionView, fault: HTMLElement): HTMLElement {
  const { decision, draft, compared, decide, read, keepReading } = deciding
  const opinion = field(
    say('opinion'),
    { rows: '1', maxlength: '10000', placeholder: say('opinionHint') },
    { tag: 'textarea' },
  )
  opinion.input.value = draft.reason
  opinion.input.addEventListener('input', () => {
    draft.reason = opinion.input.value
  })
  opinion.box.hidden = draft.reason === '' && !draft.emergency
  const unfold = () => {
    opinion.box.hidden = false
    opinion.input.focus({ preventScroll: true })
  }
  const refuse = () => {
    const missing = opinion.input.value.trim() === ''
    if (missing) unfold()
    opinion.fault(missing ? say('needReason') : '')
    return missing ? undefined : decide('rejected')
  }
  const isRead = () => byId('act').classList.contains('all')
  const approve = make<HTMLButtonElement>('button', {
    type: 'button',
    class: 'btn first',
    id: 'approve',
    'data-of': decision.id,
    'aria-describedby': 'digest state',
  })
  approve.addEventListener('click', () => {
    if (!isRead()) return keepReading()
    if (approve.getAttribute('aria-disabled') === 'true' || !mayApprove(read())) return
    const missing = draft.emergency === true && opinion.input.value.trim() === ''
    if (missing) unfold()
    opinion.fault(missing ? say('emergencyReason') : '')
    if (missing) return
    approve.setAttribute('aria-disabled', 'true')
    approve.textContent = say('sealing')
    void decide('approved').finally(() => {
      approve.removeAttribute('aria-disabled')
      approve.textContent = approvesText(deciding)
    })
  })
  const isFrozen = (decision.waiting?.frozen ?? null) !== null
  const isBlocked = compared === 'other' || !view.size.fits || isFrozen
  const notNow = turnObstacle(decision)
  /** It goes on reading all the same. An emergency approval waits for no turn. */
  const enable = () => {
    const waits = notNow !== null && !draft.emergency
    if (waits) approve.dataset.notNow = ''
    else delete approve.dataset.notNow
    approve.disabled = isBlocked || (waits && byId('act')?.classList.contains('all') === true)
  }
  enable()
  const changed = () => {
    enable()
    opinion.input.setAttribute('placeholder', say(draft.emergency ? 'emergencyHint' : 'opinionHint'))
    if (draft.emergency) unfold()
    if (isRead()) approve.textContent = approvesText(deciding)
  }
  const refusal = button(say('refuse'), '', refuse, say('sealing'))
  refusal.id = 'refuse'
  return make(
    'section',
    { class: 'act read-bar', id: 'act', 'aria-label': say('decisionTitle') },
    fault,
    isFrozen && make('p', { class: 'waiting' }, say('stopfrozen')),
    !isFrozen && notNow && make('p', { class: 'waiting' }, stopText(notNow, say)),
    make(
      'p',
      { class: 'state' },
      make('span', { id: 'state', role: 'status' }),
      make('button', { type: 'button', class: 'quiet write', click: unfold }, say('write')),
    ),
    !view.size.fits && make('p', { class: 'fault' }, sayView(spoken(), 'tooMuch')),
    !isBlocked && emergencyView(deciding, changed),
    opinion.box,
    refusal,
    approve,
  )
}
