/**
 * Fifty transactions schedule deliveries to one endpoint and commit late, while a worker leases it, sends what it sees and
 * releases it. A release that misses a delivery in an open transaction would leave it without a worker for ever.
 */
import {
  deliveryStep,
  endpointLeases,
  type OutcomeRow,
} from '@countersign/server/features/automation/webhooks/delivery-worker-queries.ts'
import { newUuid, uuidOf } from '@countersign/server/lib/ids.ts'
import pg from 'pg'
import type { TestServer } from '../support/server.ts'

export interface Woken {
  readonly sent: number
  readonly releases: number
  /** Deliveries that no worker found although nothing was being published, summed over the waves. */
  readonly lost: number
}

export async function publishAndRelease(server: TestServer, contenders: number, waves: number): Promise<Woken> {
  const { world, services } = server
  const cell = services.cells.of('main')
  const leases = endpointLeases(cell)
  const center = await world.center()
  const token = await world.key(center, { scopes: ['proof:write', 'events:write'] })
  const subscription = { url: 'https://hooks.example.org/', events: ['payment.*'] }
  const { body } = await server.call('POST', '/api/v1/webhooks', { token, body: subscription })
  const webhookId = uuidOf('webhook', body.id) as string
  const pool = new pg.Pool({ connectionString: services.config.databaseUrl, max: contenders })
  const publish = () =>
    pool.query(`
      begin;
      insert into cell.webhook_deliveries (center_id, webhook_id, event_id, event_type, created_at, next_at)
      values (${center.id}, '${webhookId}', '${newUuid()}', 'ping', now(), now());
      select pg_sleep(random() * 0.1);
      commit`)
  const until = () => new Date(Date.now() + 60_000)
  const woken = { sent: 0, releases: 0, lost: 0 }

  /** As a delivery worker does; false when the endpoint is not due. */
  async function work(): Promise<boolean> {
    const found = await leases.take(new Date(), until(), 1000, [])
    const lease = found.find(({ webhook_id }) => webhook_id === webhookId)
    if (!lease) return false
    for (let outcomes: OutcomeRow[] = [], released = false; !released; ) {
      const at = new Date()
      const step = { lease, knownVersion: 1, at, until: until(), outcomes, health: null, after: null, most: 100 }
      const answer = await deliveryStep(cell, { ...step, idle: true })
      woken.sent += outcomes.length
      released = answer?.released ?? true
      outcomes = (answer?.due ?? []).map(({ event_id, attempts }) => ({
        ...{ event_id, number: attempts + 1, at: at.toISOString(), ms: 1, response_status: 200, excerpt: '' },
        ...{ error: null, message: null, status: 'success', failed_in_cycle: 0, next_at: null, sign_with: null },
      }))
    }
    woken.releases++
    return true
  }

  for (let wave = 0; wave < waves; wave++) {
    let publishing = true
    const published = Promise.all(Array.from({ length: contenders }, publish)).finally(() => {
      publishing = false
    })
    while (publishing) await work()
    await published
    while (await work());
    const [left] = await world.query<{ lost: number }>(
      'select count(*)::int as lost from cell.webhook_deliveries where webhook_id = $1 and next_at is not null',
      [webhookId],
    )
    woken.lost += left?.lost ?? 0
  }
  await pool.end()
  return woken
}
