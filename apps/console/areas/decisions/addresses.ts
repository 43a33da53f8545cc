export const addresses = [
  { path: '/c/{center}/decisions', as: 'ADMIN' },
  { path: '/c/{center}/search?q=2', as: 'ADMIN' },
  { path: '/c/{center}/search', as: 'INSTRUCTOR' },
  { path: '/c/{center}/decisions/print', as: 'ADMIN' },
] as const
