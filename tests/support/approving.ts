/** Approvals in tests, as pages give them. */
import type { Answer } from './contract-check.ts'

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
  const policies = (waiting?.policies ?? []).map(({ id, version }: { id: string; version: number }) => ({
    id,
    version,
  }))
  return { actionDigest, policies, prior }
}

/** Where a change of policies waits for people, `others` approve it, and the one who asked where nobody else could. */
export async function agree<A extends { readonly status: number; readonly body: { readonly data?: unknown } }>(
  ask: AsMember,
  answer: A,
  ...others: readonly AsMember[]
): Promise<string | null> {
  const { pending } = (answer.body?.data ?? {}) as { pending?: { eventId: string } }
  if (answer.status !== 202 || !pending) return null
  for (const person of [...others, ask]) {
    const shown = await open(person, pending.eventId)
    await person('POST', `/api/decisions/${pending.eventId}/approvals`, { result: 'approved', ...shown })
  }
  return (await ask('GET', `/api/decisions/${pending.eventId}`)).action.input.id
}

type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

/** The same, with the answer that the change would have had at once. */
export async function agreed(
  ask: Ask,
  [method]: readonly unknown[],
  answer: Answer,
  ...others: readonly Ask[]
): Promise<Answer> {
  const [own, ...people] = [ask, ...others].map(
    (each): AsMember =>
      async (...request) =>
        (await each(...request)).body.data,
  ) as [AsMember, ...AsMember[]]
  const id = await agree(own, answer, ...people)
  if (id === null) return answer
  const versions = await ask('GET', `/api/policies/${id}/versions`)
  const [newest] = versions.body.data
  const status = { POST: 201, DELETE: 204 }[String(method)] ?? 200
  return { ...versions, status, body: { ...versions.body, data: newest } }
}
