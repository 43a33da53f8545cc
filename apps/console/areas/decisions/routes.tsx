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

export const routes = [decisions] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/decisions',
    label: 'navDecisions',
    roles: ['ADMIN', 'INSTRUCTOR'],
    key: 'd',
    order: 20,
  },
]
