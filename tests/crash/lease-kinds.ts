/** The two kinds of leased work behind one interface, so that one table of crashes covers both. */
import { readFileSync } from 'node:fs'
import type { Lease, LeaseStore } from '@countersign/server/concurrency/leases.ts'
import {
  deliveryStep,
  type EndpointLease,
  endpointLeases,
} from '@countersign/server/features/automation/webhooks/delivery-worker-queries.ts'
import {
  type ExecutionLease,
  executionLeases,
  recordSteps,
} from '@countersign/server/features/automation/workflows/runner-queries.ts'
import { newUuid, uuidOf } from '@countersign/server/lib/ids.ts'
import type { Consumer } from '../support/consumer.ts'
import type { TestServer } from '../support/server.ts'
import { workerSettings } from './deliver-setup.ts'
import { begin, type Ground } from './execute-setup.ts'
import { chained } from './execute-workflow.ts'

/** The failpoints of the lease module for work of this name, read from its source. */
export function leaseFailpoints(name: string): readonly string[] {
  const file = new URL('../../apps/server/concurrency/leases.ts', import.meta.url)
  const found = readFileSync(file, 'utf8').matchAll(/failpoint\(`\$\{name\}([^`]+)`\)/g)
  return Array.from(found, ([, at]) => `${name}${at}`)
}

/** The row of a piece of work. */
export interface RowState {
  readonly epoch: number
  /** The lease was taken and not released. */
  readonly leased: boolean
  /** Attempts of a delivery, or recorded steps of an execution. */
  readonly writes: number
}

export interface LeaseKind {
  /** The name in failpoints. */
  readonly name: string
  readonly beforeWrite: string
  readonly afterWrite: string
  /** The file and the settings of a worker process. */
  readonly worker: { readonly file: string; readonly environment: Readonly<Record<string, string>> }
  readonly store: LeaseStore<Lease>
  /** Creates a piece of work that is due, and returns its id. */
  make(): Promise<string>
  state(id: string): Promise<RowState>
  idOf(lease: Lease): string
  /** Writes as a worker does under this lease; false when the write was refused. */
  write(lease: Lease): Promise<boolean>
  /** Removes the work, so that no later worker finds it. */
  remove(id: string): Promise<void>
}

type Environment = Readonly<Record<string, string>>

/** Two deliveries to each endpoint: the second is never answered, so that the lease outlives the write for the first. */
export function deliveries(server: TestServer, environment: Environment, consumer: Consumer): LeaseKind {
  consumer.answer(({ envelope }) => (envelope.data.answered ? 200 : undefined))
  const { services, world } = server
  const cell = services.cells.of('main')
  const until = () => new Date(Date.now() + 60_000)
  return {
    name: 'deliver',
    beforeWrite: 'deliver.record',
    afterWrite: 'deliver.recorded',
    worker: { file: 'apps/server/main.ts', environment: { ...environment, ...workerSettings } },
    store: endpointLeases(cell) as LeaseStore<Lease>,
    async make() {
      const token = await world.key(await world.center(), { scopes: ['proof:write', 'events:write'] })
      const subscription = { url: consumer.url, events: ['payment.*'] }
      const { body } = await server.call('POST', '/api/v1/webhooks', { token, body: subscription })
      for (const answered of [true, false]) {
        const event = { id: newUuid(), type: 'payment.completed', data: { amount: 45_000, answered } }
        await server.call('POST', '/api/v1/events', { token, body: event })
      }
      return uuidOf('webhook', body.id) as string
    },
    async state(id) {
      const [row] = await world.query<RowState>(
        `select e.lease_epoch::int as epoch, e.lease_until is not null as leased,
           (select count(*)::int from cell.webhook_attempts a where a.webhook_id = e.webhook_id) as writes
         from cell.webhook_endpoints e where e.webhook_id = $1`,
        [id],
      )
      return row as RowState
    },
    idOf: (lease) => (lease as EndpointLease).webhook_id,
    async write(given) {
      const lease = given as EndpointLease
      const [due] = await world.query<{ event_id: string; attempts: number }>(
        'select event_id, attempts from cell.webhook_deliveries where webhook_id = $1 and next_at is not null',
        [lease.webhook_id],
      )
      if (!due) throw new Error('There is no due delivery to write.')
      const at = new Date()
      const outcome = {
        ...{ event_id: due.event_id, number: due.attempts + 1, at: at.toISOString(), ms: 1, response_status: 503 },
        ...{ excerpt: '', error: 'http_status', message: null, status: 'failed' as const, failed_in_cycle: 1 },
        ...{ next_at: at.toISOString(), sign_with: null },
      }
      const step = { lease, knownVersion: 0, at, until: until(), health: null, after: null, most: 0, idle: false }
      return (await deliveryStep(cell, { ...step, outcomes: [outcome] })) !== null
    },
    async remove(id) {
      await world.query('update cell.webhook_deliveries set next_at = null where webhook_id = $1', [id])
    },
  }
}

export function executions(ground: Ground): LeaseKind {
  const { world, services, environment } = ground
  const cell = services.cells.of('main')
  return {
    name: 'workflow',
    beforeWrite: 'workflow.step.done.0',
    afterWrite: 'workflow.recorded.0',
    worker: { file: 'tests/crash/execute-worker.process.ts', environment },
    store: executionLeases(cell, [chained.key], 100) as LeaseStore<Lease>,
    async make() {
      await begin(ground, 1)
      const [row] = await world.query<{ id: string }>('select id from cell.executions order by started_at desc limit 1')
      return row?.id as string
    },
    async state(id) {
      const [row] = await world.query<RowState>(
        `select e.lease_epoch::int as epoch, e.leased,
           (select count(*)::int from cell.execution_steps s where s.execution_id = e.id) as writes
         from cell.executions e where e.id = $1`,
        [id],
      )
      return row as RowState
    },
    idOf: (lease) => (lease as ExecutionLease).id,
    async write(given) {
      const { center_id, id, epoch, steps } = given as ExecutionLease
      const position = steps?.length ?? 0
      const name = ['first', 'second', 'third'][position] as string
      const step = { position, name, status: 'COMPLETED', attempts: 1, output: {}, started_at: new Date() } as const
      const record = { center_id, id, epoch, ...step, completed_at: new Date() }
      return (await recordSteps(cell, JSON.stringify([record]))).includes(id)
    },
    async remove(id) {
      await world.query(
        `update cell.executions set status = 'CANCELED', completed_at = now(), next_at = null, leased = false where id = $1`,
        [id],
      )
    },
  }
}
