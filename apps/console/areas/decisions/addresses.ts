export const addresses = [{ path: '/c/{center}/decisions', as: 'ADMIN' }] as const
