/** Lets the requester withdraw a decision while it waits. */
import type { Decision } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { queries, useMe } from '../../app/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Field } from '../../ui/field.tsx'
import { useDecisionsWords } from './words.ts'

export function Withdraw({ decision: { id, actor, waiting } }: { readonly decision: Decision }) {
  const say = useDecisionsWords()
  const { data: me } = useMe()
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  if (waiting === null || actor.type !== 'human' || actor.id !== me?.actorId) return null
  const withdraw = async () => {
    const said = reason.trim()
    await api.decisions.withdraw(id, said === '' ? {} : { reason: said })
    await queries.invalidateQueries({ queryKey: ['decisions'] })
  }
  return (
    <>
      <button type="button" className="btn plain low" onClick={() => setAsking(true)}>
        {say('withdraw')}
      </button>
      {asking && (
        <Confirm
          title={say('withdrawTitle')}
          action={say('withdraw')}
          onConfirm={withdraw}
          onClose={() => setAsking(false)}
        >
          <p>{say('withdrawText')}</p>
          <Field
            label={say('withdrawReason')}
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Confirm>
      )}
    </>
  )
}
