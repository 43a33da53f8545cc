export const addresses = [
  { path: '/c/{center}/policies', as: 'ADMIN' },
  { path: '/c/{center}/policies?policy=new', as: 'ADMIN' },
] as const
