/** Signs in to a companion application and goes there. The token is used once, so this page leaves nothing to go back to. */
import type { CompanionApp } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../../app/api.ts'
import { appsQuery } from '../../app/queries.ts'
import { useTitle } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useUiWords } from '../../ui/words.ts'

const route = getRouteApi('/c/$center/apps/$app')

export function AppPage() {
  const say = useUiWords()
  const { center, app } = route.useParams()
  const { data: apps, error, refetch } = useQuery(appsQuery(center))
  const found = apps?.find((each) => each.app === app)
  const title = say('appTitle', { app: found ? say(`app${found.app}`) : '' }).trim()
  useTitle(title)
  return (
    <section className="sheet">
      <h1>{title}</h1>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {apps && !found && <p>{say('appNone')}</p>}
      {found && <Leaving to={found} />}
    </section>
  )
}

function Leaving({ to: { app, url } }: { readonly to: CompanionApp }) {
  const say = useUiWords()
  const {
    data: token,
    error,
    refetch,
  } = useQuery({
    queryKey: ['apps', app, 'token'],
    // A token is never taken from what was read before.
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => (await api.auth.createSsoToken({ targetApp: app }, { signal })).token,
  })
  useEffect(() => {
    if (!token) return
    const there = new URL(url)
    there.searchParams.set('sso_token', token)
    location.replace(there)
  }, [token, url])
  if (error) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  return <p role="status">{say('appOpening')}</p>
}
