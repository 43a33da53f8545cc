import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'

let server: TestServer
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const tokenOf = async (person: Person, center?: Center) => (await server.signIn(person, center?.domain)).accessToken
const ownerOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).actorId
const erase = (token?: string, actorId = token ? ownerOf(token) : newUuid()) =>
  server.call('DELETE', `/api/auth/me?actorId=${actorId}`, { ...(token && { token }) })
const preview = async (token: string) => (await server.call('GET', '/api/auth/me/erasure', { token })).body.data
const login = (person: Person) =>
  server.call('POST', '/api/auth/login', { body: { email: person.email, password: person.password } })
const query = (text: string, values: unknown[]) => server.world.query(text, values, true)

async function staff(role = 'INSTRUCTOR') {
  const [admin, person] = [await server.world.person(), await server.world.person()]
  const center = await server.world.center()
  await server.world.member(admin, center)
  await server.world.member(person, center, role)
  return { admin, person, center }
}

describe('200', () => {
  it('ends the ways in, the rights and the address; the center keeps the name that it knew', async () => {
    const { person, center } = await staff()
    const [token, other] = [await tokenOf(person), await tokenOf(person)]
    const before = await preview(token)
    const [known] = await query('select name from directory.memberships where actor_id = $1', [person.actorId])
    const done = await erase(token)
    expect([done.status, done.body.data]).toEqual([200, before])
    expect(before).toMatchObject({
      obstacles: [],
      ends: { memberships: [{ id: center.id }], children: 0, sessions: 2 },
      keeps: { centers: [{ id: center.id }], children: 0 },
    })
    for (const each of [token, other])
      expect((await server.call('GET', '/api/auth/me', { token: each })).status).toBe(401)
    expect((await login(person)).status).toBe(401)
    const [row] = await query('select name, email, phone, erased_at from directory.actors where id = $1', [
      person.actorId,
    ])
    expect(row).toMatchObject({ name: '', email: null, phone: null, erased_at: expect.any(Date) })
    const members = await query('select name, address, status from directory.memberships where actor_id = $1', [
      person.actorId,
    ])
    expect(members).toEqual([{ name: known?.name, address: null, status: 'ENDED' }])
    for (const table of [
      ...['credentials', 'login_identifiers', 'password_resets', 'push_subscriptions', 'oidc_accounts'],
      ...['notification_settings', 'digest_items', 'calendar_feeds'],
    ])
      expect(await query(`select from directory.${table} where actor_id = $1`, [person.actorId])).toEqual([])
    await server.services.mail.close()
    expect(mailbox.messages.findLast(({ to }) => to.includes(person.email))?.text).toContain('was deleted')
    expect(
      await query(
        `select details->>'action' as action from directory.audit_entries where center_id = $1 and actor_id = $2`,
        [center.id, person.actorId],
      ),
    ).toContainEqual({ action: 'erased' })
  })

  it('the address begins anew: an invitation to it makes another person', async () => {
    const { admin, person, center } = await staff()
    await erase(await tokenOf(person))
    const token = await tokenOf(admin, center)
    const again = await server.call('POST', `/api/centers/${center.domain}/members`, {
      token,
      body: { email: person.email, role: 'INSTRUCTOR' },
    })
    expect([again.status, again.body.data.status]).toEqual([201, 'INVITED'])
    const rows = await query(
      'select status from directory.memberships where center_id = $1 and role = $2 order by status',
      [center.id, 'INSTRUCTOR'],
    )
    expect(rows.map(({ status }) => status)).toEqual(['ENDED', 'INVITED'])
  })

  it('the membership of somebody who is gone never begins again', async () => {
    const { admin, person, center } = await staff('CHILD')
    await erase(await tokenOf(person))
    const token = await tokenOf(admin, center)
    const again = await server.call('POST', `/api/centers/${center.domain}/children`, {
      token,
      body: { childId: person.actorId },
    })
    expect([again.status, again.body.error?.code]).toEqual([409, 'CONFLICT'])
    await expect(
      query(`update directory.memberships set status = 'ACTIVE' where actor_id = $1`, [person.actorId]),
    ).rejects.toThrow('deleted the account')
  })

  it('guardianships end; a child without an account stays a member of the center', async () => {
    const { admin, person, center } = await staff('PARENT')
    const child = await server.world.person({ login: false, verified: false })
    await server.world.member(child, center, 'CHILD')
    await server.world.guardian(person, child, center)
    const token = await tokenOf(person)
    expect((await preview(token)).keeps.children).toBe(1)
    await erase(token)
    const list = await server.call('GET', `/api/centers/${center.domain}/children`, {
      token: await tokenOf(admin, center),
    })
    expect(list.body.data[0]).toMatchObject({ actorId: child.actorId, membership: { status: 'ACTIVE' } })
    expect(list.body.data[0].guardians.map(({ status }: { status: string }) => status)).toEqual(['ENDED'])
  })

  it('records of the same person without a password end too; an account of its own goes on', async () => {
    const { person, center } = await staff()
    const record = await server.world.person({ email: person.email, login: false })
    const elsewhere = await server.world.center()
    await server.world.member(await server.world.person(), elsewhere)
    await server.world.member(record, elsewhere, 'PARENT')
    const phone = `+8210${String(Date.now()).slice(-8)}`
    const relative = await server.world.person({ phone })
    await query('update directory.actors set phone = $2, phone_verified_at = now() where id = any ($1::uuid[])', [
      [person.actorId, relative.actorId],
      phone,
    ])
    await erase(await tokenOf(person, center))
    const [kept, gone] = await Promise.all(
      [relative, record].map(({ actorId }) => query('select erased_at from directory.actors where id = $1', [actorId])),
    )
    expect([kept?.[0]?.erased_at, gone?.[0]?.erased_at]).toEqual([null, expect.any(Date)])
    expect((await login(relative)).status).toBe(200)
  })

  it('a sign-in and an invitation that were under way lead nowhere', async () => {
    const { person } = await staff()
    const token = await tokenOf(person)
    await erase(token)
    // A session that another process began in the moment before.
    const id = newUuid()
    await query(`insert into directory.sessions (id, actor_id, expires_at) values ($1, $2, now() + interval '1 day')`, [
      id,
      person.actorId,
    ])
    const [session] = await server.services.directory.identity(
      { requestId: 'test', actorId: null, centerId: 0 },
      async (tx) => (await import('../../../../access/queries.ts')).findSessions(tx, [id]),
    )
    expect(session?.revoked_at).not.toBeNull()
    await expect(
      query(
        `insert into directory.memberships (center_id, id, actor_id, role, status)
         values ((select min(id) from directory.centers), $1, $2, 'PARENT', 'INVITED')`,
        [newUuid(), person.actorId],
      ),
    ).rejects.toThrow('deleted the account')
  })
})

