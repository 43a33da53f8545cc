/** What a partner does for a center in which no other administrator may: confirm a role, and close an emergency approval. */
import type { Eligibility, Member, PartnerCenter } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Field } from '../../ui/field.tsx'
import { usePartnerWords } from './words.ts'

const maxReason = 500

/** Only what approves has a role that counts. */
export const canBeConfirmed = ({ status, role }: Pick<Member, 'status' | 'role'>): boolean =>
  status === 'ACTIVE' && (role === 'ADMIN' || role === 'INSTRUCTOR')

type Confirmed = Pick<Member, 'id' | 'centerId' | 'name' | 'centerName' | 'role'>

export function ConfirmRole({ member: { id, centerId, name, centerName, role } }: { readonly member: Confirmed }) {
  const say = usePartnerWords()
  const done = useDoneWords()
  const [asking, setAsking] = useState(false)
  const confirm = useChange<void, Eligibility>(
    ['members', 'centers'],
    () => api.partner.confirmMembership(centerId, id),
    {
      told: () => done('roleConfirmed'),
    },
  )
  return (
    <>
      <button
        type="button"
        className="btn plain low"
        aria-label={say('confirmRoleOf', { name })}
        onClick={() => setAsking(true)}
      >
        {say('confirmRole')}
      </button>
      {asking && (
        <Confirm
          title={say('confirmRoleOf', { name })}
          action={say('confirmRole')}
          onConfirm={() => confirm.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <p>
            {centerName} · {say(`role${role}`)}
          </p>
          <p>{say('confirmRoleText')}</p>
        </Confirm>
      )}
    </>
  )
}

/** In the address of a decision, or by itself. */
export const eventIn = (typed: string): string | undefined => /\bevt_[0-9a-z]+\b/i.exec(typed)?.[0].toLowerCase()

interface EmergencyProperties {
  readonly center: Pick<PartnerCenter, 'id' | 'name'>
  /** The decision, where it is known. */
  readonly event?: string
}

export function CloseEmergency({ center, event = '' }: EmergencyProperties) {
  const { id, name } = center
  const say = usePartnerWords()
  const done = useDoneWords()
  const [asking, setAsking] = useState(false)
  const [decision, setDecision] = useState(event)
  const [reason, setReason] = useState('')
  const eventId = eventIn(decision)
  const close = useChange(['centers'], () => api.partner.closeEmergency(id, eventId ?? '', { reason: reason.trim() }), {
    told: () => done('emergencyClosed'),
    onDone() {
      setDecision(event)
      setReason('')
    },
  })
  const missing = eventId === undefined ? say('needDecision') : reason.trim() === '' ? say('needReason') : undefined
  return (
    <>
      <button
        type="button"
        className={event ? 'btn plain low' : 'btn plain'}
        aria-label={event ? say('closeEmergencyIn', { name }) : undefined}
        onClick={() => setAsking(true)}
      >
        {say('closeEmergency')}
      </button>
      {asking && (
        <Confirm
          title={say('closeEmergencyIn', { name })}
          action={say('closeEmergency')}
          missing={missing}
          onConfirm={() => close.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          <p>{say('closeEmergencyText')}</p>
          <Field
            label={say('decision')}
            hint={say('decisionHint')}
            value={decision}
            onChange={({ target }) => setDecision(target.value)}
          />
          <Field
            label={say('closeReason')}
            maxLength={maxReason}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </Confirm>
      )}
    </>
  )
}

/** In a center's sheet, where the partner knows the decision by its address. */
export function Emergencies({ center }: { readonly center: PartnerCenter }) {
  const say = usePartnerWords()
  return (
    <Part title={say('emergencies')}>
      <p className="soft">{say('emergenciesText')}</p>
      <CloseEmergency center={center} />
    </Part>
  )
}
