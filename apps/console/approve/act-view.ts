/** The bar at the bottom: how much has been in view, a comment, and the two verbs. */
import type { DecisionView } from '@countersign/proof/decision-view.ts'
import { sayView } from '@countersign/proof/decision-view-words.ts'
import { asksForPasskey } from '../decision/read.ts'
import { mayApprove } from '../decision/reading.ts'
import type { Deciding } from './deciding.ts'
import { button, byId, field, make } from './dom.ts'
import { say, spoken } from './page.ts'

/** Until everything was in view, the first button goes on reading; it never sits there dead. */
export function showProgress(done: number, total: number, passkey: boolean): void {
  const [bar, approve] = [byId('act'), byId('approve')]
  if (!bar || !approve) return
  const isRead = done === total
  bar.classList.toggle('all', isRead)
  bar.style.setProperty('--seen', `${total === 0 ? 100 : (100 * done) / total}%`)
  byId('state').textContent = isRead
    ? `✓ ${sayView(spoken(), 'shownAll', { total })}`
    : sayView(spoken(), 'shownSome', { done, total })
  if (approve.getAttribute('aria-disabled') === 'true') return
  approve.textContent = isRead
    ? say(passkey ? 'approvePasskey' : 'approve')
    : `${sayView(spoken(), 'keepReading', { left: total - done })} ↓`
}

export function actView(
  { decision, draft, compared, decide, read, keepReading }: Deciding,
  view: DecisionView,
  fault: HTMLElement,
): HTMLElement {
  const opinion = field(
    say('opinion'),
    { rows: '1', maxlength: '10000', placeholder: say('opinionHint') },
    { tag: 'textarea' },
  )
  opinion.input.value = draft.reason
  opinion.input.addEventListener('input', () => {
    draft.reason = opinion.input.value
  })
  opinion.box.hidden = draft.reason === ''
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
    approve.setAttribute('aria-disabled', 'true')
    approve.textContent = say('sealing')
    void decide('approved').finally(() => {
      approve.removeAttribute('aria-disabled')
      approve.textContent = say(asksForPasskey(decision) ? 'approvePasskey' : 'approve')
    })
  })
  const isFrozen = (decision.waiting?.frozen ?? null) !== null
  approve.disabled = compared === 'other' || !view.size.fits || isFrozen
  const refusal = button(say('refuse'), '', refuse, say('sealing'))
  refusal.id = 'refuse'
  return make(
    'section',
    { class: 'act read-bar', id: 'act', 'aria-label': say('decisionTitle') },
    fault,
    isFrozen && make('p', { class: 'waiting' }, say('stopfrozen')),
    make(
      'p',
      { class: 'state' },
      make('span', { id: 'state', role: 'status' }),
      make('button', { type: 'button', class: 'quiet write', click: unfold }, say('write')),
    ),
    !view.size.fits && make('p', { class: 'fault' }, sayView(spoken(), 'tooMuch')),
    opinion.box,
    refusal,
    approve,
  )
}
