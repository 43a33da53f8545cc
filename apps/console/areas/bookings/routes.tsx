/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { attendanceSearch, hoursSearch, rollSearch, searchOf } from './search.ts'

const bookings = createRoute({
  getParentRoute: () => centerRoute,
  path: '/bookings',
  validateSearch: searchOf,
  component: lazyRouteComponent(() => import('./bookings-page.tsx'), 'BookingsPage'),
})

const attendance = createRoute({
  getParentRoute: () => centerRoute,
  path: '/bookings/attendance',
  validateSearch: attendanceSearch,
  component: lazyRouteComponent(() => import('./attendance-page.tsx'), 'AttendancePage'),
})

const hours = createRoute({
  getParentRoute: () => centerRoute,
  path: '/bookings/hours',
  validateSearch: hoursSearch,
  component: lazyRouteComponent(() => import('./hours-page.tsx'), 'HoursPage'),
})

const roll = createRoute({
  getParentRoute: () => centerRoute,
  path: '/attendance-today',
  validateSearch: rollSearch,
  component: lazyRouteComponent(() => import('./roll-page.tsx'), 'RollPage'),
})

export const routes = [bookings, attendance, hours, roll] as const

export const navigation: readonly NavigationEntry[] = [
  {
    place: 'center',
    path: '/bookings',
    label: 'navBookings',
    feature: 'booking',
    roles: ['ADMIN', 'INSTRUCTOR'],
    key: 'b',
    order: 22,
  },
  {
    place: 'center',
    path: '/attendance-today',
    label: 'navRoll',
    feature: 'attendance',
    roles: ['ADMIN', 'INSTRUCTOR'],
    key: 'r',
    order: 51,
  },
]
