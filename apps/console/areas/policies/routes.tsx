/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

export interface PoliciesSearch {
  /** Id of the policy on the sheet, or `new`. */
  readonly policy?: string
}

const policies = createRoute({
  getParentRoute: () => centerRoute,
  path: '/policies',
  validateSearch: ({ policy }: { policy?: unknown }): PoliciesSearch => (typeof policy === 'string' ? { policy } : {}),
  component: lazyRouteComponent(() => import('./policies-page.tsx'), 'PoliciesPage'),
})

export const routes = [policies] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/policies',
    label: 'navPolicies',
    roles: ['ADMIN'],
    key: 'p',
    order: 40,
  },
]
