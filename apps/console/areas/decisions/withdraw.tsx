/** Lets the requester withdraw a decision while it waits. */
import type { Decision } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useMe } from '../../app/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Field } from '../../ui/field.tsx'
import { useDecisionsWords } from './words.ts'

export function Withdraw({ decision: { id, actor, waiting } }: { readonly decision: Decision }) {
  const say = useDecisionsWords()
  const done = useDoneWords()
  const { data: me } = useMe()
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const withdraw = useChange(
    ['decisions'],
    () => api.decisions.withdraw(id, reason.trim() === '' ? {} : { reason: reason.trim() }),
    { told: () => done('withdrawn') },
  )
  if (waiting === null || actor.type !== 'human' || actor.id !== me?.actorId) return null
  return (
    <>
      <button type="button" className="btn plain low" onClick={() => setAsking(true)}>
        {say('withdraw')}
      </button>
      {asking && (
        <Confirm
          title={say('withdrawTitle')}
          action={say('withdraw')}
          onConfirm={() => withdraw.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <p>{say('withdrawText')}</p>
          <Field
            label={say('withdrawReason')}
            maxLength={1000}
            data-field="reason"
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Confirm>
      )}
    </>
  )
}
