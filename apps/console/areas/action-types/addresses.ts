export const addresses = [
  { path: '/c/{center}/action-types', as: 'ADMIN' },
  { path: '/c/{center}/action-types?type=refund.pay', as: 'ADMIN' },
  { path: '/c/{center}/action-types', as: 'INSTRUCTOR' },
] as const
