export const addresses = [
  { path: '/c/{center}/agents', as: 'ADMIN' },
  { path: '/c/{center}/agents?agent=agent-refunds', as: 'ADMIN' },
] as const
