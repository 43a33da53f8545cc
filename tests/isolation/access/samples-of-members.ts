/** Valid calls of the operations on members, and of the sign-in methods other than the password. */
import { hashToken, newToken } from '@countersign/server/access/opaque-token.ts'
import { newId, newUuid, typedId } from '@countersign/server/lib/ids.ts'
import type { TestServer } from '../../support/server.ts'
import type { Center, Person } from '../../support/world.ts'
import type { Sample } from './sample.ts'

async function membershipIn(
  { world }: TestServer,
  center: Center,
  person: Person,
  status: string,
  role = 'PARENT',
): Promise<string> {
  await world.member(person, center, role, status)
  const [row] = await world.query<{ id: string }>(
    'select id from directory.memberships where center_id = $1 and actor_id = $2',
    [center.id, person.actorId],
  )
  return row?.id as string
}

/** A transition by an administrator of a member in the right state. */
/** The administrator's own membership in another center: only that person can move it. */
const own = (status: string): Sample => ({
  async call(server, { admin }) {
    const elsewhere = await server.world.center()
    return { params: { id: typedId('membership', await membershipIn(server, elsewhere, admin, status)) } }
  },
  status: 200,
  others: { status: 404, code: 'NOT_FOUND' },
  nowhere: () => ({ params: { id: newId('membership') } }),
})

const move = (from: string, body?: object): Sample => ({
  async call(server, { center }) {
    const person = await server.world.person({ login: false })
    return { params: { id: typedId('membership', await membershipIn(server, center, person, from)) }, body }
  },
  status: 200,
  nowhere: () => ({ params: { id: newId('membership') }, body }),
})

/** A member whose role does not count for approvals yet. */
async function waitingIn(server: TestServer, center: Center): Promise<string> {
  const person = await server.world.person({ login: false })
  const id = await membershipIn(server, center, person, 'ACTIVE', 'INSTRUCTOR')
  await server.services.eligibility.deliver()
  await server.world.query(`update cell.eligibilities set counts_from = now() + interval '1 day' where id = $1`, [id])
  return typedId('membership', id)
}

const password = 'a password chosen just now'

async function invitationOf(server: TestServer, center: Center, person: Person): Promise<string> {
  const token = newToken('csi')
  await server.world.query(
    `insert into directory.invitations (hash, center_id, membership_id, approved, expires_at)
     values ($1, $2, $3, false, now() + interval '1 day')`,
    [hashToken(token), center.id, await membershipIn(server, center, person, 'INVITED')],
  )
  return token
}

export const memberSamples: Readonly<Record<string, Sample>> = {
  'auth.requestPasswordReset': { call: (_, { admin }) => ({ body: { email: admin.email } }), status: 202 },
  'auth.resetPassword': {
    async call({ world }) {
      const person = await world.person()
      const token = newToken('csp')
      await world.query(
        `insert into directory.password_resets (hash, actor_id, expires_at) values ($1, $2, now() + interval '1 hour')`,
        [hashToken(token), person.actorId],
      )
      return { body: { token, password } }
    },
    status: 204,
  },
  'auth.signUp': { call: () => ({ body: { email: `${newUuid()}@new.example`, name: 'Kim' } }), status: 202 },
  'auth.confirmSignUp': {
    async call({ world }) {
      const token = newToken('csu')
      const email = `${newUuid()}@new.example`
      await world.query(
        `insert into directory.sign_ups (identifier, hash, email, name, asked_at, expires_at)
         values ($1, $2, $3, 'Kim', now(), now() + interval '1 hour')`,
        [`email:${email}`, hashToken(token), email],
      )
      return { body: { token, password } }
    },
    status: 201,
  },
  'auth.readInvitation': {
    async call(server, { center }) {
      return { body: { token: await invitationOf(server, center, await server.world.person({ login: false })) } }
    },
    status: 200,
  },
  'auth.acceptInvitation': {
    async call(server, { center }) {
      const person = await server.world.person({ login: false, verified: false })
      return { body: { token: await invitationOf(server, center, person), password } }
    },
    status: 200,
  },
  // The administrator is invited to another center: nobody else accepts that with an account of their own.
  'auth.acceptOwnInvitation': {
    async call(server, { admin }) {
      return { body: { token: await invitationOf(server, await server.world.center(), admin) } }
    },
    status: 200,
    others: { status: 409, code: 'CONFLICT' },
  },
  'auth.listChildren': { call: () => ({}), status: 200 },

  'members.list': { call: (_, { center }) => ({ params: { center: center.domain } }), status: 200 },
  'members.exportCsv': { call: (_, { center }) => ({ params: { center: center.domain } }), status: 200 },
  'members.invite': {
    call: (_, { center }) => ({
      params: { center: center.domain },
      body: { email: `guest-${newUuid()}@people.example`, role: 'PARENT' },
    }),
    status: 201,
  },
  'members.import': {
    call: (_, { center }) => ({
      params: { center: center.domain },
      body: {
        dryRun: false,
        roles: ['PARENT'],
        rows: [{ row: 1, email: `guest-${newUuid()}@people.example`, roles: ['PARENT'] }],
      },
    }),
    status: 200,
  },
  'memberPasskeys.listUnconfirmed': {
    call: (_, { center }) => ({ params: { center: center.domain } }),
    status: 200,
  },
  'memberships.accept': own('INVITED'),
  'memberships.leave': own('ACTIVE'),
  'memberships.decline': own('INVITED'),
  'memberships.approve': move('PENDING'),
  'memberships.suspend': move('ACTIVE'),
  'memberships.reinstate': move('SUSPENDED'),
  'memberships.end': move('ACTIVE'),
  'memberships.reject': move('INVITED'),
  'memberships.reinvite': move('ENDED'),
  'memberships.update': move('ACTIVE', { roles: ['INSTRUCTOR', 'PARENT'] }),
  'memberships.listWaiting': { call: () => ({}), status: 200 },
  'memberships.confirm': {
    call: async (server, { center }) => ({ params: { id: await waitingIn(server, center) }, body: {} }),
    status: 200,
    nowhere: () => ({ params: { id: newId('membership') }, body: {} }),
  },
  'partner.confirmMembership': {
    call: async (server, { center }) => ({
      params: { centerId: String(center.id), id: await waitingIn(server, center) },
    }),
    status: 200,
    foreign: { status: 404, code: 'CENTER_NOT_FOUND' },
    nowhere: () => ({ params: { centerId: '2000000000', id: newId('membership') } }),
  },
}
