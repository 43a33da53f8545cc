/** Signing in, and the pages between signing in and a center. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { startOf } from '../../app/centers.ts'
import { safeNext } from '../../app/next.ts'
import { centerRoute, rootRoute } from '../../app/roots.tsx'
import { knownSession } from '../../app/session.ts'

const below = { getParentRoute: () => rootRoute } as const

const start = createRoute({
  ...below,
  path: '/',
  beforeLoad: async () => {
    const session = await knownSession()
    throw redirect({ href: session ? startOf(session) : '/login', replace: true })
  },
})

const login = createRoute({
  ...below,
  path: '/login',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = safeNext(search.next)
    return next ? { next } : {}
  },
  component: lazyRouteComponent(() => import('./login-page.tsx'), 'LoginPage'),
})

const signedIn = async () => {
  if ((await knownSession()) === null) throw redirect({ href: '/login', replace: true })
}

const choose = createRoute({
  ...below,
  path: '/choose',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./choose-page.tsx'), 'ChoosePage'),
})

const waiting = createRoute({
  ...below,
  path: '/waiting',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./standing-pages.tsx'), 'WaitingPage'),
})

const onboarding = createRoute({
  ...below,
  path: '/onboarding',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./standing-pages.tsx'), 'OnboardingPage'),
})

export const routes = [start, login, choose, waiting, onboarding] as const

const home = createRoute({
  getParentRoute: () => centerRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const centerRoutes = [home] as const
