export const addresses = [
  { path: '/c/{center}/developers', as: 'ADMIN' },
  { path: '/c/{center}/developers/keys', as: 'ADMIN' },
  { path: '/c/{center}/developers/webhooks', as: 'ADMIN' },
  { path: '/c/{center}/developers/signature', as: 'ADMIN' },
  { path: '/c/{center}/developers/events', as: 'ADMIN' },
] as const
