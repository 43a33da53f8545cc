/** By which names the catalog of causes knows a refusal. Pure. */

/** `reason.by` is told as `reason` where nobody needs to know who. */
export const causeNames = (code: string, cause: string): readonly string[] => [
  `${code} ${cause}`,
  `${code} ${cause.split('.')[0]}`,
]

/** What the server named in the details of an error, if it did. */
export function causeIn({ reason, by }: { readonly reason?: unknown; readonly by?: unknown }): string | null {
  if (typeof reason !== 'string') return null
  return typeof by === 'string' ? `${reason}.${by}` : reason
}
