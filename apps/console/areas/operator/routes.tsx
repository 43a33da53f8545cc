/** Routes below `operatorRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { operatorRoute } from '../../app/roots.tsx'

const getParentRoute = () => operatorRoute
const text = (value: unknown): string | undefined => {
  const found = typeof value === 'number' ? String(value) : value
  return typeof found === 'string' && found !== '' ? found : undefined
}

interface CenterSearch {
  readonly q?: string | undefined
  readonly status?: string | undefined
  readonly cell?: string | undefined
  readonly partner?: string | undefined
}

const overview = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})
const alarms = createRoute({
  getParentRoute,
  path: '/alarms',
  validateSearch: (search: Record<string, unknown>) => ({ center: text(search.center), chain: text(search.chain) }),
  component: lazyRouteComponent(() => import('./alarms-page.tsx'), 'AlarmsPage'),
})
const centers = createRoute({
  getParentRoute,
  path: '/centers',
  validateSearch: (search: Record<string, unknown>): CenterSearch => ({
    q: text(search.q),
    status: text(search.status),
    cell: text(search.cell),
    partner: text(search.partner),
  }),
  component: lazyRouteComponent(() => import('./centers-page.tsx'), 'PlatformCentersPage'),
})
const partners = createRoute({
  getParentRoute,
  path: '/partners',
  validateSearch: (search: Record<string, unknown>): { q?: string | undefined } => ({ q: text(search.q) }),
  component: lazyRouteComponent(() => import('./partners-page.tsx'), 'PartnersPage'),
})
const center = createRoute({
  getParentRoute,
  path: '/centers/$id',
  component: lazyRouteComponent(() => import('./center-page.tsx'), 'OperatedCenterPage'),
})
const newPartner = createRoute({
  getParentRoute,
  path: '/partners/new',
  component: lazyRouteComponent(() => import('./new-partner-page.tsx'), 'NewPartnerPage'),
})
const plans = createRoute({
  getParentRoute,
  path: '/plans',
  component: lazyRouteComponent(() => import('./plans-page.tsx'), 'PlansPage'),
})
const cells = createRoute({
  getParentRoute,
  path: '/cells',
  component: lazyRouteComponent(() => import('./cells-page.tsx'), 'CellsPage'),
})
const jobs = createRoute({
  getParentRoute,
  path: '/jobs',
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
})

const passkeys = createRoute({
  getParentRoute,
  path: '/passkeys',
  component: lazyRouteComponent(() => import('./passkeys-page.tsx'), 'PlatformPasskeysPage'),
})

export const routes = [overview, alarms, centers, center, partners, newPartner, plans, cells, jobs, passkeys] as const

export const navigation: readonly NavigationEntry[] = [
  { place: 'operator', path: '', label: 'navAttention', key: 'o', order: 10 },
  { place: 'operator', path: '/alarms', label: 'navAlarms', key: 'a', order: 20 },
  { place: 'operator', path: '/centers', label: 'navCenters', key: 'c', order: 30 },
  { place: 'operator', path: '/partners', label: 'navPartners', key: 'p', order: 40 },
  { place: 'operator', path: '/plans', label: 'navPlans', key: 'l', order: 42 },
  { place: 'operator', path: '/passkeys', label: 'navPasskeys', key: 'k', order: 45 },
  { place: 'operator', path: '/cells', label: 'navCells', key: 'e', order: 50 },
  { place: 'operator', path: '/jobs', label: 'navJobs', key: 'j', order: 60 },
]
