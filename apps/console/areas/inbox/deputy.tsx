/** Names a deputy, who approves in place of the person for a time. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { staffQuery } from '../../app/staff.ts'
import { timeText } from '../../ui/clock.ts'
import { addDays, startOf, today } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { useUiWords } from '../../ui/words.ts'
import { useInboxWords } from './words.ts'

export function DeputyDialog({ center, onClose }: { readonly center: string; onClose(): void }) {
  const say = useInboxWords()
  const ui = useUiWords()
  const language = useLanguage()
  const { data: me } = useMe()
  const isAdmin = me?.memberships.find(({ centerDomain }) => centerDomain === center)?.role === 'ADMIN'
  const staff = useQuery(staffQuery(center, isAdmin))
  const people = (staff.data ?? []).filter(({ actorId }) => actorId !== me?.actorId)
  const [actorId, setActorId] = useState('')
  const [from, setFrom] = useState(today())
  const [until, setUntil] = useState(addDays(today(), 7))
  const chosen = actorId || people[0]?.actorId || ''
  const hand = useMutation({
    mutationFn: () => api.decisions.setDeputy({ actorId: chosen, from: startOf(from), until: startOf(until) }),
  })
  const done = hand.data
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={onClose}>
        {ui('close')}
      </button>
      {!done && (
        <button
          type="button"
          className="btn first"
          disabled={hand.isPending || chosen === ''}
          onClick={() => hand.mutate()}
        >
          {say('deputySet')}
        </button>
      )}
    </>
  )
  const dayText = (at: string) => timeText(at, language, 'day')
  return (
    <Dialog title={say('deputyTitle')} onClose={onClose} actions={actions}>
      {done ? (
        <p role="status">
          {say('deputyDone', { name: done.name, from: dayText(done.from), until: dayText(done.until) })}
        </p>
      ) : people.length === 0 && !staff.isPending ? (
        <p>{say('deputyNone')}</p>
      ) : (
        <div className="inbox-deputy">
          <label className="labeled">
            <span className="label">{say('deputyWho')}</span>
            <select className="field" value={chosen} onChange={(event) => setActorId(event.target.value)}>
              {people.map((person) => (
                <option key={person.actorId} value={person.actorId}>
                  {person.name}
                </option>
              ))}
            </select>
          </label>
          <Field label={say('deputyFrom')} type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
          <Field
            label={say('deputyUntil')}
            type="date"
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </div>
      )}
      <ErrorLine error={hand.error ?? staff.error} />
    </Dialog>
  )
}
