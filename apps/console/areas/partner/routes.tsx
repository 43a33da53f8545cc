/** Routes below `partnerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { partnerRoute } from '../../app/roots.tsx'
import { auditTypes } from '../../ui/audit/types.ts'

const getParentRoute = () => partnerRoute
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const centers = createRoute({
  getParentRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>) => ({ q: text(search.q), center: text(search.center) }),
  component: lazyRouteComponent(() => import('./centers-page.tsx'), 'CentersPage'),
})
const create = createRoute({
  getParentRoute,
  path: '/new',
  component: lazyRouteComponent(() => import('./new-center-page.tsx'), 'NewCenterPage'),
})
const integrity = createRoute({
  getParentRoute,
  path: '/integrity',
  component: lazyRouteComponent(() => import('./integrity-page.tsx'), 'IntegrityPage'),
})
const members = createRoute({
  getParentRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'PartnerMembersPage'),
})
const people = createRoute({
  getParentRoute,
  path: '/people',
  component: lazyRouteComponent(() => import('./people-page.tsx'), 'PartnerPeoplePage'),
})
const audit = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>) => ({
    who: text(search.who),
    type: auditTypes.find((each) => each === search.type),
    from: text(search.from),
    to: text(search.to),
  }),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'PartnerAuditPage'),
})
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'PartnerSettingsPage'),
})

const passkeys = createRoute({
  getParentRoute,
  path: '/passkeys',
  component: lazyRouteComponent(() => import('./passkeys-page.tsx'), 'PartnerPasskeysPage'),
})

const stop = createRoute({
  getParentRoute,
  path: '/stop',
  validateSearch: (search: Record<string, unknown>): { freeze?: string; center?: string } => {
    const [freeze, center] = [text(search.freeze), text(String(search.center ?? ''))]
    return { ...(freeze && { freeze }), ...(center && { center }) }
  },
  component: lazyRouteComponent(() => import('./stop-page.tsx'), 'PartnerStopPage'),
})

const signIn = createRoute({
  getParentRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'PartnerSignInPage'),
})

export const routes = [centers, create, integrity, members, people, audit, settings, passkeys, stop, signIn] as const

export const navigation: readonly NavigationEntry[] = [
  { place: 'partner', path: '', label: 'navCenters', key: 'c', order: 10 },
  { place: 'partner', path: '/integrity', label: 'navChains', key: 'i', order: 20 },
  { place: 'partner', path: '/members', label: 'navMembers', key: 'u', order: 30 },
  { place: 'partner', path: '/people', label: 'navPeople', key: 'p', order: 32 },
  { place: 'partner', path: '/passkeys', label: 'navPasskeys', roles: ['PARTNER_ADMIN'], key: 'k', order: 35 },
  { place: 'partner', path: '/audit', label: 'navAudit', key: 'a', order: 40 },
  { place: 'partner', path: '/stop', label: 'navStop', key: 'x', order: 45 },
  { place: 'partner', path: '/settings', label: 'navDefaults', order: 50, group: 'more' },
  { place: 'partner', path: '/sign-in', label: 'navProviders', order: 52, group: 'more' },
]
