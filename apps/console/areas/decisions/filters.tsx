/** The filters that are used less often, behind one word. */
import type { FormEvent } from 'react'
import { type DecisionsSearch, eventTypes, type Filters, searchOf } from './search.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly filters: Filters
  onSearch(search: DecisionsSearch): void
}

const fields = [
  ['tag', 'text'],
  ['actorId', 'text'],
  ['from', 'date'],
  ['to', 'date'],
] as const

export function FilterForm({ filters, onSearch }: Properties) {
  const say = useDecisionsWords()
  const count = (['type', 'tag', 'actorId', 'from', 'to'] as const).filter((name) => filters[name]).length
  const { status, waiting, decisionId } = filters
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch(searchOf({ status, waiting, decisionId, ...Object.fromEntries(new FormData(event.currentTarget)) }))
  }
  return (
    <details className="decisions-filters" open={count > 0 || undefined}>
      <summary className="quiet">{count > 0 ? say('filtersOn', { count }) : say('filters')}</summary>
      <form onSubmit={apply} key={JSON.stringify(filters)}>
        <label className="labeled">
          <span className="label">{say('type')}</span>
          <select className="field" name="type" defaultValue={filters.type ?? ''}>
            <option value="">{say('anyType')}</option>
            {eventTypes.map((type) => (
              <option key={type} value={type}>
                {say(`type${type}`)}
              </option>
            ))}
          </select>
        </label>
        {fields.map(([name, type]) => (
          <label key={name} className="labeled">
            <span className="label">{say(name)}</span>
            <input className="field" name={name} type={type} defaultValue={filters[name] ?? ''} />
          </label>
        ))}
        <div className="decisions-apply">
          <button type="button" className="btn plain low" onClick={() => onSearch({})}>
            {say('clear')}
          </button>
          <button type="submit" className="btn low">
            {say('apply')}
          </button>
        </div>
      </form>
    </details>
  )
}
