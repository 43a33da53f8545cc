/** The events that webhooks send, with their schemas and examples. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { Part } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DevPage } from './dev-desk.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/c/$center/developers/events')

export const useEventTypes = () =>
  useQuery({
    queryKey: ['event-types'],
    queryFn: ({ signal }) => api.webhooks.listEventTypes({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export function EventsPage() {
  const say = useDeveloperWords()
  const { type } = route.useSearch()
  const { data, error, refetch } = useEventTypes()
  const chosen = data?.find((each) => each.type === type) ?? data?.[0]
  return (
    <DevPage here="events" title={say('events')} lede={say('eventsLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      <ul className="dev-types">
        {data?.map((each) => (
          <li key={each.type}>
            <Link to="." search={{ type: each.type }} aria-current={each === chosen ? 'true' : undefined}>
              <code className="mono">{each.type}</code>
              <span className="soft small">{each.description}</span>
            </Link>
          </li>
        ))}
      </ul>
      {chosen && (
        <>
          <Part title={say('example')} aside={chosen.type}>
            <JsonView value={chosen.example} label={say('example')} />
          </Part>
          <Part title={say('schema')} aside={chosen.type}>
            <JsonView value={chosen.schema} label={say('schema')} />
          </Part>
        </>
      )}
    </DevPage>
  )
}
