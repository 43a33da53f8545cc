/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

export interface StopSearch {
  /** Id of the stop on the sheet; without it, the form for a new one. */
  readonly freeze?: string
  /** Id of an agent, which the form begins with. */
  readonly agent?: string
}

const stop = createRoute({
  getParentRoute: () => centerRoute,
  path: '/stop',
  validateSearch: ({ freeze, agent }: { freeze?: unknown; agent?: unknown }): StopSearch => ({
    ...(typeof freeze === 'string' && { freeze }),
    // The router reads `?agent=5` as a number.
    ...(agent !== undefined && agent !== '' && { agent: String(agent).slice(0, 255) }),
  }),
  component: lazyRouteComponent(() => import('./stop-page.tsx'), 'StopPage'),
})

export const routes = [stop] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/stop',
    label: 'navStop',
    roles: ['ADMIN'],
    group: 'more',
    key: 'x',
    order: 90,
  },
]
