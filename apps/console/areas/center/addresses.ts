export const addresses = [
  { path: '/c/{center}/members', as: 'ADMIN' },
  { path: '/c/{center}/members?show=passkeys', as: 'ADMIN' },
  { path: '/c/{center}/members/import', as: 'ADMIN' },
  { path: '/c/{center}/groups', as: 'ADMIN' },
  { path: '/c/{center}/families', as: 'ADMIN' },
  { path: '/c/{center}/workflows', as: 'ADMIN' },
  { path: '/c/{center}/settings', as: 'ADMIN' },
  { path: '/c/{center}/branding', as: 'ADMIN' },
  { path: '/c/{center}/domain', as: 'ADMIN' },
  { path: '/c/{center}/subscription', as: 'ADMIN' },
  { path: '/c/{center}/audit', as: 'ADMIN' },
  { path: '/c/{center}/data', as: 'ADMIN' },
] as const
