import { type ConfirmStatement, challengeOf, checkAssertion } from '@countersign/proof/passkey.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../../../../../tests/journeys/operator-shell.ts'
import { countingPasskey, type Registered, registerPasskey } from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Partner, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'

let server: TestServer
let partner: Partner
let center: Center
let admin: Person
let second: Person

beforeAll(async () => {
  server = await startServer()
  partner = await server.world.partner()
  ;({ center, admin } = await newCenter())
  second = await member(center, 'ADMIN')
})
afterAll(() => server.close())

async function member(where: Center, role = 'INSTRUCTOR'): Promise<Person> {
  const person = await server.world.person()
  await server.world.member(person, where, role)
  return person
}
async function newCenter() {
  const made = await server.world.center({ partner })
  return { center: made, admin: await member(made, 'ADMIN') }
}
const tokenOf = async (person: Person, where?: Center) => (await server.signIn(person, where?.domain)).accessToken
const deliver = () => server.services.passkeyOutbox.deliver()

async function register(person: Person, older?: Registered): Promise<Registered> {
  const registered = await registerPasskey(server, await tokenOf(person), older && { older: older.device })
  await deliver()
  return registered
}
const pathOf = (where: Center, person: Person, { id }: { id: string }) =>
  `/api/centers/${where.domain}/members/${person.actorId}/passkeys/${id}/confirm`

async function confirm(by: Person, where: Center, person: Person, key: { id: string }, body: object = {}) {
  const token = await tokenOf(by)
  const answer = await server.call('POST', pathOf(where, person, key), { token, body })
  return [answer.status, answer.body.error?.code ?? answer.body.data.counts]
}

const listed = async (by: Person, where: Center, person: Person) => {
  const path = `/api/centers/${where.domain}/members/${person.actorId}/passkeys`
  return (await server.call('GET', path, { token: await tokenOf(by) })).body.data
}
const counting = async (by: Person, where: Center, person: Person) =>
  (await listed(by, where, person)).map(({ confirmed, counts }: Record<string, unknown>) => [confirmed, counts])

const entries = (where: Center, { id }: { id: string }) =>
  server.world.query<{ hash: string; values: Record<string, never> }>(
    `select c.hash, x.disclosed as values from cell.chain_entries c join cell.history x using (center_id, idx)
     where c.center_id = $1 and c.domain = 'history' and c.target = $2 order by c.idx`,
    [where.id, id],
  )

const ofPasskey = async (by: Person, where: Center, person: Person, key: { id: string }) =>
  (await server.call('POST', `${pathOf(where, person, key)}/options`, { token: await tokenOf(by) })).body

