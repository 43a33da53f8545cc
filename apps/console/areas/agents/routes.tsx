/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

export interface AgentsSearch {
  /** Id of the agent on the sheet. */
  readonly agent?: string
}

const agents = createRoute({
  getParentRoute: () => centerRoute,
  path: '/agents',
  // The router reads `?agent=5` as a number.
  validateSearch: ({ agent }: { agent?: unknown }): AgentsSearch =>
    agent === undefined || agent === '' ? {} : { agent: String(agent) },
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
})

export const routes = [agents] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/agents',
    label: 'navAgents',
    roles: ['ADMIN'],
    group: 'more',
    order: 75,
  },
]
