/** Routes below `centerRoute`, and the words in the navigation. */
import type { OversightGrouping, OversightPeriod, OversightStep } from '@countersign/sdk'
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

export interface OversightSearch {
  /** Without it: 13 weeks. */
  readonly period?: Exclude<OversightPeriod, 'quarter'>
  /** Without it: days for four weeks, else weeks. */
  readonly step?: OversightStep
  /** Whose figures: the policy, person or agent with this ID. */
  readonly by?: OversightGrouping
  readonly id?: string
  /** The table below each plot is open. */
  readonly tables?: true
}

const isGrouping = (by: unknown): by is OversightGrouping => by === 'policy' || by === 'person' || by === 'agent'

const oversight = createRoute({
  getParentRoute: () => centerRoute,
  path: '/oversight',
  validateSearch: ({ period, step, by, id, tables }: Record<string, unknown>): OversightSearch => ({
    ...((period === 'month' || period === 'year') && { period }),
    ...((step === 'day' || step === 'week') && { step }),
    ...(isGrouping(by) && typeof id === 'string' && id !== '' && { by, id }),
    ...(String(tables) === 'true' && { tables: true as const }),
  }),
  component: lazyRouteComponent(() => import('./oversight-page.tsx'), 'OversightPage'),
})

/** Its former address. */
const former = createRoute({
  getParentRoute: () => centerRoute,
  path: '/inbox/oversight',
  beforeLoad: ({ params: { center } }) => {
    throw redirect({ to: '/c/$center/oversight', params: { center } })
  },
})

export const routes = [oversight, former] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/oversight',
    label: 'navOversight',
    roles: ['ADMIN', 'INSTRUCTOR'],
    group: 'more',
    order: 55,
  },
]
