/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { type DeliveriesSearch, type KeysSearch, states } from './search.ts'

const start = createRoute({
  getParentRoute: () => centerRoute,
  path: '/developers',
  component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
})

const keys = createRoute({
  getParentRoute: () => centerRoute,
  path: '/developers/keys',
  validateSearch: (search: Record<string, unknown>): KeysSearch =>
    Object.fromEntries(
      (['name', 'scopes', 'agent'] as const).flatMap((each) => {
        const value = search[each]
        return typeof value === 'string' ? [[each, value.slice(0, 255)]] : []
      }),
    ),
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
})

const webhooks = createRoute({
  getParentRoute: () => centerRoute,
  path: '/developers/webhooks',
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => centerRoute,
  path: '/developers/webhooks/$webhook',
  validateSearch: ({ state, event }: { state?: unknown; event?: unknown }): DeliveriesSearch => {
    const known = states.find((each) => each === state)
    return { ...(known && { state: known }), ...(typeof event === 'string' && { event }) }
  },
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
})

const signature = createRoute({
  getParentRoute: () => centerRoute,
  path: '/developers/signature',
  component: lazyRouteComponent(() => import('./signature-page.tsx'), 'SignaturePage'),
})

const events = createRoute({
  getParentRoute: () => centerRoute,
  path: '/developers/events',
  validateSearch: ({ type }: { type?: unknown }): { readonly type?: string } =>
    typeof type === 'string' ? { type } : {},
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
})

export const routes = [start, keys, webhooks, webhook, signature, events] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/developers',
    label: 'navDevelopers',
    roles: ['ADMIN'],
    group: 'more',
    key: 'v',
    order: 70,
  },
]
