/** Why a stop is lifted, and the button that lifts it. */
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ErrorLine } from '../error-panel.tsx'
import { useStopWords } from './words.ts'

interface Properties {
  /** Of the lifting: a change that takes the reason. */
  readonly lift: {
    readonly error: unknown
    readonly isPending: boolean
    readonly mutate: (reason: string) => void
  }
  /** Inside of the form, before the reason. */
  readonly children?: ReactNode
  /** A dialog is a form of its own, and none can be inside of another. */
  readonly beside?: ReactNode
}

export function LiftForm({ lift, children, beside }: Properties) {
  const say = useStopWords()
  const [reason, setReason] = useState('')
  const form = useId()
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() && !lift.isPending) lift.mutate(reason.trim())
  }
  return (
    <div className="act stop-lift">
      <form id={form} onSubmit={send}>
        <ErrorLine error={lift.error} />
        {children}
        <input
          className="field"
          aria-label={say('liftReason')}
          placeholder={say('liftHint')}
          maxLength={500}
          autoComplete="off"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </form>
      {beside}
      <button type="submit" form={form} className="btn first" disabled={reason.trim() === '' || lift.isPending}>
        {say('lift')}
      </button>
    </div>
  )
}
