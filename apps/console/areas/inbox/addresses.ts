export const addresses = [
  { path: '/c/{center}/inbox', as: 'ADMIN' },
  { path: '/c/{center}/inbox?view=asked', as: 'ADMIN' },
  { path: '/c/{center}/inbox/batch', as: 'ADMIN' },
] as const
