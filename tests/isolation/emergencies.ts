/** Approvals that somebody gave in an emergency, in a center that exists. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import { type AsMember, open } from '../support/approving.ts'
import { sampleEvent } from '../support/samples.ts'
import type { TestServer } from '../support/server.ts'
import type { Center, Partner, Person } from '../support/world.ts'

export async function join({ world }: TestServer, center: Center, role: string): Promise<Person> {
  const person = await world.person()
  await world.member(person, center, role)
  return person
}

/** Requests of this member that have to succeed. */
async function asMember(server: TestServer, person: Person, { domain }: Center): Promise<AsMember> {
  const { accessToken: token } = await server.signIn(person, domain)
  return async (method, path, body) => {
    const answer = await server.call(method, path, { token, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`could not make an emergency: ${method} ${path}: ${answer.text}`)
    return answer.body.data
  }
}

async function approve(ask: AsMember, id: string, more: object = {}): Promise<void> {
  await ask('POST', `/api/decisions/${id}/approvals`, { result: 'approved', ...(await open(ask, id)), ...more })
}

/** Approved by `user`, and to be confirmed. The second ADMIN whom such a policy needs leaves again. */
export async function emergencyIn(
  server: TestServer,
  { center, admin, user }: { readonly center: Center; readonly admin: Person; readonly user: Person },
): Promise<string> {
  const type = `emergency.${newUuid()}`
  const second = await join(server, center, 'ADMIN')
  const { pending } = await (await asMember(server, admin, center))('POST', '/api/policies', {
    ...{ name: 'Approved at once', match: { actionTypes: [type] }, guards: { humanReview: true } },
    approval: { emergency: { actorIds: [user.actorId], confirmWithinSeconds: 3600 } },
  })
  await approve(await asMember(server, second, center), pending.eventId)
  await server.world.setMembership(second, center, { status: 'ENDED' })
  const event = await server.call('POST', '/api/v1/decision-events', {
    token: await server.world.key(center),
    body: sampleEvent({ action: { type } }),
  })
  const { id } = event.body.data
  await approve(await asMember(server, user, center), id, { emergency: true, reason: 'It could not wait.' })
  return id
}

export async function objectTo(server: TestServer, center: Center, by: Person, id: string): Promise<void> {
  const ask = await asMember(server, by, center)
  await ask('POST', `/api/decisions/${id}/confirmations`, { result: 'objected', reason: 'It could wait.' })
}

/** In a center of its own, objected to, and used by the only ADMIN: the partner closes it. */
export async function emergencyForPartner(server: TestServer, partner: Partner) {
  const center = await server.world.center({ partner })
  const [admin, instructor] = [await join(server, center, 'ADMIN'), await join(server, center, 'INSTRUCTOR')]
  const eventId = await emergencyIn(server, { center, admin, user: admin })
  await objectTo(server, center, instructor, eventId)
  return { center, admin, instructor, params: { centerId: String(center.id), eventId } }
}
