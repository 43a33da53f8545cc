/** What stands out, with the way to its plots. */
import type { OversightPeriod } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Attention, attentionOf } from './attention.ts'
import { groupsQuery } from './data.ts'
import { useGroupName } from './groups.tsx'
import { useOversightWords } from './words.ts'

export function AttentionList({ center, period }: { readonly center: string; readonly period: OversightPeriod }) {
  const say = useOversightWords()
  const policies = useQuery(groupsQuery(center, period, 'policy'))
  const people = useQuery(groupsQuery(center, period, 'person'))
  const found = attentionOf(policies.data?.groups ?? [], people.data?.groups ?? [])
  if (found.length === 0) return null
  return (
    <section aria-label={say('toCheck')}>
      <p className="oversight-group small soft">{say('toCheck')}</p>
      <ul className="plain-list">
        {found.map((each) => (
          <Row key={`${each.why} ${each.group.id}`} center={center} attention={each} />
        ))}
      </ul>
    </section>
  )
}

function Row({ center, attention }: { readonly center: string; readonly attention: Attention }) {
  const say = useOversightWords()
  const { by, group, why, count, of } = attention
  const name = useGroupName(by)(group)
  return (
    <li>
      <Link
        to="/c/$center/oversight"
        params={{ center }}
        search={(kept) => ({ ...kept, by, id: group.id })}
        className="oversight-check"
      >
        <b>{say(`check${why}`, { name })}</b>
        <span className="small soft">{say(`why${why}`, { count, of })}</span>
      </Link>
    </li>
  )
}
