/** Two centers with at least one row of each in every tenant table, written through the API and the code of the service. */

import {
  deliveryStep,
  endpointLeases,
} from '@countersign/server/features/automation/webhooks/delivery-worker-queries.ts'
import { executionLeases, recordSteps } from '@countersign/server/features/automation/workflows/runner-queries.ts'
import { syncSchedules } from '@countersign/server/features/automation/workflows/schedule-copy.ts'
import { noteVerified } from '@countersign/server/features/centers/attendance/api.ts'
import { exportLeases, writeFile } from '@countersign/server/features/centers/leaving/worker-queries.ts'
import { countEventsJob } from '@countersign/server/features/evidence/decision-events/count-events.job.ts'
import { waitingDecisionsJob } from '@countersign/server/features/evidence/decisions/waiting-decisions.job.ts'
import { countCenter } from '@countersign/server/features/evidence/oversight/counter.ts'
import { indexCenter } from '@countersign/server/features/evidence/search/worker.ts'
import { keepCosignature, keepTimestamp } from '@countersign/server/features/evidence/transparency/publisher-queries.ts'
import { tellIntegrityJob } from '@countersign/server/features/evidence/verification/tell-integrity.job.ts'
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import { type AsMember, open } from '../support/approving.ts'
import { countingPasskey } from '../support/passkeys.ts'
import { sampleEvent } from '../support/samples.ts'
import type { TestServer } from '../support/server.ts'
import type { Center, Person } from '../support/world.ts'
import { emergencyIn, objectTo } from './emergencies.ts'

export interface FilledCenter extends Center {
  readonly admin: Person
  readonly instructor: Person
}

