export const addresses = [
  { path: '/c/{center}/dpus', as: 'ADMIN' },
  { path: '/c/{center}/dpus?level=DRAFT', as: 'INSTRUCTOR' },
] as const
