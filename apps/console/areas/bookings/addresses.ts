export const addresses = [
  { path: '/c/{center}/bookings', as: 'ADMIN' },
  { path: '/c/{center}/bookings?view=day', as: 'INSTRUCTOR' },
  { path: '/c/{center}/bookings?view=list', as: 'ADMIN' },
  { path: '/c/{center}/bookings/attendance?kind=no_show', as: 'INSTRUCTOR' },
  { path: '/c/{center}/bookings/hours', as: 'ADMIN' },
  { path: '/c/{center}/bookings/hours', as: 'INSTRUCTOR' },
  { path: '/c/{center}/attendance-today', as: 'INSTRUCTOR' },
  { path: '/c/{center}/attendance-today?instructor=all', as: 'ADMIN' },
] as const
