/** Where addresses begin. An area adds its routes below one of these. */
import { createRootRoute, createRoute, Outlet, redirect } from '@tanstack/react-router'
import { CenterFrame } from '../ui/center-frame.tsx'
import { Shell } from '../ui/shell.tsx'
import { CannotEnter, Faulty, Missing } from '../ui/standing.tsx'
import { enterCenter, learnCenter } from './centers.ts'
import { safeNext } from './next.ts'
import { knownSession, type Session } from './session.ts'
import { showTermsOf } from './terms.ts'

export const rootRoute = createRootRoute({
  // The words of a center end with its pages.
  beforeLoad: ({ location }) => {
    if (!location.pathname.startsWith('/c/')) showTermsOf(null)
  },
  component: Outlet,
  notFoundComponent: Missing,
  errorComponent: ({ error, reset }) => <Faulty error={error} reset={reset} />,
})

async function requireSession({ location }: { location: { href: string } }): Promise<{ session: Session }> {
  const session = await knownSession()
  const next = safeNext(location.href)
  if (session === null) throw redirect({ href: `/login${next ? `?next=${encodeURIComponent(next)}` : ''}` })
  return { session }
}

/** `/c/{center}`: the session has entered this center, or the page says why it cannot. */
export const centerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/c/$center',
  beforeLoad: async ({ location, params }) => {
    const { session } = await requireSession({ location })
    if (session.center?.domain !== params.center) await enterCenter(params.center)
    await learnCenter(params.center)
  },
  component: () => <CenterFrame center={centerRoute.useParams().center} />,
  errorComponent: ({ error, reset }) => (
    <CannotEnter center={centerRoute.useParams().center} error={error} reset={reset} />
  ),
})

export const partnerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/p',
  beforeLoad: requireSession,
  component: () => <Shell place="partner" />,
})

export const meRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/me',
  beforeLoad: requireSession,
  component: () => <Shell place="me" />,
})

export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  beforeLoad: requireSession,
  component: () => <Shell place="operator" />,
})
