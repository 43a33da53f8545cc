/** Makes a group, or changes its name and people. */
import type { ListedGroup } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Dialog } from '../../ui/dialog.tsx'
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
  const form = useId()
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
    onClose,
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
  const actions = (
    <>
      <button type="button" className="btn plain" onClick={onClose}>
        {say('close')}
      </button>
      <button type="submit" form={form} className="btn first" disabled={save.isPending || chosen.size === 0}>
        {say(group ? 'saveGroup' : 'addGroup')}
      </button>
    </>
  )
  return (
    <Dialog title={say(group ? 'editGroup' : 'addGroup')} onClose={onClose} actions={actions}>
      <form
        id={form}
        className="center-form"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field
          label={say('groupName')}
          required
          maxLength={60}
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
      </form>
    </Dialog>
  )
}
