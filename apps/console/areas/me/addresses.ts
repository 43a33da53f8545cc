export const addresses = [{ path: '/me', as: 'ADMIN' }] as const
