export const addresses = [
  { path: '/c/{center}/bookings', as: 'ADMIN' },
  { path: '/c/{center}/bookings?view=day', as: 'INSTRUCTOR' },
  { path: '/c/{center}/bookings?view=list', as: 'ADMIN' },
] as const
