/** Sealed decisions, and executors that act on them with the key of the fixture. */
import { randomUUID } from 'node:crypto'
import { actionDigest } from '@countersign/proof/action-digest.ts'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import type { ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'

export interface SealedDecision {
  readonly id: string
  readonly evidence: { readonly id: string }
  readonly actionDigest: string
  readonly actionSalt: string
}

export const newExecutor = (): string => randomUUID()

/** A transfer of this amount, as an executor would run it. */
export const transfer = (won: number) => ({
  type: 'agent_execution' as const,
  actor: { id: 'agent-7', type: 'ai_agent' },
  action: { type: 'money.transfer', input: { to: 'KR-110-220', won } },
})

export const digestOf = ({ actionSalt }: Pick<SealedDecision, 'actionSalt'>, won: number): string =>
  actionDigest(actionSalt, transfer(won))

export const recorded = async (fixture: ProofFixture, won = 82_000): Promise<SealedDecision> =>
  (await fixture.record({ ...transfer(won), aiContext: undefined, tags: [] })) as unknown as SealedDecision

export async function approved(fixture: ProofFixture, won = 82_000): Promise<SealedDecision> {
  const event = await recorded(fixture, won)
  const { status, text } = await fixture.approve(event.id)
  if (status !== 200) throw new Error(text)
  return event
}

export const consume = (
  { server, key }: Pick<ProofFixture, 'server' | 'key'>,
  event: SealedDecision,
  executor: string,
  more: { actionDigest?: string; token?: string; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  server.call('POST', `/api/v1/decision-events/${event.id}/consume`, {
    token: more.token ?? key,
    headers: more.headers ?? {},
    body: { actionDigest: more.actionDigest ?? digestOf(event, 82_000), executor },
  })

export const report = (
  { server, key }: Pick<ProofFixture, 'server' | 'key'>,
  { id }: Pick<SealedDecision, 'id'>,
  body: { executor: string; status: string; output?: unknown },
  token = key,
): Promise<Answer> => server.call('POST', `/api/v1/decision-events/${id}/outcome`, { token, body })

export const refused = ({ status, body }: Answer) => [status, body.error?.code]
