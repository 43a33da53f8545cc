export const addresses = [
  { path: '/c/{center}/today', as: 'ADMIN' },
  { path: '/c/{center}/today', as: 'INSTRUCTOR' },
] as const