describe('by another ADMIN', () => {
  it('the key counts in that center, sealed with the confirmer, and not in another', async () => {
    const [person, elsewhere] = [await member(center), await newCenter()]
    await server.world.member(person, elsewhere.center, 'INSTRUCTOR')
    const key = await register(person)
    expect(await counting(admin, center, person)).toEqual([['mail', false]])
    expect(await confirm(admin, center, person, key)).toEqual([200, true])
    expect(await counting(admin, center, person)).toEqual([['admin', true]])
    expect(await counting(elsewhere.admin, elsewhere.center, person)).toEqual([['mail', false]])
    const [bound, confirmed] = await entries(center, key)
    expect(bound?.values.confirmation).toEqual({ how: 'mail' })
    expect(confirmed?.values).toEqual({
      action: 'confirmed',
      actorId: person.actorId,
      confirmation: { how: 'admin', confirmerId: admin.actorId, level: 'session' },
    })
    const [audited] = await server.world.query(
      `select actor_id, details from cell.audit_entries where target_id = $1 and details ->> 'action' = 'passkey.confirmed'`,
      [key.id],
    )
    expect(audited).toMatchObject({ actor_id: admin.actorId, details: { confirmed: 'admin', level: 'session' } })
  })

  it('with a passkey of the ADMIN: the entry holds the statement, the signature and the binding of that passkey', async () => {
    const own = await countingPasskey(server, admin, center, second)
    const person = await member(center)
    const key = await register(person)
    const { statement, publicKey } = (await ofPasskey(admin, center, person, key)).data
    // The challenge belongs to the session that asked for it.
    const token = await tokenOf(admin)
    const path = pathOf(center, person, key)
    const asked = (await server.call('POST', `${path}/options`, { token })).body.data
    expect(publicKey.allowCredentials.map(({ id }: { id: string }) => id)).toContain(own.device.credentialId)
    expect(statement).toMatchObject({ actorId: person.actorId, confirmerId: admin.actorId })
    const body = { assertion: own.device.answer(asked.publicKey.challenge) }
    const foreign = await server.call('POST', path, { token: await tokenOf(admin), body })
    expect([foreign.status, foreign.body.error.code]).toEqual([409, 'CONFLICT'])
    const { status } = await server.call('POST', path, { token, body })
    expect(status).toBe(200)
    const [, confirmed] = await entries(center, key)
    const sealed = confirmed?.values.confirmation as unknown as Record<string, never>
    expect(sealed).toMatchObject({ how: 'admin', level: 'passkey', statement: asked.statement })
    expect(sealed.binding).toBe((await entries(center, own)).at(-1)?.hash)
    const challenge = challengeOf(sealed.statement as unknown as ConfirmStatement)
    const expected = { challenge, key: own.device.key, rpId: 'countersign.test', origins: ['http://countersign.test'] }
    expect(checkAssertion(sealed.assertion as never, expected)).toBeNull()
    // A repetition, whose challenge is used up, gets the same answer and seals nothing.
    expect((await server.call('POST', path, { token, body })).status).toBe(200)
    expect(await entries(center, key)).toHaveLength(2)
  })

  it('one of fifty concurrent confirmations is sealed', async () => {
    const person = await member(center)
    const key = await register(person)
    const token = await tokenOf(admin)
    const path = pathOf(center, person, key)
    const all = Array.from({ length: 50 }, () => server.call('POST', path, { token, body: {} }))
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await entries(center, key)).toHaveLength(2)
  })
})

describe('does not count', () => {
  it('a key that only a mail confirms, nor a key that such a key confirmed', async () => {
    const person = await member(center)
    const first = await register(person)
    await register(person, first)
    expect(await counting(admin, center, person)).toEqual([
      ['mail', false],
      ['passkey', false],
    ])
    // The confirmation of the first key does not reach back: the second named an entry at which it did not count.
    await confirm(admin, center, person, first)
    await register(person, first)
    expect(await counting(admin, center, person)).toEqual([
      ['admin', true],
      ['passkey', false],
      ['passkey', true],
    ])
    const [older, , newest] = await listed(admin, center, person)
    const [bound] = await entries(center, newest)
    const confirmation = bound?.values.confirmation as unknown as Record<string, unknown>
    expect(confirmation.binding).toBe((await entries(center, older)).at(-1)?.hash)
  })

  it('a key that an older one confirmed, in a center that never knew the older one', async () => {
    const person = await member(center)
    const first = await register(person)
    await confirm(admin, center, person, first)
    await register(person, first)
    await server.call('DELETE', `/api/auth/passkeys/${first.id}`, { token: await tokenOf(person) })
    const joined = await newCenter()
    await server.world.member(person, joined.center, 'INSTRUCTOR')
    await deliver()
    expect(await counting(joined.admin, joined.center, person)).toEqual([['mail', false]])
  })
})

