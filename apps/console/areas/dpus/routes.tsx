/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { dpusSearch } from './search.ts'

const dpus = createRoute({
  getParentRoute: () => centerRoute,
  path: '/dpus',
  validateSearch: dpusSearch,
  component: lazyRouteComponent(() => import('./dpus-page.tsx'), 'DpusPage'),
})

export const routes = [dpus] as const

export const navigation: readonly NavigationEntry[] = [
  { place: 'center', path: '/dpus', label: 'navDpus', roles: ['ADMIN', 'INSTRUCTOR'], group: 'more', order: 62 },
]
