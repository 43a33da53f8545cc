export const addresses = [{ path: '/c/{center}/stop', as: 'ADMIN' }] as const