export async function filledCenter(server: TestServer): Promise<FilledCenter> {
  const { world, services } = server
  const [admin, instructor, child] = [await world.person(), await world.person(), await world.person()]
  async function done(method: string, path: string, token: string, body: unknown, headers = {}) {
    const answer = await server.call(method, path, { token, body, headers })
    if (answer.status >= 300) throw new Error(`could not fill a center: ${answer.text}`)
    return answer.body.data
  }

  const domain = `c-${newUuid().slice(-12)}`
  const founded = await done('POST', '/api/provisioning/center-tenant', (await server.signIn(admin)).accessToken, {
    // Hangul: the search index keeps pairs of its syllables.
    centerName: `하늘재활센터 ${domain}`,
    subdomain: domain,
    planId: 'center-growth',
    orderId: newUuid(),
    adminActorId: admin.actorId,
  })
  const center: Center = { id: founded.center.id, domain }
  await world.member(instructor, center, 'INSTRUCTOR')
  await world.member(child, center, 'CHILD')
  await world.guardian(admin, child, center)

  const { accessToken } = await server.signIn(admin, domain)
  const once = { 'idempotency-key': `fill-${center.id}` }
  const made = await done(
    'POST',
    '/api/api-keys',
    accessToken,
    { name: 'recorder', scopes: ['proof:write', 'events:write'] },
    once,
  )
  await fillWebhooks(server, (path, body) => done('POST', `/api/v1/${path}`, made.key, body))
  const event = await done('POST', '/api/v1/decision-events', made.key, sampleEvent(), once)
  await countEventsJob(services, 'main', { centerId: center.id })
  await done('POST', `/api/v1/decision-events/${event.id}/approvals`, made.key, {
    approver: { id: 'lead-1', type: 'human' },
    result: 'approved',
  })
  await server.call('GET', `/verify/${event.id}`)
  await done('POST', '/api/dpu/demo', accessToken, { content: 'A decision', tags: ['plan'] })
  const policy = await done('POST', '/api/policies', accessToken, {
    name: 'Stock needs a person',
    match: { actionTypes: ['stock.*'] },
    guards: { dualApproval: true },
  })
  const people = { name: 'Finance', actorIds: [admin.actorId] }
  await done('POST', `/api/centers/${center.id}/groups`, accessToken, people)
  await done('PUT', '/api/action-types/stock.reorder', accessToken, { name: { en: 'Reorder' } })
  const ask = () =>
    done('POST', '/api/v1/decision-events', made.key, sampleEvent({ action: { type: 'stock.reorder' } }))
  const waiting = await ask()
  await done('POST', `/api/v1/decision-events/${(await ask()).id}/withdraw`, made.key, {})
  const asAdmin: AsMember = (method, path, body) => done(method, path, accessToken, body)
  const shown = await open(asAdmin, waiting.id)
  await asAdmin('POST', `/api/decisions/${waiting.id}/approvals`, { result: 'approved', ...shown })
  await asAdmin('POST', `/api/decisions/${waiting.id}/approvals/take-back`)
  // A decision has waited for the policy: the change waits as well.
  await asAdmin('PATCH', `/api/policies/${policy.id}`, { active: false })
  await done('POST', `/api/decisions/${waiting.id}/comments`, accessToken, { text: 'Why?' })
  await done('PUT', '/api/decisions/deputy', accessToken, {
    actorId: instructor.actorId,
    from: '2026-11-16T00:00:00.000Z',
    until: '2026-11-30T00:00:00.000Z',
  })
  const confirming = await world.person()
  await world.member(confirming, center, 'ADMIN')
  await countingPasskey(server, admin, center, confirming)
  await objectTo(server, center, confirming, await emergencyIn(server, { center, admin, user: admin }))
  await done('POST', `/api/decisions/${waiting.id}/approvals/challenge`, accessToken, { result: 'approved' })
  await done('POST', `/api/v1/decision-events/${event.id}/consume`, made.key, {
    actionDigest: event.actionDigest,
    executor: 'attempt-1',
  })
  await done('PUT', '/api/views', accessToken, { name: 'Waiting', filters: { waiting: true }, shared: true })
  await done('POST', '/api/freezes', accessToken, { actionTypes: ['nothing.*'], reason: 'A test' })
  await waitingDecisionsJob(services, 'main', { centerId: center.id })
  await server.call('GET', '/api/dpu/verify-chain', { token: accessToken })
  await world.query(
    `insert into cell.booking_waits (center_id, id, booked_for, asked_by, instructor_id, day, from_at, until_at, created_at)
     values ($1, $2, $3, $3, $4, '2031-01-06', '2031-01-06T00:00Z', '2031-01-06T09:00Z', now())`,
    [center.id, newUuid(), child.actorId, instructor.actorId],
  )
  await indexCenter(services.cells.of('main'), center.id)
  await countCenter(services.cells.of('main'), services.centers, center.id)
  await world.query(
    `insert into cell.oversight_corrections (center_id, kind, key, event_id) values ($1, 'agent', 'x', gen_random_uuid())`,
    [center.id],
  )
  await world.query(
    `insert into cell.delivery_days (center_id, day, succeeded, failed) values ($1, '2026-01-01', 1, 0) on conflict do nothing`,
    [center.id],
  )
  await fillWatching(server, center.id)
  const { vertical } = await services.centers.profile(center.id)
  const workflow = services.catalogue.ofVertical(vertical).find(({ definition }) => !definition.alone)
  await done('PUT', `/api/workflows/${workflow?.id}/settings`, accessToken, { tags: ['isolation'] })
  await done('POST', `/api/workflows/${workflow?.id}/execute`, accessToken, {
    parameters: { from: '2026-09-01', to: '2026-12-31' },
  })
  await fillRuns(server)

  const here = `/api/centers/${center.id}`
  await done('PUT', `${here}/instructors/${instructor.actorId}/hours`, accessToken, { hours: null })
  await done('POST', `${here}/members`, accessToken, { email: `guest-${newUuid()}@people.example`, role: 'PARENT' })
  await done('POST', `${here}/notification-channels`, accessToken, {
    ...{ kind: 'slack', name: '#approvals', url: 'https://hooks.slack.com/services/T0/B0/secret' },
  })
  await done('POST', `${here}/bookings`, accessToken, {
    instructorId: instructor.actorId,
    // A Monday at 14:00 in Seoul.
    startsAt: '2030-01-07T05:00:00.000Z',
  })
  const series = {
    instructorId: instructor.actorId,
    bookedFor: admin.actorId,
    startsAt: '2030-03-04T05:00:00.000Z',
    weeks: 3,
  }
  await done('POST', `${here}/booking-series`, accessToken, { ...series, leaveOut: ['2030-03-11'] })
  await done('POST', `${here}/closures`, accessToken, { from: '2028-12-28', name: 'Winter break' })
  await done('POST', `${here}/export`, accessToken, undefined)
  await fillExport(server, center)
  return { ...center, admin, instructor }
}

/** The first file of the running exports. Rows of a center that has left, which this one has not. */
async function fillExport({ services, world }: TestServer, { id }: Center): Promise<void> {
  await world.query(
    `insert into cell.closed_logs (center_id, domain, log, size, root, closed_at) values ($1, 'proof', 'x', 0, '', now())`,
    [id],
    true,
  )
  await world.query(`insert into cell.left_records values ($1, gen_random_uuid(), 'dpu')`, [id], true)
  const cell = services.cells.of('main')
  const [at, until] = [new Date(), new Date(Date.now() + 3_600_000)]
  for (const lease of await exportLeases(cell).take(at, until, 100, [])) {
    await cell.inTenantJob(lease.center_id, 'export', (tx) =>
      writeFile(tx, lease, { name: 'center', lines: 1, sha256: '', content: Buffer.from('{}') }),
    )
  }
}

