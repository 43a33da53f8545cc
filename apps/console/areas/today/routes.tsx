/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

const today = createRoute({
  getParentRoute: () => centerRoute,
  path: '/today',
  component: lazyRouteComponent(() => import('./today-page.tsx'), 'TodayPage'),
})

export const routes = [today] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/today',
    label: 'navToday',
    roles: ['ADMIN', 'INSTRUCTOR'],
    key: 't',
    order: 5,
  },
]
