/** The data of a rehearsal, made over HTTP as users make it: a person, a center, keys, a webhook, decisions and their proofs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Consumer, startConsumer } from '../../tests/support/consumer.ts'
import type { Mailbox } from '../../tests/support/mailbox.ts'
import { sampleEvent } from '../../tests/support/samples.ts'
import type { Callers } from './callers.ts'
import { say } from './shared.ts'

export interface Center {
  /** Ids of all events that the server has acknowledged. */
  readonly events: readonly string[]
  /** Evidence ids of those that are sealed, by the id of the event. */
  readonly sealed: ReadonlyMap<string, string>
  readonly received: Consumer['received']
  /** Records one decision; every fourth is approved, which seals it. */
  decide(): Promise<void>
  /** Callers that decide until the signal ends them. */
  load(callers: number, signal: AbortSignal): Promise<void>
  /** Writes the proofs of sealed events, and returns their number. */
  exportProofs(events: readonly string[], folder: string): Promise<number>
  /** The trust policy that the server publishes. */
  policy(): Promise<string>
  verifyChain(): Promise<boolean>
  /** How many events the server lists. */
  listed(): Promise<number>
  close(): Promise<void>
}

const account = { email: 'director@rehearsal.example', password: 'a password for rehearsals' }
const domain = 'rehearsal'

async function openAccount({ data }: Callers, mailbox: Mailbox): Promise<void> {
  await data('POST', '/api/auth/signup', { body: { email: account.email, name: 'Kim Haneul' }, key: 'signup' })
  const token = await mailbox.token(account.email, 'csu')
  const body = { token, password: account.password }
  const { actorId } = await data('POST', '/api/auth/signup/confirm', { body, key: 'confirm' })
  const { accessToken } = await data('POST', '/api/auth/login', { body: account })
  const center = { centerName: 'Rehearsal', subdomain: domain, planId: 'center-starter', vertical: 'rehabilitation' }
  const order = { ...center, orderId: 'order-1', adminActorId: actorId }
  await data('POST', '/api/provisioning/center-tenant', { token: accessToken, body: order, key: 'center' })
}

export async function openCenter(callers: Callers, mailbox: Mailbox): Promise<Center> {
  const { data, text } = callers
  const signIn = async (): Promise<string> =>
    (await data('POST', '/api/auth/login', { body: { ...account, centerDomain: domain } })).accessToken
  await openAccount(callers, mailbox)
  const newKey = async (scopes: string[]): Promise<string> =>
    (await data('POST', '/api/api-keys', { token: await signIn(), body: { name: scopes.join(' '), scopes } })).key
  const [token, approver] = [await newKey(['proof:write', 'events:write']), await newKey(['proof:approve'])]
  const consumer = await startConsumer()
  const webhook = { url: consumer.url, events: ['dpu.sealed'] }
  await text('POST', '/api/v1/webhooks', { token, body: webhook, key: 'webhook' })

  const events: string[] = []
  const sealed = new Map<string, string>()
  let decisions = 0
  async function decide(): Promise<void> {
    const n = ++decisions
    const body = sampleEvent({ idempotencyKey: `decision-${n}` })
    const { id, evidence } = await data('POST', '/api/v1/decision-events', { token, body, key: `event-${n}` })
    events.push(id)
    if (n % 4 !== 0) return
    const approval = { approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' }, result: 'approved' }
    const path = `/api/v1/decision-events/${id}/approvals`
    await data('POST', path, { token: approver, body: approval, key: `approval-${n}` })
    sealed.set(id, evidence.id)
  }
  return {
    events,
    sealed,
    received: consumer.received,
    decide,
    async load(count, signal) {
      const each = async () => {
        while (!signal.aborted) {
          // The callers count a request without an answer, and the load goes on.
          await decide().catch((error: Error) => say(error.message))
          await sleep(100)
        }
      }
      await Promise.all(Array.from({ length: count }, each))
    },
    async exportProofs(wanted, folder) {
      mkdirSync(folder, { recursive: true })
      for (const event of wanted) {
        const id = sealed.get(event) as string
        writeFileSync(join(folder, `${id}.json`), await text('GET', `/api/v1/evidence/${id}/export`, { token }))
      }
      return wanted.length
    },
    policy: async () => JSON.parse(await text('GET', '/.well-known/countersign-log.json')).policy,
    verifyChain: async () =>
      (await data('GET', '/api/dpu/verify-chain?mode=records', { token: await signIn() })).valid === true,
    listed: async () => JSON.parse(await text('GET', '/api/v1/decision-events?limit=1', { token })).pagination.total,
    close: () => consumer.close(),
  }
}
