/** Searches under a name: a click brings one back. The own ones come after those that the center's staff shares. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useRoles } from '../../app/role.ts'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { type DecisionsSearch, type Filters, sentFilters } from './search.ts'
import { type View, viewsQuery } from './views-data.ts'
import { useDecisionsWords } from './words.ts'

const mostViews = 50
const longestName = 80

interface Properties {
  readonly center: string
  readonly filters: Filters
  onSearch(search: DecisionsSearch): void
}

/** The same search, in whatever order its filters were given. */
const textOf = (filters: Filters) => JSON.stringify(Object.entries(filters).toSorted())

const put = ({ name, filters, isShared }: Omit<View, 'id'>) =>
  api.views.put({ name, filters: sentFilters(filters), shared: isShared })

export function SavedViews({ center, filters, onSearch }: Properties) {
  const say = useDecisionsWords()
  const done = useDoneWords()
  const isAdmin = useRoles(center).includes('ADMIN')
  const [naming, setNaming] = useState(false)
  const found = useQuery(viewsQuery(center))
  const remove = useChange<View>(['views'], ({ id }) => api.views.delete(id), {
    told: (_, { name }) => done('viewRemoved', { name }),
    undo: (_, view) => () => put(view),
  })
  const share = useChange<View, { id: string }>(['views'], (view) => put({ ...view, isShared: true }), {
    told: (_, { name }) => done('viewShared', { name }),
    undo:
      ({ id }, view) =>
      async () => {
        await api.views.delete(id)
        await put(view)
      },
  })
  const views = found.data
  // A list that can't be read now is no reason to hide the decisions.
  if (!views) return null
  const now = textOf(filters)
  const current = views.filter((view) => textOf(view.filters) === now)
  const own = views.filter(({ isShared }) => !isShared)
  const canKeep = now !== '[]' && current.length === 0 && own.length < mostViews
  const shareable = isAdmin
    ? current.find(({ isShared }) => !isShared && !current.some((each) => each.isShared))
    : undefined
  if (views.length === 0 && !canKeep) return null
  return (
    <div className="decisions-views">
      {views.map((view) => (
        <span key={view.id} className="decisions-view">
          <button
            type="button"
            className="quiet"
            aria-pressed={current.includes(view)}
            onClick={() => onSearch(view.filters)}
          >
            {view.name}
          </button>
          {view.isShared && <small className="soft">{say('sharedView')}</small>}
          {(isAdmin || !view.isShared) && (
            <button
              type="button"
              className="quiet"
              aria-label={say('deleteView', { name: view.name })}
              disabled={remove.isPending}
              onClick={() => remove.mutate(view)}
            >
              ×
            </button>
          )}
        </span>
      ))}
      {shareable && (
        <button type="button" className="quiet" disabled={share.isPending} onClick={() => share.mutate(shareable)}>
          {say('shareView', { name: shareable.name })}
        </button>
      )}
      {canKeep && !naming && (
        <button type="button" className="quiet" onClick={() => setNaming(true)}>
          {say('keepView')}
        </button>
      )}
      {canKeep && naming && <NameForm {...{ filters, isAdmin, onDone: () => setNaming(false) }} views={views} />}
      <ErrorLine error={remove.error ?? share.error} />
    </div>
  )
}

interface NameProperties {
  readonly filters: Filters
  readonly views: readonly View[]
  readonly isAdmin: boolean
  onDone(): void
}

function NameForm({ filters, views, isAdmin, onDone }: NameProperties) {
  const say = useDecisionsWords()
  const done = useDoneWords()
  const id = useId()
  const save = useChange<Omit<View, 'id'>, { id: string }>(['views'], put, {
    told: (_, { name }) => done('saved', { name }),
    // A name that was used before has its earlier filters again.
    undo: (saved) => {
      const before = views.find((each) => each.id === saved.id)
      return () => (before ? put(before) : api.views.delete(saved.id))
    },
    onDone,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const name = String(given.get('name')).trim()
    if (name) save.mutate({ name, filters, isShared: given.has('shared') })
  }
  return (
    <form onSubmit={submit}>
      <label className="unseen" htmlFor={id}>
        {say('viewName')}
      </label>
      <input
        id={id}
        className="field"
        name="name"
        maxLength={longestName}
        placeholder={say('viewName')}
        ref={(field) => field?.focus()}
        required
      />
      {isAdmin && (
        <label className="small">
          <input type="checkbox" name="shared" /> {say('shareWithStaff')}
        </label>
      )}
      <button type="submit" className="btn low" disabled={save.isPending}>
        {say('keep')}
      </button>
      <ErrorLine error={save.error} />
    </form>
  )
}
