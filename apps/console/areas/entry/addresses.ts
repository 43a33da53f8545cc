/** Addresses that the journey over all routes opens. `{center}` is the center of the person. */
export const addresses = [
  { path: '/login', as: null },
  { path: '/choose', as: 'ADMIN' },
  { path: '/waiting', as: 'ADMIN' },
  { path: '/onboarding', as: 'ADMIN' },
  { path: '/c/{center}/no-such-page', as: 'ADMIN' },
  { path: '/c/nowhere', as: 'ADMIN' },
] as const
