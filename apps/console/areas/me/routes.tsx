/** Routes below `meRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { meRoute } from '../../app/roots.tsx'

const profile = createRoute({
  getParentRoute: () => meRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
})

export const routes = [profile] as const

export const navigation: readonly NavigationEntry[] = [
  { place: 'me', path: '', label: 'navProfile', key: 'm', order: 10 },
]
