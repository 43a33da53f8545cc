/** The filters that are used less often, behind one word. */
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useRoles } from '../../app/role.ts'
import { staffQuery } from '../../app/staff.ts'
import { policyNamesQuery } from './data.ts'
import { type DecisionsSearch, eventTypes, type Filters, searchOf } from './search.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly filters: Filters
  onSearch(search: DecisionsSearch): void
}

const fields = [
  ['tag', 'text'],
  ['actorId', 'text'],
  ['minAmount', 'text'],
  ['maxAmount', 'text'],
  ['from', 'date'],
  ['to', 'date'],
] as const

interface ChoiceProperties {
  readonly name: string
  readonly label: string
  readonly any: string
  readonly value: string | undefined
  readonly children: readonly (readonly [id: string, name: string])[]
}

const Choice = ({ name, label, any, value, children }: ChoiceProperties) => (
  <label className="labeled">
    <span className="label">{label}</span>
    {/* Again once the names are there, so that the one of the address is chosen. */}
    <select className="field" name={name} defaultValue={value ?? ''} key={children.length}>
      <option value="">{any}</option>
      {children.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

export function FilterForm({ center, filters, onSearch }: Properties) {
  const say = useDecisionsWords()
  const count = (
    ['type', 'personId', 'policyId', 'tag', 'actorId', 'minAmount', 'maxAmount', 'from', 'to'] as const
  ).filter((name) => filters[name] !== undefined).length
  const { status, waiting, q } = filters
  const isAdmin = useRoles(center).includes('ADMIN')
  const people = useQuery(staffQuery(center, isAdmin)).data ?? []
  const policies = [...(useQuery({ ...policyNamesQuery(center), enabled: isAdmin }).data ?? [])]
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSearch(searchOf({ status, waiting, q, ...Object.fromEntries(new FormData(event.currentTarget)) }))
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
        <Choice name="personId" label={say('person')} any={say('anyPerson')} value={filters.personId}>
          {people.map(({ actorId, name }) => [actorId, name] as const)}
        </Choice>
        {policies.length > 0 && (
          <Choice name="policyId" label={say('policy')} any={say('anyPolicy')} value={filters.policyId}>
            {policies}
          </Choice>
        )}
        {fields.map(([name, type]) => (
          <label key={name} className="labeled">
            <span className="label">{say(name)}</span>
            <input
              className="field"
              name={name}
              type={type}
              inputMode={name === 'minAmount' || name === 'maxAmount' ? 'numeric' : undefined}
              defaultValue={filters[name] ?? ''}
            />
          </label>
        ))}
        <div className="decisions-apply">
          <button type="button" className="btn plain low" onClick={() => onSearch(searchOf({ q }))}>
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