describe('409', () => {
  const refusal = async (person: Person, reason: string, words: string) => {
    const token = await tokenOf(person)
    expect((await preview(token)).obstacles.map((each: { reason: string }) => each.reason)).toEqual([reason])
    const { status, body } = await erase(token)
    expect([status, body.error?.code]).toEqual([409, 'CONFLICT'])
    expect(body.error?.message).toContain(words)
    expect((await login(person)).status).toBe(200)
  }

  it('for the last ADMIN of a center, which it names', async () => {
    const person = await server.world.person()
    const center = await server.world.center({ name: '하늘 발달센터' })
    await server.world.member(person, center)
    await refusal(person, 'LAST_ADMIN', '하늘 발달센터')
    await server.world.setCenterStatus(center, 'INACTIVE')
    expect((await erase(await tokenOf(person))).status).toBe(200)
  })

  it('for a workspace, a partner without another PARTNER_ADMIN, and an operator', async () => {
    const [owner, partnerAdmin] = [await server.world.person(), await server.world.person()]
    await server.world.member(owner, await server.world.center({ tenantType: 'WORKSPACE', name: 'My desk' }))
    await refusal(owner, 'OWN_WORKSPACE', 'My desk')
    const partner = await server.world.partner()
    await server.world.account(partnerAdmin, partner)
    await refusal(partnerAdmin, 'LAST_PARTNER_ADMIN', partner.name)
    await refusal(await server.world.person({ operator: true }), 'OPERATOR', 'operator')
  })

  it('a partner operator leaves', async () => {
    const [admin, operator] = [await server.world.person(), await server.world.person()]
    const partner = await server.world.partner()
    await server.world.account(admin, partner)
    await server.world.account(operator, partner, 'PARTNER_OPERATOR')
    expect((await erase(await tokenOf(operator))).status).toBe(200)
    expect(await query('select from directory.partner_accounts where actor_id = $1', [operator.actorId])).toEqual([])
  })
})

it('from the session of somebody else: 409; without an id: 400', async () => {
  const { person, admin } = await staff()
  const token = await tokenOf(admin)
  expect((await erase(token, person.actorId)).status).toBe(409)
  expect((await erase(token, 'me')).status).toBe(400)
  expect((await server.call('DELETE', '/api/auth/me', { token })).status).toBe(400)
  for (const each of [person, admin]) expect((await login(each)).status).toBe(200)
})

it('without a session: 401; with an old one: 403, until the person steps up', async () => {
  expect((await erase()).status).toBe(401)
  const { person } = await staff()
  const token = await tokenOf(person)
  const restore = useClock(() => Date.now() + 14 * 60_000)
  expect((await erase(token)).status).toBe(403)
  restore()
})

/** A busy server turns some away, who ask again. */
async function eraseSoon(token: string) {
  for (;;) {
    const answer = await erase(token)
    if (answer.status !== 503) return answer
    await setTimeout(200 + Math.random() * 300)
  }
}
const countBy = (answers: readonly { status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, own]) => [status, own.length]))

describe('fifty at once', () => {
  it('ADMINs of one center: one stays', async () => {
    const center = await server.world.center()
    const people = await Promise.all(Array.from({ length: 50 }, () => server.world.person()))
    for (const person of people) await server.world.member(person, center)
    const tokens: string[] = []
    for (const person of people) tokens.push(await tokenOf(person))
    const answers = await Promise.all(tokens.map(eraseSoon))
    expect(countBy(answers)).toEqual({ 200: 49, 409: 1 })
    const [left] = await query('select admin_count from directory.centers where id = $1', [center.id])
    expect(left?.admin_count).toBe(1)
  }, 60_000)

  it('PARTNER_ADMINs of one partner: one stays', async () => {
    const partner = await server.world.partner()
    const people = await Promise.all(Array.from({ length: 50 }, () => server.world.person()))
    for (const person of people) await server.world.account(person, partner)
    const tokens: string[] = []
    for (const person of people) tokens.push(await tokenOf(person))
    const answers = await Promise.all(tokens.map(eraseSoon))
    expect(countBy(answers)).toEqual({ 200: 49, 409: 1 })
    expect((await query('select from directory.partner_accounts where partner_id = $1', [partner.id])).length).toBe(1)
  }, 60_000)
})

it('whoever signs in ends nobody else', async () => {
  const { person } = await staff()
  await expect(
    server.services.directory.identity({ requestId: 'test', actorId: null, centerId: 0 }, (tx) =>
      tx.db
        .updateTable('memberships')
        .set({ status: 'ENDED', address: null })
        .where('actor_id', '=', person.actorId)
        .execute(),
    ),
  ).rejects.toThrow('storage error')
})
