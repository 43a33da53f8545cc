export const addresses = [
  { path: '/c/{center}/family', as: 'PARENT' },
  { path: '/c/{center}/attendance', as: 'PARENT' },
] as const
