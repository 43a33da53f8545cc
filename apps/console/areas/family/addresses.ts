export const addresses = [
  { path: '/c/{center}/family', as: 'PARENT' },
  { path: '/c/{center}/appointments', as: 'CHILD' },
  { path: '/c/{center}/attendance', as: 'PARENT' },
  { path: '/c/{center}/attendance', as: 'CHILD' },
] as const