describe('is refused', () => {
  it('oneself, also by another account with the same verified address', async () => {
    const key = await register(admin)
    expect(await confirm(admin, center, admin, key)).toEqual([403, 'FORBIDDEN'])
    const alias = await server.world.person({ email: `alias-${newUuid()}@people.example` })
    await server.world.member(alias, center, 'ADMIN')
    await server.world.query('update directory.actors set email = $2 where id = $1', [alias.actorId, admin.email])
    expect(await confirm(alias, center, admin, key)).toEqual([403, 'FORBIDDEN'])
  })

  it('an ADMIN of another center, in this center and in their own', async () => {
    const [person, other] = [await member(center), await newCenter()]
    const key = await register(person)
    expect(await confirm(other.admin, center, person, key)).toEqual([403, 'NO_MEMBERSHIP'])
    expect(await confirm(other.admin, other.center, person, key)).toEqual([404, 'NOT_FOUND'])
  })

  it('a key that was removed, and a key of another member', async () => {
    const [person, other] = [await member(center), await member(center)]
    const [gone, key] = [await register(person), await register(person)]
    await server.call('DELETE', `/api/auth/passkeys/${gone.id}`, { token: await tokenOf(person) })
    await deliver()
    expect(await confirm(admin, center, person, gone)).toEqual([404, 'NOT_FOUND'])
    expect(await confirm(admin, center, other, key)).toEqual([404, 'NOT_FOUND'])
  })

  it('a statement about another key, an expired one, and challenges of other kinds', async () => {
    const confirmer = await member(center, 'ADMIN')
    const own = await countingPasskey(server, confirmer, center, admin)
    const [person, token] = [await member(center), await tokenOf(confirmer)]
    const [one, other] = [await register(person), await register(person)]
    const ask = async (key: Registered): Promise<string> => {
      const { body } = await server.call('POST', `${pathOf(center, person, key)}/options`, { token })
      return body.data.publicKey.challenge
    }
    const send = async (challenge: string) => {
      const body = { assertion: own.device.answer(challenge) }
      const answer = await server.call('POST', pathOf(center, person, one), { token, body })
      return [answer.status, answer.body.error?.code]
    }
    expect(await send(await ask(other))).toEqual([409, 'CONFLICT'])
    const asked = await ask(one)
    const restore = useClock(() => Date.now() + 301_000)
    await server.call('POST', '/api/auth/step-up', { token, body: { password: confirmer.password } })
    expect(await send(asked)).toEqual([409, 'CONFLICT'])
    restore()
    const login = (await server.call('POST', '/api/auth/passkeys/login/options')).body.data.publicKey.challenge
    expect(await send(login)).toEqual([409, 'CONFLICT'])
    expect(await counting(admin, center, person)).toEqual([
      ['mail', false],
      ['mail', false],
    ])
  })

  it('a passkey of the ADMIN that does not count here', async () => {
    const [confirmer, person] = [await member(center, 'ADMIN'), await member(center)]
    await register(confirmer)
    const answer = await ofPasskey(confirmer, center, person, await register(person))
    expect(answer.error.code).toBe('CONFLICT')
  })
})

describe('the only ADMIN', () => {
  const byPartner = async (by: Person, where: Center, person: Person, { id }: Registered) => {
    const path = `/api/partner/centers/${where.id}/members/${person.actorId}/passkeys/${id}/confirm`
    const { status, body } = await server.call('POST', path, { token: await tokenOf(by) })
    return [status, body.error?.code ?? body.data.confirmed]
  }
  const account = async (of = partner) => {
    const person = await server.world.person()
    await server.world.account(person, of)
    return person
  }

  it('is confirmed by the partner of the center', async () => {
    const own = await newCenter()
    const key = await register(own.admin)
    const boss = await account()
    expect(await byPartner(await account(await server.world.partner()), own.center, own.admin, key)).toEqual([
      404,
      'CENTER_NOT_FOUND',
    ])
    expect(await byPartner(boss, own.center, own.admin, key)).toEqual([200, 'partner'])
    const [, confirmed] = await entries(own.center, key)
    expect(confirmed?.values.confirmation).toEqual({ how: 'partner', confirmerId: boss.actorId })
  })

  it('is confirmed by the operator', async () => {
    const own = await newCenter()
    const key = await register(own.admin)
    const settings = { PUBLIC_URL: server.services.config.publicUrl }
    const args = ['confirm-passkey', own.center.domain, own.admin.email, key.id]
    expect(await run(server, args, settings)).toMatchObject({ code: 0, said: expect.stringContaining('counts in') })
    expect(await counting(own.admin, own.center, own.admin)).toEqual([['operator', true]])
  })

  it('is not somebody beside another ADMIN, no other member, and not the account of the partner itself', async () => {
    const own = await newCenter()
    const [instructor, boss] = [await member(own.center), await account()]
    expect(await byPartner(boss, own.center, instructor, await register(instructor))).toEqual([409, 'CONFLICT'])
    await server.world.account(own.admin, partner)
    const key = await register(own.admin)
    expect(await byPartner(own.admin, own.center, own.admin, key)).toEqual([403, 'FORBIDDEN'])
    await member(own.center, 'ADMIN')
    expect(await byPartner(boss, own.center, own.admin, key)).toEqual([409, 'CONFLICT'])
  })
})
