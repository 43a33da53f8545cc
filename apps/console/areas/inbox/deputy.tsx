/** Names a deputy, who approves in place of the person for a time. */
import type { Deputies } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
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

interface Properties {
  readonly center: string
  /** Whom the person had named until now. */
  readonly before: Pick<Deputies['deputyFor'][number], 'actorId' | 'from' | 'until'> | null
  onClose(): void
}

export function DeputyDialog({ center, before, onClose }: Properties) {
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
  const dayText = (at: string) => timeText(at, language, 'day')
  const hand = useChange(
    ['deputy'],
    () => api.decisions.setDeputy({ actorId: chosen, from: startOf(from), until: startOf(until) }),
    {
      told: (set) => say('deputyDone', { name: set.name, from: dayText(set.from), until: dayText(set.until) }),
      undo: () => () => (before ? api.decisions.setDeputy(before) : api.decisions.endDeputy()),
      onDone: onClose,
    },
  )
  return (
    <Dialog
      title={say('deputyTitle')}
      onClose={onClose}
      action={{ text: say('deputySet'), disabled: hand.isPending || chosen === '', run: () => hand.mutate() }}
      closing={ui('close')}
    >
      {people.length === 0 && !staff.isPending ? (
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
          <Field
            label={say('deputyFrom')}
            type="date"
            data-field="from"
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            label={say('deputyUntil')}
            type="date"
            data-field="until"
            value={until}
            onChange={(event) => setUntil(event.target.value)}
          />
        </div>
      )}
      <ErrorLine error={hand.error ?? staff.error} />
    </Dialog>
  )
}
