/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

export interface ActionTypesSearch {
  /** The action type on the sheet. */
  readonly type?: string
}

const actionTypes = createRoute({
  getParentRoute: () => centerRoute,
  path: '/action-types',
  // The router reads `?type=5` as a number.
  validateSearch: ({ type }: { type?: unknown }): ActionTypesSearch =>
    type === undefined || type === '' ? {} : { type: String(type) },
  component: lazyRouteComponent(() => import('./action-types-page.tsx'), 'ActionTypesPage'),
})

export const routes = [actionTypes] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/action-types',
    label: 'navActionTypes',
    roles: ['ADMIN', 'INSTRUCTOR'],
    group: 'more',
    order: 80,
  },
]
