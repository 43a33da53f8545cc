/** A center that is a month old, whose first ADMINs count, on a server that makes new ones wait for a day. */
import type { Mailbox } from '../../../../../../tests/support/mailbox.ts'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'
import { typedId } from '../../../../lib/ids.ts'
import { type Colleague, type Office, openOffice } from '../../../evidence/decisions/test/fixture.ts'

export interface OldOffice extends Office {
  /** Invited by mail with an approval in advance, accepted from the mail, and signed in. */
  invited(by: Colleague, role: string): Promise<Colleague>
  membershipOf(who: Pick<Colleague, 'id'>): Promise<string>
  move(by: Colleague, who: Pick<Colleague, 'id'>, name: string): ReturnType<TestServer['call']>
  changeRole(by: Colleague, who: Pick<Colleague, 'id'>, ...roles: string[]): ReturnType<TestServer['call']>
  confirm(by: Colleague, who: Pick<Colleague, 'id'>, body?: object): ReturnType<TestServer['call']>
  /** What the history says of the membership, oldest first. */
  entriesAbout(who: Pick<Colleague, 'id'>): Promise<readonly { idx: number; disclosed: Record<string, unknown> }[]>
}

let count = 0

export async function openOldOffice(
  server: TestServer,
  mailbox: Mailbox,
  admins = 1,
): Promise<OldOffice & { others: Colleague[] }> {
  const office = await openOffice(server)
  const { center } = office
  const others = []
  for (let more = 1; more < admins; more++) others.push(await office.join())
  await server.services.eligibility.deliver()
  await server.world.query(
    `update directory.centers set created_at = now() - interval '30 days' where id = $1`,
    [center.id],
    true,
  )
  const membershipOf = async ({ id }: Pick<Colleague, 'id'>) => {
    const [row] = await server.world.query<{ id: string }>(
      'select id from directory.memberships where center_id = $1 and actor_id = $2',
      [center.id, id],
    )
    return typedId('membership', row?.id as string)
  }
  const post = async (by: Colleague, who: Pick<Colleague, 'id'>, name: string, body?: object) =>
    server.call('POST', `/api/memberships/${await membershipOf(who)}/${name}`, {
      token: by.token,
      ...(body && { body }),
    })
  return {
    ...office,
    others,
    membershipOf,
    move: post,
    confirm: (by, who, body = {}) => post(by, who, 'confirm', body),
    async invited(by, role) {
      const email = `mailbox-${count++}-${center.domain}@people.example`
      const body = { email, role, approved: true }
      const invitation = await server.call('POST', `/api/centers/${center.id}/members`, { token: by.token, body })
      if (invitation.status !== 201) throw new Error(invitation.text)
      const password = 'a long new password'
      const token = await mailbox.token(email, 'csi')
      const accepted = await server.call('POST', '/api/auth/invitations/accept', { body: { token, password } })
      if (accepted.status !== 200) throw new Error(accepted.text)
      const [row] = await server.world.query<{ id: string }>('select id from directory.actors where email = $1', [
        email,
      ])
      const person: Person = { actorId: row?.id as string, email, password }
      return { person, id: person.actorId, token: (await server.signIn(person, center.domain)).accessToken }
    },
    changeRole: async (by, who, ...roles) =>
      server.call('PATCH', `/api/memberships/${await membershipOf(who)}`, { token: by.token, body: { roles } }),
    entriesAbout: async (who) =>
      server.world.query(
        `select c.idx::int as idx, h.disclosed from cell.chain_entries c join cell.history h using (center_id, idx)
         where c.center_id = $1 and c.domain = 'history' and c.target = $2 order by c.idx`,
        [center.id, await membershipOf(who)],
        true,
      ),
  }
}
