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

export const routes = [overview, alarms, centers, partners, cells, jobs] as const

export const navigation: readonly NavigationEntry[] = [
  { place: 'operator', path: '', label: { ko: '할 일', en: 'Needs attention' }, key: 'o', order: 10 },
  { place: 'operator', path: '/alarms', label: { ko: '경보', en: 'Alarms' }, key: 'a', order: 20 },
  { place: 'operator', path: '/centers', label: { ko: '센터', en: 'Centers' }, key: 'c', order: 30 },
  { place: 'operator', path: '/partners', label: { ko: '파트너', en: 'Partners' }, key: 'p', order: 40 },
  { place: 'operator', path: '/cells', label: { ko: '셀', en: 'Cells' }, key: 'e', order: 50 },
  { place: 'operator', path: '/jobs', label: { ko: '정기 작업', en: 'Jobs' }, key: 'j', order: 60 },
]
