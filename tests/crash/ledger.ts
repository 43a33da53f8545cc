/** Compares the answers to clients with the database: no acknowledged seal is lost, and none exists twice. */
import { logName } from '@countersign/proof/chain.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { typedId } from '@countersign/server/lib/ids.ts'
import type { Client } from '../support/client.ts'
import type { Center, World } from '../support/world.ts'

export const logHost = 'countersign.test'

export interface Answered {
  readonly center: Center
  readonly eventId: string
  readonly idempotencyKey: string
  readonly status: number | 'none'
  readonly hash: string | null
}

export interface Fixture {
  readonly center: Center
  readonly key: string
}

export const recordEvent = async (client: Client, { key }: Fixture): Promise<string> => {
  const { status, body, text } = await client.call('POST', '/api/v1/decision-events', {
    token: key,
    body: {
      type: 'agent_execution',
      actor: { id: 'agent-7', type: 'ai_agent', name: '돌봄 설계사' },
      action: { type: 'plan.adjust', input: { client: 'c-102' }, output: { sessions: 2 } },
      tags: ['care-plan'],
    },
  })
  if (status !== 201) throw new Error(`could not record: ${text}`)
  return body.data.id
}

/** Sends an approval and returns the outcome as the client sees it. */
export async function approve(
  client: Client,
  { center, key }: Fixture,
  eventId: string,
  idempotencyKey: string,
): Promise<Answered> {
  const answered = { center, eventId, idempotencyKey }
  return client
    .call('POST', `/api/v1/decision-events/${eventId}/approvals`, {
      token: key,
      headers: { 'idempotency-key': idempotencyKey },
      body: { approver: { id: 'therapist-4', type: 'human', name: '김민지' }, result: 'approved', reason: 'agreed' },
    })
    .then(
      ({ status, body }) => ({ ...answered, status, hash: status === 200 ? body.data.sealedHash : null }),
      (error: Error) => {
        if (/outside the contract/.test(error.message)) throw error
        return { ...answered, status: 'none' as const, hash: null }
      },
    )
}

interface EntryRow {
  readonly idx: number
  readonly id: string
  readonly content: string
  readonly previous_hash: string | null
  readonly sealed_at: string
  readonly hash: string
}

/** A chain of one center, with faults of its hashes, links and head. */
export async function readChain(
  world: World,
  { id }: Center,
  domain: 'proof' | 'history',
): Promise<{ readonly entries: readonly EntryRow[]; readonly faults: string[] }> {
  const entries = await world.query<EntryRow>(
    `select idx::int, id, content, previous_hash, sealed_at, hash from cell.chain_entries
     where center_id = $1 and domain = $2 order by idx`,
    [id, domain],
  )
  const faults: string[] = []
  const verifier = chainVerifier({ log: logName(logHost, id, domain), domain })
  for (const row of entries) {
    verifier.add({
      index: row.idx,
      id: typedId(domain === 'proof' ? 'evidence' : 'history', row.id),
      hash: row.hash,
      previousHash: row.previous_hash,
      sealedAt: row.sealed_at,
      content: row.content,
    })
  }
  const { valid, brokenAt, reason, headHash, chainLength } = verifier.result()
  if (!valid) faults.push(`${domain} is broken at ${brokenAt}: ${reason}`)
  const [head] = await world.query<{ next_index: number; last_hash: string | null }>(
    'select next_index::int, last_hash from cell.chain_heads where center_id = $1 and domain = $2',
    [id, domain],
  )
  if (head && (head.next_index !== chainLength || head.last_hash !== headHash))
    faults.push(`the head of ${domain} is not the last entry`)
  return { entries, faults }
}

/** Every invariant of the chain `proof` of one center. */
export async function chainFaults(world: World, center: Center, answered: readonly Answered[]): Promise<string[]> {
  const { id } = center
  const { entries, faults } = await readChain(world, center, 'proof')
  const sealedIn = new Map(entries.map((row) => [row.id, row.hash]))
  if (sealedIn.size !== entries.length) faults.push('something is sealed twice')
  const events = await world.query<{ id: string; status: string; dpus: number; approvals: number; audits: number }>(
    `select e.id, e.status,
       (select count(*)::int from cell.dpus u where u.center_id = e.center_id and u.id = e.id) as dpus,
       (select count(*)::int from cell.approvals a where a.center_id = e.center_id and a.event_id = e.id) as approvals,
       (select count(*)::int from cell.seal_audit_entries t where t.center_id = e.center_id and t.event_id = e.id
         and t.details ->> 'decisionId' = e.decision_id) as audits
     from cell.decision_events e where center_id = $1`,
    [id],
  )
  for (const { id: event, status, dpus, approvals, audits } of events) {
    const whole = sealedIn.has(event) ? 1 : 0
    const consistent = status === (whole ? 'sealed' : 'recorded') && [dpus, approvals, audits].every((n) => n === whole)
    if (!consistent)
      faults.push(`event ${event} is ${status} with ${whole} entries, ${dpus}/${approvals}/${audits} rows`)
  }
  const byEvent = new Map(events.map((row) => [typedId('decisionEvent', row.id), sealedIn.get(row.id)]))
  for (const { eventId, hash } of answered) {
    if (hash !== null && byEvent.get(eventId) !== hash) faults.push(`the acknowledged seal of ${eventId} is gone`)
  }
  return faults
}
