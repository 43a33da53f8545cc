/** A partner with accounts, two centers, people, subscriptions, settings and audit entries in every table that has them. */
import { audit } from '@countersign/server/audit/audit.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { registerPasskey } from '../support/passkeys.ts'
import type { TestServer } from '../support/server.ts'
import type { Center, Partner, Person } from '../support/world.ts'
import { emergencyForPartner } from './emergencies.ts'

type EmergencyOfPartner = Awaited<ReturnType<typeof emergencyForPartner>>

export interface FilledPartner extends Partner {
  readonly admin: Person
  readonly operator: Person
  readonly centers: readonly [Center, Center]
  readonly members: readonly Person[]
  /** Emergency approvals that were objected to, each in a center of its own whose only ADMIN has a passkey that waits. */
  readonly emergencies: readonly [EmergencyOfPartner, EmergencyOfPartner]
  /** Texts that occur only in the data of this partner. */
  readonly marks: readonly string[]
}

export async function filledPartner(server: TestServer): Promise<FilledPartner> {
  const { world, services } = server
  const [partner, admin, operator] = [await world.partner(), await world.person(), await world.person()]
  await world.account(admin, partner)
  await world.account(operator, partner, 'PARTNER_OPERATOR')
  const centers = [await world.center({ partner }), await world.center({ partner })] as const
  const members: Person[] = []
  const secret = newUuid()
  for (const center of centers) {
    await world.query(
      `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
       values ($1, 'center-growth', 'ACTIVE', 'MONTHLY', now() + interval '30 days', 100)`,
      [center.id],
    )
    const member = await world.person()
    await world.member(member, center, 'INSTRUCTOR')
    await server.signIn(member, center.domain)
    members.push(member)
    const caller = { requestId: 'req_fill', actorId: member.actorId, centerId: center.id }
    const trace = { type: 'settings.updated', action: 'center', target: { type: 'center', id: secret } } as const
    await services.cells.of('main').inTenant(caller, (tx) => audit(tx, trace))
  }
  const { accessToken: token } = await server.signIn(admin)
  const answer = await server.call('PATCH', '/api/partner/settings', { token, body: { secret } })
  if (answer.status !== 200) throw new Error(`could not fill a partner: ${answer.text}`)
  const domain = await server.call('POST', '/api/partner/domains', { token, body: { domain: `${secret}.example` } })
  const body = { name: secret, issuer: 'https://login.example', clientId: secret, clientSecret: secret }
  const provider = await server.call('POST', '/api/partner/sign-in-providers', { token, body })
  if (domain.status !== 201 || provider.status !== 201) throw new Error(`could not fill a partner: ${provider.text}`)
  const invited = { email: `${secret}@partners.example`, role: 'PARTNER_OPERATOR' }
  const invitation = await server.call('POST', '/api/partner/invitations', { token, body: invited })
  if (invitation.status !== 201) throw new Error(`could not fill a partner: ${invitation.text}`)
  const stop = { actorId: 'agent-of-nobody', reason: secret }
  const stopped = await server.call('POST', `/api/partner/centers/${centers[0].id}/freezes`, { token, body: stop })
  if (stopped.status !== 201) throw new Error(`could not fill a partner: ${stopped.text}`)
  const emergencies = [await emergencyForPartner(server, partner), await emergencyForPartner(server, partner)] as const
  const passkeys: string[] = []
  for (const each of emergencies) {
    const { accessToken } = await server.signIn(each.admin, each.center.domain)
    passkeys.push((await registerPasskey(server, accessToken)).id)
  }
  await services.passkeyOutbox.deliver()
  const urgent = emergencies.flatMap((each) => [each.admin, each.instructor])
  const people = [admin, operator, ...members, ...urgent].flatMap(({ actorId, email }) => [actorId, email])
  return {
    ...partner,
    admin,
    operator,
    centers,
    members,
    emergencies,
    marks: [
      ...[secret, partner.id, ...people, ...passkeys],
      ...[...centers, ...emergencies.map(({ center }) => center)].map(({ domain }) => domain),
      ...emergencies.map(({ params }) => params.eventId),
    ],
  }
}
