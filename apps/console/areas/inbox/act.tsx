/** The bottom of the sheet: how much has been in view, a comment, and the two verbs. */
import { sayView } from '@countersign/proof/decision-view-words.ts'
import type { Decision } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, type RefObject, useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useStanding } from '../../app/waiting-passkeys.ts'
import { type Stopped, stopText } from '../../decision/decide.ts'
import { waitsText } from '../../decision/passkey-standing.ts'
import { durationText } from '../../ui/clock.ts'
import type { Progress } from '../../ui/decision/reading.ts'
import { StopText } from '../../ui/decision/stop-text.tsx'
import { useDecisionWords } from '../../ui/decision/words.ts'
import { OwnStanding } from '../../ui/own-standing.tsx'
import { useInboxWords } from './words.ts'

export type Armed = 'approved' | 'rejected' | null

/** What keeps the decision from being sent, or kept. */
export type Fault = Pick<Stopped, 'obstacle' | 'turn' | 'named'> | 'needReason' | 'emergencyReason'

type EmergencyRight = NonNullable<NonNullable<Decision['waiting']>['emergency']>

/** The right to approve in place of the line, and whether it is being used. */
export interface Emergency {
  readonly right: EmergencyRight
  readonly on: boolean
  onChange(on: boolean): void
}

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
  /** It is not this person's turn. */
  readonly notNow?: Pick<Stopped, 'obstacle' | 'turn'> | null
  readonly emergency?: Emergency | undefined
  onReason(reason: string): void
  onSend(result: 'approved' | 'rejected'): void
}

export function Act(properties: Properties) {
  const { ref, reason, busy, fault, field, passkey, progress, armed, blocked, of, approve, emergency } = properties
  const { notNow = null } = properties
  const { onReason, onSend } = properties
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
    if (emergency?.on) return ofDecision(passkey ? 'emergencyPasskey' : 'emergencyApprove')
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
      {blocked === null && notNow && <p className="waiting">{stopText(notNow, ofDecision)}</p>}
      {emergency && blocked === null && <EmergencyChoice {...emergency} />}
      <div className={writing || reason !== '' || fault || emergency?.on ? 'inbox-opinion open' : 'inbox-opinion'}>
        <div role="alert" className="fault">
          {fault && (
            <>
              <span aria-hidden="true">✕ </span>
              {typeof fault === 'string' ? ofDecision(fault) : <StopText stopped={fault} />}{' '}
              {typeof fault !== 'string' && fault.obstacle === 'needsPasskey' && <NeedsPasskey />}
            </>
          )}
        </div>
        <textarea
          ref={field}
          className="field"
          rows={1}
          maxLength={10_000}
          aria-label={ofDecision('opinion')}
          placeholder={ofDecision(emergency?.on ? 'emergencyHint' : 'opinionHint')}
          aria-invalid={typeof fault === 'string' ? true : undefined}
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
        disabled={busy || blocked !== null || (notNow !== null && isRead)}
        onClick={() => onSend('approved')}
      >
        {first()}
      </button>
    </div>
  )
}

function EmergencyChoice({ right, on, onChange }: Emergency) {
  const say = useDecisionWords()
  const language = useLanguage()
  if (right.blocked !== null) {
    return (
      <p className="small soft inbox-emergency">
        {say('emergencyBlocked')}{' '}
        <Link to="." search={(before: object) => ({ ...before, id: right.blocked ?? undefined })} className="link">
          {say('emergencyEarlier')}
        </Link>
      </p>
    )
  }
  return (
    <div className="inbox-emergency">
      {on && (
        <p className="small measure">
          {say('emergencyText', { time: durationText(right.confirmWithinSeconds * 1000, language) })}
          {!right.seals && ` ${say('emergencyOthers')}`}
        </p>
      )}
      <button type="button" className="quiet link" aria-pressed={on} onClick={() => onChange(!on)}>
        {say(on ? 'emergencyLeave' : 'emergencyAsk')}
      </button>
    </div>
  )
}

/** Who is to confirm the passkey that the person has; without one, where to register it. */
function NeedsPasskey() {
  const ofDecision = useDecisionWords()
  const { data, isError } = useStanding()
  if (!data && !isError) return null
  if (data && waitsText(data, ofDecision) !== null) return <OwnStanding />
  return (
    <Link to="/me" className="link">
      {ofDecision('addPasskey')}
    </Link>
  )
}
