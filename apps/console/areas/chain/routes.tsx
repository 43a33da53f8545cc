/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

const domains = ['proof', 'dpu', 'history'] as const

export interface ChainSearch {
  readonly domain?: (typeof domains)[number]
  /** The entry in the middle; without it, the broken one or the newest. */
  readonly at?: number
  /** How many entries the lower strip spans; without it, all. */
  readonly span?: number
  readonly view?: 'table'
}

const whole = (value: unknown): number | null =>
  Number.isInteger(value) && (value as number) >= 0 ? (value as number) : null

function validateSearch(search: { readonly [K in keyof ChainSearch]?: unknown }): ChainSearch {
  const domain = domains.find((each) => each === search.domain)
  const [at, span] = [whole(search.at), whole(search.span)]
  return {
    ...(domain && { domain }),
    ...(at !== null && { at }),
    ...(span !== null && span > 0 && { span }),
    ...(search.view === 'table' && { view: 'table' as const }),
  }
}

const chain = createRoute({
  getParentRoute: () => centerRoute,
  path: '/chain',
  validateSearch,
  component: lazyRouteComponent(() => import('./chain-page.tsx'), 'ChainPage'),
})

export const routes = [chain] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/chain',
    label: 'navChain',
    roles: ['ADMIN', 'INSTRUCTOR'],
    group: 'more',
    key: 'c',
    order: 65,
  },
]
