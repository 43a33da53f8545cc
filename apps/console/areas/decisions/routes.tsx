/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { searchOf } from './search.ts'

const decisions = createRoute({
  getParentRoute: () => centerRoute,
  path: '/decisions',
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import('./decisions-page.tsx'), 'DecisionsPage'),
})

const search = createRoute({
  getParentRoute: () => centerRoute,
  path: '/search',
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import('./search-page.tsx'), 'SearchPage'),
})

const print = createRoute({
  getParentRoute: () => centerRoute,
  path: '/decisions/print',
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import('./print-page.tsx'), 'DecisionsPrintPage'),
})

export const routes = [decisions, search, print] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/decisions',
    label: 'navDecisions',
    roles: ['ADMIN', 'INSTRUCTOR'],
    key: 'd',
    order: 20,
  },
  {
    place: 'center',
    path: '/search',
    label: 'navSearch',
    roles: ['ADMIN', 'INSTRUCTOR'],
    group: 'more',
    key: 's',
    order: 59,
  },
]
