/** An emergency approval after the seal: how it stands, who confirmed it, and what the person who looks can do about it. */
import type { Decision } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { queries, useMe } from '../../app/queries.ts'
import type { Stopped } from '../../decision/decide.ts'
import { confirmsWithPasskey, nameOf, visible } from '../../decision/read.ts'
import { timeText } from '../clock.ts'
import { Confirm } from '../confirm.tsx'
import { Part } from '../desk.tsx'
import { useDoneWords } from '../done-words.ts'
import { Field } from '../field.tsx'
import { Time } from '../time.tsx'
import { confirm } from './decide.ts'
import { Said } from './parts.tsx'
import { StopText } from './stop-text.tsx'
import { useDecisionWords } from './words.ts'

type Emergency = NonNullable<Decision['emergency']>

export function EmergencyPart({ decision }: { readonly decision: Decision }) {
  const say = useDecisionWords()
  const language = useLanguage()
  const { emergency } = decision
  if (emergency === null) return null
  const used = emergency.approvals.flatMap((at) => decision.approvals[at] ?? [])
  const { state, confirmations, closedAt, closeReason } = emergency
  const time = timeText(emergency.confirmBy, language, 'long')
  return (
    <Part title={say('emergencyTitle')}>
      {used.map((given) => (
        <p key={given.approvalId}>
          {say('emergencyBy', { name: nameOf(given) })}{' '}
          {given.reason && <Said>{say('emergencyWhy', { reason: given.reason })}</Said>}
        </p>
      ))}
      <p
        className={`measure ${{ open: 'waiting', confirmed: 'verified', objected: 'broken', unconfirmed: 'broken' }[state]}`}
      >
        {say(`state${state}`, { time })}
      </p>
      <ul className="given">
        {confirmations.map(({ by, name, result, reason, at }) => (
          <li key={`${by} ${at}`}>
            <p>
              <b>{say(result === 'confirmed' ? 'didConfirm' : 'didObject', { name: visible(name || by) })}</b>{' '}
              <span className="soft small">
                <Time at={at} />
              </span>
            </p>
            {reason && (
              <p>
                <Said>{reason}</Said>
              </p>
            )}
          </li>
        ))}
      </ul>
      {closedAt !== null && (
        <p className="soft">
          <Said>
            {say('closedEmergency', { time: timeText(closedAt, language, 'long'), reason: closeReason ?? '' })}
          </Said>
        </p>
      )}
      <ConfirmHere decision={decision} emergency={emergency} />
      {emergency.mayClose && <CloseHere id={decision.id} name={used.map(nameOf).join(', ')} />}
    </Part>
  )
}

type Fault = Pick<Stopped, 'obstacle' | 'turn'> | 'needObjection'

function ConfirmHere({ decision, emergency }: { readonly decision: Decision; readonly emergency: Emergency }) {
  const say = useDecisionWords()
  const { data: me } = useMe()
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<Fault | null>(null)
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState<'confirmedNow' | 'objectedNow' | null>(null)
  const { mayConfirm, mayObject } = emergency
  const send = async (result: 'confirmed' | 'objected') => {
    const said = reason.trim()
    if (result === 'objected' && said === '') return setFault('needObjection')
    setBusy(true)
    setFault(null)
    const outcome = await confirm(decision, me?.actorId ?? '', { result, ...(said && { reason: said }) })
    setBusy(false)
    if (outcome.kind === 'obstacle') setFault(outcome)
    if (outcome.kind === 'confirmed') setDone(result === 'confirmed' ? 'confirmedNow' : 'objectedNow')
    void queries.invalidateQueries({ queryKey: ['decisions', decision.id] })
    void queries.invalidateQueries({ queryKey: ['inbox'] })
  }
  if (!me || (!mayConfirm && !mayObject)) return done && <p role="status">{say(done)}</p>
  return (
    <div className="confirm-here">
      {mayConfirm && <p className="measure">{say('confirmAsk')}</p>}
      <p role="alert" className="fault">
        {fault && (fault === 'needObjection' ? say('needObjection') : <StopText stopped={fault} />)}
      </p>
      <textarea
        className="field"
        rows={2}
        maxLength={10_000}
        aria-label={say('opinion')}
        placeholder={say('confirmHint')}
        aria-invalid={fault === 'needObjection' ? true : undefined}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <p className="confirm-verbs">
        {mayObject && (
          <button type="button" className="btn plain" disabled={busy} onClick={() => void send('objected')}>
            {say('object')}
          </button>
        )}
        {mayConfirm && (
          <button type="button" className="btn first" disabled={busy} onClick={() => void send('confirmed')}>
            {busy ? say('sealing') : say(confirmsWithPasskey(decision, me.actorId) ? 'confirmPasskey' : 'confirm')}
          </button>
        )}
      </p>
    </div>
  )
}

function CloseHere({ id, name }: { readonly id: string; readonly name: string }) {
  const say = useDecisionWords()
  const done = useDoneWords()
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const close = useChange(['decisions'], () => api.decisions.closeEmergency(id, { reason: reason.trim() }), {
    told: () => done('emergencyClosed'),
  })
  return (
    <>
      <p>
        <button type="button" className="btn plain low" onClick={() => setAsking(true)}>
          {say('closeEmergency')}
        </button>
      </p>
      {asking && (
        <Confirm
          title={say('closeEmergencyTitle')}
          action={say('closeEmergency')}
          onConfirm={() => close.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <p>{say('closeEmergencyText', { name })}</p>
          <Field
            label={say('closeEmergencyReason')}
            required
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Confirm>
      )}
    </>
  )
}
