/** Valid calls of the operations on sessions of browsers. */
import { hashToken, newToken } from '@countersign/server/access/opaque-token.ts'
import { newId } from '@countersign/server/lib/ids.ts'
import { newBrowserKeys } from '../../support/push-service.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample, SampleCall } from './sample.ts'

const signIn = (server: TestServer, { admin, center }: Cast) => server.signIn(admin, center.domain)

/** A request of the browser that holds the session, from the page of the server. */
const inBrowser = async (server: TestServer, cast: Cast): Promise<SampleCall> => ({
  headers: {
    cookie: `refresh_token=${(await signIn(server, cast)).refreshToken}`,
    origin: 'http://countersign.test',
  },
})

let language = 'en'

const newPhone = () => ({ phone: `+8210${String(Math.random()).slice(2, 10)}` })

/** A person gets one code a minute: those of earlier samples are forgotten. */
const asking = (body: () => object): Sample => ({
  async call({ world }) {
    await world.query('delete from directory.address_changes', [], true)
    return { body: body() }
  },
  status: 202,
})

/** The code that waits is the administrator's. */
const confirming = (kind: 'email' | 'phone', address: (cast: Cast) => string): Sample => ({
  async call({ world, services }, cast) {
    const { actorId } = cast.admin
    await world.query('delete from directory.address_changes', [], true)
    await world.query(
      `insert into directory.address_changes (actor_id, kind, address, sealed, asked_at, code_until, expires_at)
       values ($1, $2, $3, $4, now(), now() + interval '1 hour', now() + interval '1 hour')`,
      [actorId, kind, address(cast), services.box.seal('482913', `address change ${kind} ${actorId}`)],
      true,
    )
    return { body: { code: '482913' } }
  },
  status: 200,
  others: { status: 409, code: 'CONFLICT' },
  foreign: { status: 409, code: 'CONFLICT' },
})

/** The administrator's calendar, at a new address. */
async function withCalendar({ world }: TestServer, { admin }: Cast): Promise<string> {
  const token = newToken('csc')
  await world.query(
    `insert into directory.calendar_feeds (actor_id, token_hash, names, created_at) values ($1, $2, false, now())
     on conflict (actor_id) do update set token_hash = excluded.token_hash`,
    [admin.actorId, hashToken(token)],
    true,
  )
  return token
}

export const sessionSamples: Readonly<Record<string, Sample>> = {
  'auth.startSession': {
    call: (_, { admin: { email, password } }) => ({ body: { email, password } }),
    status: 200,
  },
  'auth.refreshSession': { call: inBrowser, status: 200 },
  'auth.switchSession': {
    call: (_, { center }) => ({ body: { centerId: center.id } }),
    status: 200,
    foreign: { status: 403, code: 'NO_MEMBERSHIP' },
    nowhere: () => ({ body: { centerId: 2_000_000_000 } }),
  },
  'auth.endSession': { call: inBrowser, status: 204 },
  'auth.updateMe': {
    call: () => {
      language = language === 'ko' ? 'en' : 'ko'
      return { body: { language } }
    },
    status: 200,
  },
  // The password that they have: other samples sign in with it. It ends all other sessions, of which there are none.
  'auth.changePassword': {
    async call({ world }, { admin }) {
      await world.query(
        `update directory.sessions set revoked_at = now(), revoke_reason = 'logout' where actor_id = $1 and revoked_at is null`,
        [admin.actorId],
        true,
      )
      return { body: { password: admin.password } }
    },
    status: 204,
  },
  'auth.changeEmail': asking(() => ({ email: `${newId('session')}@people.example` })),
  'auth.confirmEmail': { ...confirming('email', ({ admin }) => admin.email), namesNothing: true },
  'auth.changePhone': asking(newPhone),
  'auth.confirmPhone': { ...confirming('phone', () => newPhone().phone), namesNothing: true },
  'auth.removePhone': {
    async call({ world }, { admin }) {
      await world.query('update directory.actors set phone = $2, phone_verified_at = now() where id = $1', [
        admin.actorId,
        newPhone().phone,
      ])
      return {}
    },
    status: 204,
  },
  'auth.getErasure': { call: () => ({}), status: 200 },
  // An account of its own: the others name one that is not theirs.
  'auth.deleteMe': {
    async call(server) {
      const person = await server.world.person()
      const { accessToken: token } = await server.signIn(person)
      return { query: `actorId=${person.actorId}`, token }
    },
    status: 200,
    others: { status: 409, code: 'CONFLICT' },
  },
  'notifications.get': { call: () => ({}), status: 200 },
  'notifications.put': {
    call: () => ({ body: { groups: [], quietHours: { from: '22:00', until: '07:00' }, timeZone: null } }),
    status: 200,
  },
  'push.get': { call: () => ({}), status: 200 },
  'push.subscribe': {
    call: () => ({
      body: { endpoint: `https://fcm.googleapis.com/fcm/send/${newId('session')}`, keys: newBrowserKeys().keys },
    }),
    status: 204,
  },
  'push.unsubscribe': { call: () => ({}), status: 204 },
  'calendarFeed.get': { call: () => ({}), status: 200 },
  'calendarFeed.create': { call: () => ({ body: { names: false } }), status: 201 },
  'calendarFeed.update': {
    // Everybody has one: an earlier sample may have given some of them theirs.
    call: async ({ world }) => {
      await world.query(
        `insert into directory.calendar_feeds (actor_id, token_hash, names, created_at)
         select id, sha256(convert_to(id::text, 'UTF8')), false, now() from directory.actors on conflict do nothing`,
        [],
        true,
      )
      return { body: { names: true } }
    },
    status: 204,
  },
  'calendarFeed.delete': { call: () => ({}), status: 204 },
  'calendarFeed.read': {
    call: async (server, cast) => ({ params: { file: `${await withCalendar(server, cast)}.ics` } }),
    status: 200,
  },
  'sessions.list': { call: () => ({}), status: 200 },
  'sessions.end': {
    async call(server, cast) {
      const { accessToken: token } = await signIn(server, cast)
      const { body } = await server.call('GET', '/api/auth/sessions', { token })
      return { params: { id: body.data.find((each: { current: boolean }) => each.current).id } }
    },
    status: 204,
    others: { status: 404, code: 'NOT_FOUND' },
    nowhere: () => ({ params: { id: newId('session') } }),
  },
}
