/** The filters that are used less often, behind one word. */
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { agentsQuery } from '../../app/agents.ts'
import { useRoles } from '../../app/role.ts'
import { staffQuery } from '../../app/staff.ts'
import { policyNamesQuery } from './data.ts'
import { type DecisionsSearch, eventTypes, type Filters, searchOf } from './search.ts'
import { useDecisionsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly filters: Filters
  /** Where no row of states is beside the form. */
  readonly withState?: boolean
  onSearch(search: DecisionsSearch): void
}

const fields = [
  ['tag', 'text'],
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

/** What a person calls a state, as the filters have it. */
const states = {
  waiting: { waiting: true },
  sealed: { status: 'sealed' },
  rejected: { status: 'rejected' },
} as const

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

export function FilterForm({ center, filters, withState = false, onSearch }: Properties) {
  const say = useDecisionsWords()
  const count =
    (['type', 'personId', 'policyId', 'tag', 'actorId', 'minAmount', 'maxAmount', 'from', 'to'] as const).filter(
      (name) => filters[name] !== undefined,
    ).length + (withState && (filters.waiting || filters.status) ? 1 : 0)
  const { status, waiting, q } = filters
  const state = waiting ? 'waiting' : status
  const isAdmin = useRoles(center).includes('ADMIN')
  const staff = useQuery(staffQuery(center, isAdmin)).data
  const named = useQuery({ ...policyNamesQuery(center), enabled: isAdmin }).data
  const seen = useQuery({ ...agentsQuery(center), enabled: isAdmin }).data?.agents
  const { personId, policyId, actorId } = filters
  // Each list may lack somebody who is still there: it has a hundred members, and for others than administrators no policies.
  const isPersonUnlisted = !!staff && personId !== undefined && !staff.some(({ actorId }) => actorId === personId)
  const isPolicyUnlisted = policyId !== undefined && (isAdmin ? !!named && !named.has(policyId) : true)
  const people: (readonly [string, string])[] = (staff ?? []).map(({ actorId, name }) => [actorId, name])
  if (isPersonUnlisted) people.push([personId, say('otherPerson')])
  const policies: (readonly [string, string])[] = [...(named ?? [])]
  if (isPolicyUnlisted) policies.push([policyId, say('otherPolicy')])
  const agents: (readonly [string, string])[] = (seen ?? []).map(({ id, name }) => [id, name ?? id])
  if (actorId !== undefined && !agents.some(([id]) => id === actorId)) agents.push([actorId, actorId])
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { state: chosen, ...given } = Object.fromEntries(new FormData(event.currentTarget))
    const ofState = withState ? states[chosen as keyof typeof states] : { status, waiting }
    onSearch(searchOf({ ...ofState, q, ...given }))
  }
  return (
    <details className="decisions-filters" open={count > 0 || undefined}>
      <summary className="quiet">{count > 0 ? say('filtersOn', { count }) : say('filters')}</summary>
      {(isPersonUnlisted || (isPolicyUnlisted && isAdmin)) && (
        <p className="small soft" role="status">
          {say('unlisted')}
        </p>
      )}
      <form onSubmit={apply} key={JSON.stringify(filters)}>
        {withState && (
          <Choice name="state" label={say('state')} any={say('all')} value={state}>
            {(['waiting', 'sealed', 'rejected'] as const).map((each) => [each, say(each)] as const)}
          </Choice>
        )}
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
          {people}
        </Choice>
        {policies.length > 0 && (
          <Choice name="policyId" label={say('policy')} any={say('anyPolicy')} value={filters.policyId}>
            {policies}
          </Choice>
        )}
        {/* Only administrators can list the agents; others know the ID or leave it out. */}
        {isAdmin ? (
          <Choice name="actorId" label={say('agent')} any={say('anyAgent')} value={actorId}>
            {agents}
          </Choice>
        ) : (
          <label className="labeled">
            <span className="label">{say('actorId')}</span>
            <input className="field" name="actorId" type="text" defaultValue={actorId ?? ''} />
          </label>
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
