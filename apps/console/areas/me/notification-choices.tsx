/** Which messages the person gets, by which channels, and when. What cannot be turned off is shown as such. */

import type { NotificationSettings } from '@countersign/sdk'
import en from '@countersign/words/en/messages.json' with { type: 'json' }
import ko from '@countersign/words/ko/messages.json' with { type: 'json' }
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { catalog } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { SaveLine } from '../../ui/save-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { groupsFor } from './message-groups.ts'
import { useMeWords } from './words.ts'

const useLabels = catalog(ko, en)
const key = ['notifications']
type Group = NotificationSettings['groups'][number]
type Switch = 'mail' | 'push' | 'text' | 'digest'
const switches: readonly Switch[] = ['mail', 'push', 'text', 'digest']

export function NotificationChoices() {
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.notifications.get({ signal }),
  })
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return data ? <Form stored={data} /> : <Skeleton rows={6} />
}

function Form({ stored }: { readonly stored: NotificationSettings }) {
  const say = useMeWords()
  const { data: me } = useMe()
  const isShown = groupsFor(me)
  // Saved as a whole: also what isn't shown.
  const [groups, setGroups] = useState<readonly Group[]>(stored.groups)
  const [isQuiet, setQuiet] = useState(stored.quietHours !== null)
  const [hours, setHours] = useState(stored.quietHours ?? { from: '22:00', until: '07:00' })
  const save = useChange(
    key,
    () =>
      api.notifications.put({
        groups: groups.map(({ group, mail, push, text, digest }) => ({ group, mail, push, text, digest })),
        quietHours: isQuiet ? hours : null,
        timeZone: stored.timeZone,
      }),
    { told: 'shown' },
  )
  const turn = (group: Group['group'], name: Switch, to: boolean) =>
    setGroups(groups.map((each) => (each.group === group ? { ...each, [name]: to } : each)))
  return (
    <form
      className="me-choices"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save.mutate(undefined)
      }}
    >
      <p className="soft">{say('choicesLede')}</p>
      {groups
        .filter(({ group }) => isShown(group))
        .map((each) => (
          <GroupChoices key={each.group} group={each} turn={turn} />
        ))}
      <fieldset>
        <legend className="label">{say('quiet')}</legend>
        <label className="me-switch">
          <input type="checkbox" checked={isQuiet} onChange={({ target }) => setQuiet(target.checked)} />
          {say('quietOn')}
        </label>
        {isQuiet && (
          <div className="me-hours">
            <Field
              label={say('quietFrom')}
              type="time"
              required
              value={hours.from}
              onChange={({ target }) => setHours({ ...hours, from: target.value })}
            />
            <Field
              label={say('quietUntil')}
              type="time"
              required
              value={hours.until}
              onChange={({ target }) => setHours({ ...hours, until: target.value })}
            />
          </div>
        )}
        <p className="soft small">{say('quietHint')}</p>
      </fieldset>
      <SaveLine save={save} />
    </form>
  )
}

interface GroupProperties {
  readonly group: Group
  readonly turn: (group: Group['group'], name: Switch, to: boolean) => void
}

function GroupChoices({ group: own, turn }: GroupProperties) {
  const say = useMeWords()
  const label = useLabels()
  const { group, events, offers, fixed } = own
  const isFixed = (name: Switch) => (fixed as readonly string[]).includes(name)
  return (
    <fieldset>
      <legend className="label">{label(`group.${group}`)}</legend>
      <p className="soft small">{events.map((event) => label(`event.${event}`)).join(', ')}</p>
      <div className="me-channels">
        {switches
          .filter((name) => offers.includes(name))
          .map((name) => (
            <label key={name} className="me-switch">
              <input
                type="checkbox"
                checked={own[name]}
                disabled={isFixed(name)}
                onChange={({ target }) => turn(group, name, target.checked)}
              />
              {name === 'digest' ? say('digest') : label(`channel.${name}`)}
              {isFixed(name) && <span className="soft small"> {say('always')}</span>}
            </label>
          ))}
      </div>
    </fieldset>
  )
}
