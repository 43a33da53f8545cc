/** The bottom of the sheet: an opinion, and the two verbs. */
import { Link } from '@tanstack/react-router'
import type { RefObject } from 'react'
import type { Obstacle } from '../../ui/decision/decide.ts'
import { useInboxWords } from './words.ts'

interface Properties {
  readonly reason: string
  readonly busy: boolean
  readonly fault: Obstacle | 'needReason' | null
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly passkey: boolean
  /** The digest is another one: nothing may be approved. */
  readonly blocked: boolean
  onReason(reason: string): void
  onSend(result: 'approved' | 'rejected'): void
}

export function Act({ reason, busy, fault, field, passkey, blocked, onReason, onSend }: Properties) {
  const say = useInboxWords()
  return (
    <>
      <div className="inbox-opinion">
        <p role="alert" className="fault">
          {fault && (
            <>
              <span aria-hidden="true">✕ </span>
              {fault === 'needReason' ? say('needReason') : say(`stop${fault}`)}{' '}
              {fault === 'needsPasskey' && (
                <Link to="/me" className="link">
                  {say('addPasskey')}
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
          aria-label={say('opinion')}
          placeholder={say('opinionHint')}
          aria-invalid={fault === 'needReason' ? true : undefined}
          value={reason}
          onChange={(event) => onReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      </div>
      <button type="button" className="btn" disabled={busy} onClick={() => onSend('rejected')}>
        {say('refuse')}
      </button>
      <button
        type="button"
        className="btn first"
        aria-describedby="digest"
        disabled={busy || blocked}
        onClick={() => onSend('approved')}
      >
        {say(busy ? 'sealing' : passkey ? 'approvePasskey' : 'approve')}
      </button>
    </>
  )
}
