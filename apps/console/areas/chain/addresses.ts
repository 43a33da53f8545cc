export const addresses = [
  { path: '/c/{center}/chain', as: 'ADMIN' },
  { path: '/c/{center}/chain?view=table', as: 'ADMIN' },
] as const
