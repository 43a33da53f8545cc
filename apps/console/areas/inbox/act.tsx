/** The bottom of the sheet: how much has been in view, a comment, and the two verbs. */
import { sayView } from '@countersign/proof/decision-view-words.ts'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, type RefObject, useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { type Stopped, stopText } from '../../decision/decide.ts'
import type { Progress } from '../../ui/decision/reading.ts'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { useInboxWords } from './words.ts'

export type Armed = 'approved' | 'rejected' | null

/** What keeps the decision from being sent, or kept. */
export type Fault = Pick<Stopped, 'obstacle' | 'turn'> | 'needReason'

interface Properties {
  readonly ref: RefObject<HTMLDivElement | null>
  readonly reason: string
  readonly busy: boolean
  readonly fault: Fault | null
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly passkey: boolean
  /** The decision that it is about. */
  readonly of?: string
  /** What the first button says where it is not about one decision. */
  readonly approve?: string
  readonly progress: Progress
  /** A key was pressed once: the second press decides. */
  readonly armed: Armed
  /** The digest is another one, there is too much to read, or it is stopped: nothing may be approved. */
  readonly blocked: 'digest' | 'size' | 'frozen' | null
  onReason(reason: string): void
  onSend(result: 'approved' | 'rejected'): void
}

export function Act(properties: Properties) {
  const { ref, reason, busy, fault, field, passkey, progress, armed, blocked, of, approve, onReason, onSend } =
    properties
  const say = useInboxWords()
  const ofDecision = useDecisionWords()
  const language = useLanguage()
  const [writing, setWriting] = useState(false)
  const { done, total } = progress
  const isRead = done === total
  const style = { '--seen': `${(100 * done) / total}%` } as CSSProperties
  const first = () => {
    if (busy) return ofDecision('sealing')
    if (!isRead) return `${sayView(language, 'keepReading', { left: total - done })} ↓`
    return approve ?? ofDecision(passkey ? 'approvePasskey' : 'approve')
  }
  return (
    <div ref={ref} className={isRead ? 'act read-bar all' : 'act read-bar'} style={style}>
      <p className="state">
        <span id="state" role="status">
          {armed === null
            ? isRead
              ? `✓ ${sayView(language, 'shownAll', { total })}`
              : sayView(language, 'shownSome', { done, total })
            : say(armed === 'approved' ? 'againApprove' : 'againRefuse')}
        </span>
        <button type="button" className="quiet link inbox-write" onClick={() => setWriting(true)}>
          {ofDecision('write')}
        </button>
      </p>
      {blocked === 'size' && <p className="fault">{sayView(language, 'tooMuch')}</p>}
      {blocked === 'frozen' && <p className="waiting">{ofDecision('stopfrozen')}</p>}
      <div className={writing || reason !== '' || fault ? 'inbox-opinion open' : 'inbox-opinion'}>
        <p role="alert" className="fault">
          {fault && (
            <>
              <span aria-hidden="true">✕ </span>
              {fault === 'needReason' ? ofDecision('needReason') : stopText(fault, ofDecision)}{' '}
              {fault !== 'needReason' && fault.obstacle === 'needsPasskey' && (
                <Link to="/me" className="link">
                  {ofDecision('addPasskey')}
                </Link>
              )}
            </>
          )}
        </p>
        <textarea
          ref={field}
          className="field"
          rows={1}
          maxLength={10_000}
          aria-label={ofDecision('opinion')}
          placeholder={ofDecision('opinionHint')}
          aria-invalid={fault === 'needReason' ? true : undefined}
          value={reason}
          onChange={(event) => onReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      </div>
      <button type="button" className="btn" id="refuse" disabled={busy} onClick={() => onSend('rejected')}>
        {ofDecision('refuse')}
      </button>
      <button
        type="button"
        className="btn first"
        id="approve"
        data-of={of}
        aria-describedby="digest state"
        disabled={busy || blocked !== null}
        onClick={() => onSend('approved')}
      >
        {first()}
      </button>
    </div>
  )
}
