/** Two centers with at least one row of each in every tenant table, written by the doors that the service has. */
import { audit } from '@countersign/server/audit/audit.ts'
import { countEventsJob } from '@countersign/server/features/decision-events/count-events.job.ts'
import { sampleEvent } from '../support/samples.ts'
import type { TestServer } from '../support/server.ts'
import type { Center } from '../support/world.ts'

export async function filledCenter(server: TestServer): Promise<Center> {
  const { world, services } = server
  const center = await world.center()
  const admin = await world.person()
  await world.member(admin, center)
  const { accessToken } = await server.signIn(admin, center.domain)
  const once = { 'idempotency-key': `fill-${center.id}` }
  const made = await server.call('POST', '/api/api-keys', {
    token: accessToken,
    headers: once,
    body: { name: 'recorder', scopes: ['proof:write'] },
  })
  const recorded = await server.call('POST', '/api/v1/decision-events', {
    token: made.body.data.key,
    headers: once,
    body: sampleEvent(),
  })
  if (recorded.status !== 201) throw new Error(`could not fill a center: ${recorded.text}`)
  await countEventsJob(services, 'main', { centerId: center.id })
  // Nothing that writes into the cell is audited yet.
  const caller = { requestId: 'req_fill', actorId: admin.actorId, centerId: center.id }
  await services.cells
    .of('main')
    .inTenant(caller, (tx) =>
      audit(tx, { type: 'settings.updated', action: 'filled', target: { type: 'center', id: String(center.id) } }),
    )
  return center
}
