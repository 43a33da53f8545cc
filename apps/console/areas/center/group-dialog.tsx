/** Makes a group, or changes its name and people. */
import type { ListedGroup } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useCenterWords } from './words.ts'

interface Properties {
  readonly center: string
  /** Absent for a new one. */
  readonly group?: ListedGroup
  readonly onClose: () => void
}

const approvers = ['ADMIN', 'INSTRUCTOR'] as const

/** The members who may be in a group: as many as one page has, so a large center searches. */
const useApprovers = (center: string, search: string) =>
  useQuery({
    queryKey: ['members', center, 'approvers', search],
    queryFn: async ({ signal }) => {
      const filters = { limit: 100, page: 1, status: 'ACTIVE', ...(search && { search }) } as const
      const pages = await Promise.all(
        approvers.map((role) => api.members.list(center, { ...filters, role }, { signal })),
      )
      return pages.flatMap(({ data }) =>
        data.flatMap(({ actorId, name, email }) => (actorId === null ? [] : [{ actorId, name, email }])),
      )
    },
  })

export function GroupDialog({ center, group, onClose }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const [name, setName] = useState(group?.name ?? '')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(
    () => new Map(group?.people.map((each) => [each.actorId, each.name])),
  )
  const { data: found, error } = useApprovers(center, useDeferredValue(search))
  const save = useChange(
    ['groups'],
    () => {
      const body = { name, actorIds: [...chosen.keys()] }
      return group ? api.groups.update(center, group.id, body) : api.groups.create(center, body)
    },
    {
      told: () => done('saved', { name }),
      undo: ({ id }) => {
        const before = group && { name: group.name, actorIds: group.people.map(({ actorId }) => actorId) }
        return () => (before ? api.groups.update(center, id, before) : api.groups.end(center, id))
      },
      onDone: onClose,
    },
  )
  const toggle = (actorId: string, text: string) =>
    setChosen((now) => {
      const next = new Map(now)
      if (!next.delete(actorId)) next.set(actorId, text)
      return next
    })
  // Whoever is chosen stays in sight, whatever is searched, and nobody moves while they are ticked.
  const kept = [...chosen].map(([actorId, text]) => ({ actorId, name: text, email: '' }))
  const before = (group?.people ?? []).map((person) => ({ ...person, email: '' }))
  const all = [...before, ...(found ?? []), ...kept]
  const listed = all.filter(({ actorId }, at) => all.findIndex((each) => each.actorId === actorId) === at)
  return (
    <Dialog
      title={say(group ? 'editGroup' : 'addGroup')}
      onClose={onClose}
      closing={say('close')}
      action={{
        text: say(group ? 'saveGroup' : 'addGroup'),
        disabled: save.isPending || chosen.size === 0,
        run: () => save.mutate(),
      }}
    >
      <div className="center-form">
        <Field
          label={say('groupName')}
          required
          maxLength={60}
          data-field="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Field
          label={say('searchMembers')}
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        {error && <ErrorPanel error={error} />}
        {!found && !error && <Skeleton rows={3} />}
        <fieldset className="choices center-choices">
          <legend className="label">{say('groupPeople')}</legend>
          {listed.map((person) => (
            <label key={person.actorId}>
              <input
                type="checkbox"
                checked={chosen.has(person.actorId)}
                onChange={() => toggle(person.actorId, person.name)}
              />
              <span>
                {person.name || say('personGone')}
                {person.email && <small>{person.email}</small>}
              </span>
            </label>
          ))}
        </fieldset>
        <ErrorLine error={save.error} />
      </div>
    </Dialog>
  )
}
