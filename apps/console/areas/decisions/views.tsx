/** Named searches, kept in this browser for each center: a click brings one back, and each can be deleted. */
import { useId, useState } from 'react'
import { keep, kept } from '../../app/kept.ts'
import { type DecisionsSearch, type Filters, searchOf } from './search.ts'
import { useDecisionsWords } from './words.ts'

interface View {
  readonly name: string
  readonly filters: Filters
}

const maxViews = 20
const keyOf = (center: string) => `countersign-views:${center}`

/** What another version kept, or a person changed, is read as an address would be. */
function viewsOf(center: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(kept(keyOf(center)) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.slice(0, maxViews).map(({ name, filters }) => ({ name: String(name), filters: searchOf(filters) }))
  } catch {
    return []
  }
}

interface Properties {
  readonly center: string
  readonly filters: Filters
  onSearch(search: DecisionsSearch): void
}

export function SavedViews({ center, filters, onSearch }: Properties) {
  const say = useDecisionsWords()
  const id = useId()
  const [views, setViews] = useState(() => viewsOf(center))
  const [naming, setNaming] = useState(false)
  const put = (next: readonly View[]) => {
    keep(keyOf(center), next.length === 0 ? null : JSON.stringify(next))
    setViews(next)
  }
  const now = JSON.stringify(filters)
  const isKept = views.some((view) => JSON.stringify(view.filters) === now)
  const canKeep = now !== '{}' && !isKept && views.length < maxViews
  if (views.length === 0 && !canKeep) return null
  return (
    <div className="decisions-views">
      {views.map((view) => (
        <span key={view.name} className="decisions-view">
          <button
            type="button"
            className="quiet"
            aria-pressed={JSON.stringify(view.filters) === now}
            onClick={() => onSearch(view.filters)}
          >
            {view.name}
          </button>
          <button
            type="button"
            className="quiet"
            aria-label={say('deleteView', { name: view.name })}
            onClick={() => put(views.filter((each) => each !== view))}
          >
            ×
          </button>
        </span>
      ))}
      {canKeep && !naming && (
        <button type="button" className="quiet" onClick={() => setNaming(true)}>
          {say('keepView')}
        </button>
      )}
      {canKeep && naming && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name')).trim()
            if (!name) return
            put([...views.filter((each) => each.name !== name), { name, filters }])
            setNaming(false)
          }}
        >
          <label className="unseen" htmlFor={id}>
            {say('viewName')}
          </label>
          <input
            id={id}
            className="field"
            name="name"
            maxLength={40}
            placeholder={say('viewName')}
            ref={(field) => field?.focus()}
            required
          />
          <button type="submit" className="btn low">
            {say('keep')}
          </button>
        </form>
      )}
    </div>
  )
}
