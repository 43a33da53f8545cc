/** Two centers with at least one row of each in every tenant table, written by the doors that the service has. */
import { countEventsJob } from '@countersign/server/features/decision-events/count-events.job.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { sampleEvent } from '../support/samples.ts'
import type { TestServer } from '../support/server.ts'
import type { Center, Person } from '../support/world.ts'

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
    centerName: `Center ${domain}`,
    subdomain: domain,
    planId: 'center-starter',
    orderId: newUuid(),
    adminActorId: admin.actorId,
  })
  const center: Center = { id: founded.center.id, domain }
  await world.member(instructor, center, 'INSTRUCTOR')
  await world.member(child, center, 'CHILD')
  await world.query('insert into directory.guardianships (parent_id, child_id) values ($1, $2)', [
    admin.actorId,
    child.actorId,
  ])

  const { accessToken } = await server.signIn(admin, domain)
  const once = { 'idempotency-key': `fill-${center.id}` }
  const made = await done('POST', '/api/api-keys', accessToken, { name: 'recorder', scopes: ['proof:write'] }, once)
  const event = await done('POST', '/api/v1/decision-events', made.key, sampleEvent(), once)
  await countEventsJob(services, 'main', { centerId: center.id })
  await done('POST', `/api/v1/decision-events/${event.id}/approvals`, made.key, {
    approver: { id: 'somebody', type: 'human' },
    result: 'approved',
  })
  await done('POST', '/api/dpu/demo', accessToken, { content: 'A decision' })
  await done('POST', '/api/policies', accessToken, {
    name: 'Stock needs a person',
    match: { actionTypes: ['stock.*'] },
    guards: { humanReview: true },
  })
  await server.call('GET', '/api/dpu/verify-chain', { token: accessToken })

  const here = `/api/centers/${center.id}`
  await done('PUT', `${here}/instructors/${instructor.actorId}/hours`, accessToken, { hours: null })
  await done('POST', `${here}/members`, accessToken, { email: `guest-${newUuid()}@people.example`, role: 'PARENT' })
  await done('POST', `${here}/bookings`, accessToken, {
    instructorId: instructor.actorId,
    // A Monday at two in the afternoon, in Seoul.
    startsAt: '2030-01-07T05:00:00.000Z',
  })
  return { ...center, admin, instructor }
}
