/** Only addresses of this front end are followed after signing in. */
const isLocal = (address: string): boolean => /^\/(c|p|me|operator|approve|account|invitations)(\/|\?|$)/.test(address)
export const safeNext = (address: unknown): string | undefined =>
  typeof address === 'string' && isLocal(address) ? address : undefined