/** Executions with a step due for a retry, and the schedules of all centers. */
async function fillRuns({ services }: TestServer): Promise<void> {
  const { catalogue, directory } = services
  const cell = services.cells.of('main')
  await syncSchedules({ catalogue, directory }, cell)
  const keys = catalogue.all.map(({ definition }) => definition.key)
  const [at, until] = [new Date(), new Date(Date.now() + 60_000)]
  const leases = await executionLeases(cell, keys, 100).take(at, until, 100, [])
  const tried = {
    position: 0,
    name: 'first',
    status: 'RETRYING',
    attempts: 1,
    error: 'not yet',
    started_at: at,
  } as const
  const records = leases.map(({ center_id, id, epoch }) => ({ center_id, id, epoch, ...tried, next_at: until }))
  await recordSteps(cell, JSON.stringify(records))
}

/** A witnessed checkpoint, a tile, which the service writes only after 256 entries, and a loss that was told. */
async function fillWatching({ services, world }: TestServer, centerId: number): Promise<void> {
  const caller = { requestId: 'req_filling', actorId: null, centerId }
  await services.cells.of('main').inTenant(caller, (tx) => noteVerified(tx, { learnerId: 'learner-12' }))
  await services.cells.of('main').inTenantJob(centerId, 'watching', async (tx) => {
    await keepCosignature(tx, 'proof', 1, 'w1', '— w1 AAAA\n', new Date())
    await keepTimestamp(tx, 'proof', 1, Buffer.from('a token'), new Date())
  })
  await world.query(
    `insert into cell.tree_tiles (center_id, domain, level, n, hashes, root)
     values ($1, 'proof', 0, 0, decode(repeat('00', 8192), 'hex'), decode(repeat('00', 32), 'hex'))`,
    [centerId],
  )
  await world.query(
    `insert into cell.log_generations (center_id, domain, generation, restored_size, restored_root, lost_size, reason,
       declared_by, declared_at)
     values ($1, 'proof', 2, 0, decode(repeat('00', 32), 'hex'), 1, 'a loss', 'an operator', now())`,
    [centerId],
    true,
  )
  await tellIntegrityJob(services, 'main')
  await world.query(
    `insert into cell.alarm_acknowledgements (center_id, domain, acknowledged_by, name, note, acknowledged_at)
     values ($1, 'proof', gen_random_uuid(), 'an operator', 'a note', now())`,
    [centerId],
    true,
  )
  await world.query(
    `insert into directory.subscription_invoices (center_id, number, amount, currency, paid, stated_at)
     values ($1, 'an invoice', '99000', 'KRW', true, now())`,
    [centerId],
  )
}

/** A webhook, a failed event as a delivery worker would have recorded it, and a recovery. */
async function fillWebhooks(
  { services, world }: TestServer,
  post: (path: string, body: object) => Promise<unknown>,
): Promise<void> {
  await post('webhooks', { url: 'https://hooks.example.org/countersign', events: ['payment.*'] })
  await post('events', { id: 'pay-881', type: 'payment.completed', data: { amount: 45000 } })
  const cell = services.cells.of('main')
  const [at, until] = [new Date(), new Date(Date.now() + 1000)]
  const [lease] = await endpointLeases(cell).take(at, until, 1, [])
  if (!lease) throw new Error('nothing is due')
  const step = { lease, knownVersion: 0, at, until, health: null, after: null }
  const due = (await deliveryStep(cell, { ...step, outcomes: [], most: 1, idle: false }))?.due?.[0]
  if (!due) throw new Error('nothing is due at the endpoint')
  const failed = {
    ...{ event_id: due.event_id, number: 1, at: at.toISOString(), ms: 5000, response_status: null, excerpt: '' },
    ...{ error: 'timeout', message: 'No answer within 5 seconds.', status: 'failed' as const },
    ...{ failed_in_cycle: 1, next_at: null, sign_with: null },
  }
  await deliveryStep(cell, { ...step, outcomes: [failed], most: 0, idle: true })
  const [row] = await world.query<{ id: string }>('select id from cell.webhooks where center_id = $1', [
    lease.center_id,
  ])
  await post(`webhooks/${typedId('webhook', row?.id as string)}/recover`, { since: '2026-01-01T00:00:00.000Z' })
}
