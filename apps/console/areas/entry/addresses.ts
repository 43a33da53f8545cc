/** Addresses that the journey over all routes opens. `{center}` is the center of the person. */
export const addresses = [
  { path: '/login', as: null },
  { path: '/signup', as: null },
  { path: '/signup/csu_nothing', as: null },
  { path: '/password', as: null },
  { path: '/password/csp_nothing', as: null },
  { path: '/invitations/csi_nothing', as: null },
  { path: '/signin', as: null },
  { path: '/signin/{center}', as: null },
  { path: '/signin/callback/sip_nothing', as: null },
  { path: '/signin/link/csm_nothing', as: null },
  { path: '/signin/return/csb_nothing', as: null },
  { path: '/choose', as: 'ADMIN' },
  { path: '/waiting', as: 'ADMIN' },
  { path: '/onboarding', as: 'ADMIN' },
  { path: '/c/{center}/no-such-page', as: 'ADMIN' },
  { path: '/c/nowhere', as: 'ADMIN' },
] as const
