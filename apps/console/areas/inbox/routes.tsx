/** Routes below `centerRoute`, and the words in the navigation. */
import type { InboxView } from '@countersign/sdk'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { inboxViews } from './views.ts'

interface InboxSearch {
  /** Without it: what waits for the person. */
  readonly view?: Exclude<InboxView, 'turn'>
  readonly sort?: 'expiry'
  /** The decision on the sheet. */
  readonly id?: string | undefined
}

const isView = (view: unknown): view is Exclude<InboxView, 'turn'> =>
  view !== 'turn' && inboxViews.some((each) => each === view)

const inbox = createRoute({
  getParentRoute: () => centerRoute,
  path: '/inbox',
  validateSearch: ({ view, sort, id }: Record<string, unknown>): InboxSearch => ({
    ...(isView(view) && { view }),
    ...(sort === 'expiry' && { sort }),
    ...(typeof id === 'string' && id !== '' && { id }),
  }),
  component: lazyRouteComponent(() => import('./inbox-page.tsx'), 'InboxPage'),
})

const batch = createRoute({
  getParentRoute: () => centerRoute,
  path: '/inbox/batch',
  component: lazyRouteComponent(() => import('./batch-page.tsx'), 'BatchPage'),
})

export const routes = [inbox, batch] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/inbox',
    label: 'navInbox',
    roles: ['ADMIN', 'INSTRUCTOR'],
    key: 'i',
    order: 10,
  },
]
