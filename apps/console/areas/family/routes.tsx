/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const opened = (search: Record<string, unknown>) => ({
  appointment: text(search.appointment),
  doing: (['move', 'cancel'] as const).find((each) => each === search.doing),
})

const family = createRoute({
  getParentRoute: () => centerRoute,
  path: '/family',
  validateSearch: (search: Record<string, unknown>) => ({ child: text(search.child), ...opened(search) }),
  component: lazyRouteComponent(() => import('./family-page.tsx'), 'FamilyPage'),
})
const own = createRoute({
  getParentRoute: () => centerRoute,
  path: '/appointments',
  validateSearch: opened,
  component: lazyRouteComponent(() => import('./own-page.tsx'), 'OwnPage'),
})
const attendance = createRoute({
  getParentRoute: () => centerRoute,
  path: '/attendance',
  component: lazyRouteComponent(() => import('./attendance-page.tsx'), 'AttendancePage'),
})

export const routes = [family, own, attendance] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/family',
    label: 'navFamily',
    roles: ['PARENT'],
    key: 'f',
    order: 60,
  },
  {
    place: 'center',
    path: '/appointments',
    label: 'navAppointments',
    roles: ['CHILD'],
    key: 'b',
    order: 60,
  },
  { place: 'center', path: '/attendance', label: 'navAttendance', roles: ['PARENT', 'CHILD'], order: 61 },
]
