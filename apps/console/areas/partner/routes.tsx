/** Routes below `partnerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { partnerRoute } from '../../app/roots.tsx'

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
  validateSearch: (search: Record<string, unknown>) => ({ from: text(search.from), to: text(search.to) }),
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

export const routes = [centers, create, integrity, members, people, audit, settings, passkeys] as const

export const navigation: readonly NavigationEntry[] = [
  { place: 'partner', path: '', label: 'navCenters', key: 'c', order: 10 },
  { place: 'partner', path: '/integrity', label: 'navChains', key: 'i', order: 20 },
  { place: 'partner', path: '/members', label: 'navMembers', key: 'u', order: 30 },
  { place: 'partner', path: '/people', label: 'navPeople', key: 'p', order: 32 },
  { place: 'partner', path: '/passkeys', label: 'navPasskeys', roles: ['PARTNER_ADMIN'], key: 'k', order: 35 },
  { place: 'partner', path: '/audit', label: 'navAudit', key: 'a', order: 40 },
  { place: 'partner', path: '/settings', label: 'navDefaults', order: 50, group: 'more' },
]
