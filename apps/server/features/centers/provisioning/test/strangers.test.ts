/** What one account can do with centers that it founds for itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'

let mailbox: Mailbox
let server: TestServer
let count = 0

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({
    env: { SMTP_URL: mailbox.url, CENTERS_PER_PERSON: '3', RATE_LIMIT_PROOF_PER_CENTER: '20/600' },
  })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const order = (adminActorId: string, over: object = {}) => {
  const n = ++count
  return {
    ...{ centerName: `Center ${n}`, subdomain: `stranger-${n}`, planId: 'center-starter', orderId: `order-${n}` },
    ...{ adminActorId, ...over },
  }
}
const found = (token: string, body: object, at = server) =>
  at.call('POST', '/api/provisioning/center-tenant', { token, body })

async function founder(options: Parameters<TestServer['world']['person']>[0] = {}, at = server) {
  const person = await at.world.person(options)
  return { person, token: (await at.signIn(person)).accessToken }
}

/** A center that a person founded, and a session of its ADMIN in it. */
async function ownCenter(person: Person, over: object = {}) {
  const { accessToken } = await server.signIn(person)
  const { body } = await found(accessToken, order(person.actorId, over))
  const { id, centerDomain } = body.data.center
  return {
    id: id as number,
    domain: centerDomain as string,
    token: (await server.signIn(person, centerDomain)).accessToken,
  }
}

describe('centers of one person', () => {
  it('are three; the next is refused, and a repeated order is not', async () => {
    const { person, token } = await founder()
    const orders = Array.from({ length: 3 }, () => order(person.actorId))
    for (const each of orders) expect((await found(token, each)).status).toBe(201)
    const { status, body, headers } = await found(token, order(person.actorId))
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await found(token, orders[0] as object)).status).toBe(200)
  })

  it('are three of thirty concurrent orders', async () => {
    const { person, token } = await founder()
    const answers = await Promise.all(Array.from({ length: 30 }, () => found(token, order(person.actorId))))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(27).fill(429)])
  })

  it('that have ended, of others, and sandboxes do not count', async () => {
    const { person, token } = await founder()
    await server.world.member(person, await server.world.center(), 'ADMIN')
    const made = await ownCenter(person)
    await server.world.query("update directory.centers set status = 'INACTIVE' where id = $1", [made.id], true)
    const next = await ownCenter(person)
    expect((await server.call('POST', `/api/centers/${next.id}/sandbox`, { token: next.token })).status).toBe(201)
    for (let n = 0; n < 2; n++) expect((await found(token, order(person.actorId))).status).toBe(201)
    expect((await found(token, order(person.actorId))).status).toBe(429)
  })

  it.each([{ partner: true }, { operator: true }])('have no bound for %o', async (options) => {
    const { person, token } = await founder(options)
    for (let n = 0; n < 5; n++) expect((await found(token, order(person.actorId))).status).toBe(201)
  })

  it('have no bound in development without the setting', async () => {
    const open = await startServer({ beside: server, env: { CENTERS_PER_PERSON: '' } })
    try {
      const { person, token } = await founder()
      for (let n = 0; n < 5; n++) expect((await found(token, order(person.actorId), open)).status).toBe(201)
    } finally {
      await open.close()
    }
  })
})

describe('SIGN_UP', () => {
  const signUp = (at: TestServer) =>
    at.call('POST', '/api/auth/signup', { body: { email: `new-${++count}@people.example`, name: 'Kim' } })

  it.each([
    ['open', 202, 201],
    ['invited', 403, 201],
    ['closed', 403, 403],
  ])('%s: signing up is %i, founding a center is %i', async (SIGN_UP, signedUp, founded) => {
    const at = await startServer({ beside: server, env: { SIGN_UP, SMTP_URL: mailbox.url } })
    try {
      expect((await signUp(at)).status).toBe(signedUp)
      expect(
        (
          await at.call('POST', '/api/auth/signup/confirm', {
            body: { token: 'csu_x', password: 'a long new password' },
          })
        ).status,
      ).toBe(SIGN_UP === 'open' ? 401 : 403)
      const { person, token } = await founder()
      expect((await found(token, order(person.actorId), at)).status).toBe(founded)
      for (const options of [{ partner: true }, { operator: true }]) {
        const other = await founder(options)
        expect((await found(other.token, order(other.person.actorId), at)).status).toBe(201)
      }
    } finally {
      await at.close()
    }
  })
})

describe('limits of the account', () => {
  const events = (key: string) => server.call('GET', '/api/v1/decision-events?limit=1', { token: key })

  it('count the requests of all its centers together', async () => {
    const { person } = await founder()
    const centers = [await ownCenter(person), await ownCenter(person)]
    const keys = await Promise.all(centers.map((center) => server.world.key(center)))
    for (let n = 0; n < 20; n++) expect((await events(keys[n % 2] as string)).status).toBe(200)
    const refused = await events(keys[0] as string)
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT'])
    expect(refused.body.error.message).toContain('account')
    expect((await events(await server.world.key(await server.world.center()))).status).toBe(200)
  })
})

describe('mails', () => {
  const invite = (center: { id: number; token: string }, email: string) =>
    server.call('POST', `/api/centers/${center.id}/members`, { token: center.token, body: { email, role: 'PARENT' } })
  const guest = () => `guest-${++count}@people.example`

  it('of invitations to one address are five a day from all centers together', async () => {
    const victim = `victim-${++count}@people.example`
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) {
      const { person } = await founder()
      for (const spelled of [victim, victim.toUpperCase(), victim.replace('@', '+x@')]) {
        statuses.push((await invite(await ownCenter(person), spelled)).status)
      }
    }
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(7).fill(429)])
    const sent = () =>
      mailbox.messages.filter(({ to }) =>
        to
          .join()
          .toLowerCase()
          .startsWith(victim.split('@')[0] as string),
      )
    await expect.poll(() => sent().length).toBe(5)
  })

  it('of a center that nobody vouches for are fifty a day; of a paid one or one of a partner more', async () => {
    const { person } = await founder()
    const center = await ownCenter(person)
    const statuses: number[] = []
    for (let n = 0; n < 55; n++) statuses.push((await invite(center, guest())).status)
    expect(statuses).toEqual([...Array(50).fill(201), ...Array(5).fill(429)])
    await server.world.query(
      "update directory.subscriptions set status = 'ACTIVE', billed_at = now() where center_id = $1",
      [center.id],
      true,
    )
    expect((await invite(center, guest())).status).toBe(201)
  })
})
