export const addresses = [
  { path: '/p', as: 'PARTNER_ADMIN' },
  { path: '/p/new', as: 'PARTNER_ADMIN' },
  { path: '/p/integrity', as: 'PARTNER_ADMIN' },
  { path: '/p/members', as: 'PARTNER_ADMIN' },
  { path: '/p/people', as: 'PARTNER_ADMIN' },
  { path: '/p/passkeys', as: 'PARTNER_ADMIN' },
  { path: '/p/stop', as: 'PARTNER_ADMIN' },
  { path: '/p/audit', as: 'PARTNER_ADMIN' },
  { path: '/p/settings', as: 'PARTNER_ADMIN' },
  { path: '/p/sign-in', as: 'PARTNER_ADMIN' },
] as const
