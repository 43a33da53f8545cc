/** Refuses all that waits of what is stopped, with one reason: refusing works while approving does not. */
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { queries } from '../../app/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Field } from '../../ui/field.tsx'
import { useStopWords } from '../../ui/stops/words.ts'

const isClosed = (error: unknown): boolean => (error as { readonly code?: unknown } | null)?.code === 'CONFLICT'

export function RefuseAll({ ids }: { readonly ids: readonly string[] }) {
  const say = useStopWords()
  const done = useDoneWords()
  const [asked, setAsked] = useState<readonly string[] | null>(null)
  const [reason, setReason] = useState('')
  /** One after another: what is refused when another fails stays refused, and the rest is asked for again. */
  const refuse = useChange<readonly string[]>(['decisions', 'inbox'], refuseEach, {
    told: (_, all) => done('refused', { count: all.length }),
    onFailed: () => void queries.invalidateQueries({ queryKey: ['inbox'] }),
  })
  async function refuseEach(all: readonly string[]) {
    for (const id of all) {
      try {
        await api.decisions.approve(id, { result: 'rejected', reason: reason.trim(), channel: 'console' })
      } catch (error) {
        // Somebody else has refused it, it was withdrawn, or it has expired.
        if (!isClosed(error)) throw error
      }
    }
  }
  return (
    <>
      <button type="button" className="btn" onClick={() => setAsked(ids)}>
        {say('refuseWaiting', { count: ids.length })}
      </button>
      {asked && (
        <Confirm
          title={say('refuseTitle', { count: asked.length })}
          action={say('refuse')}
          missing={reason.trim() === '' ? say('refuseReasonFirst') : undefined}
          onConfirm={() => refuse.mutateAsync(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{say('refuseText')}</p>
          <Field
            label={say('refuseReason')}
            required
            maxLength={500}
            autoComplete="off"
            data-field="reason"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </Confirm>
      )}
    </>
  )
}
