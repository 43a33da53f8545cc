import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let lastPhone = 0

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const newPhone = () => `+1555${String(++lastPhone).padStart(7, '0')}`
const unverify = (person: Person, what: 'email' | 'phone') =>
  server.world.query(`update directory.actors set ${what}_verified_at = null where id = $1`, [person.actorId])

/** Another record of a person, without a password of its own. */
const relative = (identity: { email?: string; phone?: string }) => server.world.person({ ...identity, login: false })

async function centerOf(person: Person, role = 'PARENT', status = 'ACTIVE'): Promise<Center> {
  const center = await server.world.center()
  await server.world.member(person, center, role, status)
  return center
}

/** The centers a person may enter according to every operation that lists or enters centers; all must agree. */
async function enterable(person: Person, centers: readonly Center[]): Promise<Center[]> {
  const open: Center[] = []
  for (const center of centers) {
    const direct = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: person.password, centerDomain: center.domain },
    })
    const { accessToken } = await server.signIn(person)
    const me = await server.call('GET', '/api/auth/me', { token: accessToken })
    const switched = await server.call('POST', '/api/auth/switch-center', {
      token: accessToken,
      body: { centerId: center.id },
    })
    const listed = me.body.data.authorizedDomains.includes(center.domain)
    expect([direct.status, switched.status]).toEqual(listed ? [200, 200] : [403, 403])
    if (!listed) continue
    const token = switched.body.data.accessToken
    expect((await server.call('GET', '/api/auth/me', { token })).body.data.centerId).toBe(center.id)
    const refreshed = await server.call('POST', '/api/auth/refresh-token', {
      body: { refreshToken: switched.body.data.refreshToken },
    })
    expect(refreshed.body.data.center.id).toBe(center.id)
    open.push(center)
  }
  return open
}

describe('centers are shared', () => {
  it('by a verified email', async () => {
    const person = await server.world.person()
    const center = await centerOf(await relative({ email: person.email }))
    expect(await enterable(person, [center])).toEqual([center])
  })

  it('by a verified phone', async () => {
    const phone = newPhone()
    const person = await server.world.person({ phone })
    const center = await centerOf(await relative({ phone }))
    expect(await enterable(person, [center])).toEqual([center])
  })

  it("under the signed-in actor's own id, with the role of the membership", async () => {
    const person = await server.world.person()
    const [teaching, own] = [
      await centerOf(await relative({ email: person.email }), 'INSTRUCTOR'),
      await centerOf(person),
    ]
    const { accessToken, answer } = await server.signIn(person, own.domain)
    expect(answer.body.data.actor.role).toBe('PARENT')
    const switched = await server.call('POST', '/api/auth/switch-center', {
      token: accessToken,
      body: { centerId: teaching.id },
    })
    expect(switched.body.data.actor).toMatchObject({ id: person.actorId, email: person.email, role: 'INSTRUCTOR' })
    const me = await server.call('GET', '/api/auth/me', { token: switched.body.data.accessToken })
    expect(me.body.data).toMatchObject({ actorId: person.actorId, role: 'INSTRUCTOR', centerDomain: teaching.domain })
    expect(me.body.data.memberships.map((each: { role: string }) => each.role).sort()).toEqual(['INSTRUCTOR', 'PARENT'])
  })

  it.each([
    ['PARENT', 'SUSPENDED', 'ADMIN', 'ACTIVE', null],
    ['ADMIN', 'ACTIVE', 'CHILD', 'SUSPENDED', null],
    ['INSTRUCTOR', 'ACTIVE', 'ADMIN', 'ENDED', null],
    ['ADMIN', 'ACTIVE', 'PARENT', 'ACTIVE', 'PARENT'],
    ['CHILD', 'ACTIVE', 'ADMIN', 'ACTIVE', 'CHILD'],
    ['INSTRUCTOR', 'ACTIVE', 'CHILD', 'INVITED', 'INSTRUCTOR'],
    ['INSTRUCTOR', 'ACTIVE', 'CHILD', 'REJECTED', 'INSTRUCTOR'],
  ])(
    'with the stricter of two memberships in a center: %s %s and %s %s',
    async (role, status, theirs, standing, shown) => {
      const phone = newPhone()
      const person = await server.world.person({ phone })
      const center = await centerOf(person, role, status)
      await server.world.member(await relative({ phone }), center, theirs, standing)
      const { body } = (await server.signIn(person)).answer
      expect(body.data.center?.id ?? null).toBe(shown && center.id)
      const me = await server.call('GET', '/api/auth/me', { token: body.data.accessToken })
      expect(me.body.data.memberships).toHaveLength(1)
      if (shown) expect(me.body.data.role).toBe(shown)
    },
  )
})

describe('centers are not shared', () => {
  it.each(['email', 'phone'] as const)('by an %s that the relative has not verified', async (what) => {
    const phone = newPhone()
    const person = await server.world.person({ phone })
    const other = await relative(what === 'email' ? { email: person.email } : { phone })
    await unverify(other, what)
    expect(await enterable(person, [await centerOf(other)])).toEqual([])
  })

  it.each(['email', 'phone'] as const)('by an %s that the signed-in actor has not verified', async (what) => {
    const phone = newPhone()
    const person = await server.world.person({ phone })
    await unverify(person, what)
    const other = await relative(what === 'email' ? { email: person.email } : { phone })
    expect(await enterable(person, [await centerOf(other)])).toEqual([])
  })

  it('over two hops: a relative of a relative is not in the family', async () => {
    const phone = newPhone()
    const person = await server.world.person()
    const near = await relative({ email: person.email, phone })
    const far = await relative({ phone })
    const [nearCenter, farCenter] = [await centerOf(near), await centerOf(far)]
    expect(await enterable(person, [nearCenter, farCenter])).toEqual([nearCenter])
  })

  it('between actors who both lack phone and email', async () => {
    const person = await server.world.person()
    const unrelated = await relative({})
    await server.world.query('update directory.actors set phone = null, phone_verified_at = now() where id = any($1)', [
      [person.actorId, unrelated.actorId],
    ])
    await server.world.query('update directory.actors set email = null where id = $1', [unrelated.actorId])
    expect(await enterable(person, [await centerOf(unrelated)])).toEqual([])
  })
})
