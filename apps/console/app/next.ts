/** Only addresses of the console are followed after signing in. */
const isLocal = (address: string): boolean => /^\/(c|p|me|operator)(\/|\?|$)/.test(address)
export const safeNext = (address: unknown): string | undefined =>
  typeof address === 'string' && isLocal(address) ? address : undefined
