export const addresses = [
  { path: '/c/{center}/oversight', as: 'ADMIN' },
  { path: '/c/{center}/oversight', as: 'INSTRUCTOR' },
] as const
