export const addresses = [
  { path: '/operator', as: 'OPERATOR' },
  { path: '/operator/alarms', as: 'OPERATOR' },
  { path: '/operator/centers', as: 'OPERATOR' },
  { path: '/operator/partners', as: 'OPERATOR' },
  { path: '/operator/centers/1', as: 'OPERATOR' },
  { path: '/operator/partners/new', as: 'OPERATOR' },
  { path: '/operator/plans', as: 'OPERATOR' },
  { path: '/operator/passkeys', as: 'OPERATOR' },
  { path: '/operator/cells', as: 'OPERATOR' },
  { path: '/operator/jobs', as: 'OPERATOR' },
] as const
