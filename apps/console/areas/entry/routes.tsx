/** Signing in, and the pages between signing in and a center. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { startOf } from '../../app/centers.ts'
import { safeNext } from '../../app/next.ts'
import { centerRoute, rootRoute } from '../../app/roots.tsx'
import { knownSession, type Session } from '../../app/session.ts'
// Reads what a provider sent along before the router does.
import './site.ts'

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
  component: lazyRouteComponent(() => import('./standing-pages.tsx'), 'StandingPage'),
})

const onboarding = createRoute({
  ...below,
  path: '/onboarding',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./standing-pages.tsx'), 'StandingPage'),
})

const another = createRoute({
  ...below,
  path: '/new',
  beforeLoad: signedIn,
  component: lazyRouteComponent(() => import('./new-place-page.tsx'), 'NewPlacePage'),
})

const [asking, invited, mailed, provider] = [
  () => import('./asking-pages.tsx'),
  () => import('./invitation-page.tsx'),
  () => import('./mailed-pages.tsx'),
  () => import('./provider-pages.tsx'),
]

/** Addresses that mails and documents name. */
const links = [
  createRoute({ ...below, path: '/signup', component: lazyRouteComponent(asking, 'SignUpPage') }),
  createRoute({ ...below, path: '/signup/$token', component: lazyRouteComponent(mailed, 'OpenAccountPage') }),
  createRoute({ ...below, path: '/password', component: lazyRouteComponent(asking, 'ForgotPage') }),
  createRoute({ ...below, path: '/password/$token', component: lazyRouteComponent(mailed, 'ResetPage') }),
  createRoute({ ...below, path: '/invitations/$token', component: lazyRouteComponent(invited, 'InvitationPage') }),
  createRoute({ ...below, path: '/account/deleted', component: lazyRouteComponent(mailed, 'DeletedPage') }),
  createRoute({ ...below, path: '/signin', component: lazyRouteComponent(provider, 'ChooseProviderPage') }),
  createRoute({ ...below, path: '/signin/$center', component: lazyRouteComponent(provider, 'CenterSignInPage') }),
  createRoute({
    ...below,
    path: '/signin/callback/$provider',
    component: lazyRouteComponent(provider, 'CallbackPage'),
  }),
  createRoute({ ...below, path: '/signin/link/$token', component: lazyRouteComponent(provider, 'ConfirmLinkPage') }),
  createRoute({ ...below, path: '/signin/return/$code', component: lazyRouteComponent(provider, 'ReturnPage') }),
] as const

/** The account has its place in the console; these addresses are in mails and documents. */
const moved = (path: string, to: (session: Session, query: string) => string) =>
  createRoute({
    ...below,
    path,
    beforeLoad: async ({ location: { searchStr } }) => {
      const session = await knownSession()
      const next = encodeURIComponent(path + searchStr)
      throw redirect({ href: session ? to(session, searchStr) : `/login?next=${next}`, replace: true })
    },
  })
const account = [
  moved('/account', () => '/me'),
  moved('/account/passkeys', () => '/me#passkeys'),
  moved('/account/keys', ({ center }, query) => (center ? `/c/${center.domain}/developers/keys${query}` : '/choose')),
  moved('/account/members', ({ center }) => (center ? `/c/${center.domain}/members?show=passkeys` : '/choose')),
]

export const routes = [start, login, choose, waiting, onboarding, another, ...links, ...account] as const

const home = createRoute({
  getParentRoute: () => centerRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
})

export const centerRoutes = [home] as const
