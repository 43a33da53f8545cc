/** What a page does before a member approves: it reads the decision and notes that it was opened. */
export interface Shown {
  readonly actionDigest: string
  readonly policies: readonly { readonly id: string; readonly version: number }[]
  readonly prior: string
}

/** Sends one request as the member and returns its payload. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape has just been validated
export type AsMember = (method: string, path: string, body?: object) => Promise<any>

/** The members of an approval that say what was shown. Empty for a decision that is closed or unknown. */
export async function open(ask: AsMember, eventId: string): Promise<Shown | Record<string, never>> {
  const decision = await ask('GET', `/api/decisions/${eventId}`)
  if (!decision?.actionDigest) return {}
  const { actionDigest, prior, waiting } = decision
  await ask('POST', `/api/decisions/${eventId}/opened`, { actionDigest })
  const policies = (waiting?.policies ?? []).map(({ id, version }: { id: string; version: number }) => ({ id, version }))
  return { actionDigest, policies, prior }
}
