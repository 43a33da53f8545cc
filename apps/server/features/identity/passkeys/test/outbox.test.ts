import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Registered, registerPasskey } from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { clearBroken } from '../../../../integrity/alarm.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { takeChanges } from '../outbox-queries.ts'

let server: TestServer
let cells: Record<'north' | 'south', pg.Pool>
beforeAll(async () => {
  server = await startServer({ cells: ['north', 'south'] })
  const [north, south] = server.databases.slice(1).map(({ url }) => new pg.Pool({ connectionString: url, max: 2 }))
  cells = { north, south } as typeof cells
})
afterAll(async () => {
  await Promise.all([cells.north.end(), cells.south.end()])
  await server.close()
})

const inCell =
  (cell: 'north' | 'south') =>
  async (text: string, values: unknown[] = []) =>
    (await cells[cell].query(text, values)).rows

const center = (cell = 'north') => server.world.center({ cell })
const member = async (...centers: readonly Center[]): Promise<Person> => {
  const person = await server.world.person()
  for (const each of centers) await server.world.member(person, each, 'INSTRUCTOR')
  return person
}
const register = async (person: Person, older?: Registered): Promise<Registered> =>
  registerPasskey(server, (await server.signIn(person)).accessToken, older && { older: older.device })
const deliver = () => server.services.passkeyOutbox.deliver()

/** What the center has sealed about a key: the actions, in their order. */
async function sealed({ id: centerId }: Center, { id }: Registered, cell: 'north' | 'south' = 'north') {
  const rows = await inCell(cell)(
    `select x.disclosed ->> 'action' as action from cell.chain_entries c join cell.history x using (center_id, idx)
     where c.center_id = $1 and c.domain = 'history' and c.target = $2 order by c.idx`,
    [centerId, id],
  )
  return rows.map(({ action }) => action)
}

const verified = async (person: Person, where: Center) => {
  await server.world.setMembership(person, where, { role: 'ADMIN' })
  const { accessToken: token } = await server.signIn(person, where.domain)
  const { body } = await server.call('GET', '/api/dpu/verify-chain?mode=records', { token })
  return body.data.domains.history.valid
}

describe('a binding', () => {
  it('is sealed in every center where the person is ACTIVE, in whatever cell, and in no other', async () => {
    const [one, two, left, stranger] = [await center(), await center('south'), await center(), await center()]
    const person = await member(one, two)
    await server.world.member(person, left, 'INSTRUCTOR', 'SUSPENDED')
    const key = await register(person)
    await deliver()
    expect([await sealed(one, key), await sealed(two, key, 'south')]).toEqual([['bound'], ['bound']])
    expect([await sealed(left, key), await sealed(stranger, key)]).toEqual([[], []])
    expect([await verified(person, one), await verified(person, two)]).toEqual([true, true])
  })

  it('is sealed in a center that the person joins, or returns to', async () => {
    const [one, two] = [await center(), await center()]
    const person = await member(one)
    const key = await register(person)
    await deliver()
    await server.world.member(person, two, 'PARENT', 'PENDING')
    await deliver()
    expect(await sealed(two, key)).toEqual([])
    await server.world.setMembership(person, two, { status: 'ACTIVE' })
    await deliver()
    expect(await sealed(two, key)).toEqual(['bound'])
    await server.world.setMembership(person, two, { status: 'SUSPENDED' })
    await server.world.setMembership(person, two, { status: 'ACTIVE' })
    await deliver()
    expect(await sealed(two, key)).toEqual(['bound'])
  })

  it('is sealed in the centers of those who share a verified address, once it is verified', async () => {
    const [one, two] = [await center(), await center()]
    const person = await member(one)
    const key = await register(person)
    const alias = await server.world.person({
      email: `alias-${newUuid()}@people.example`,
      verified: false,
      login: false,
    })
    await server.world.query('update directory.actors set email = $2 where id = $1', [alias.actorId, person.email])
    await server.world.member(alias, two, 'INSTRUCTOR')
    await deliver()
    expect(await sealed(two, key)).toEqual([])
    await server.world.query('update directory.actors set email_verified_at = now() where id = $1', [alias.actorId])
    await deliver()
    expect(await sealed(two, key)).toEqual(['bound'])
  })
})

describe('a removal', () => {
  it('is sealed in every center that knows the key, also where the person has left', async () => {
    const [one, two, never] = [await center(), await center('south'), await center()]
    const person = await member(one, two)
    const key = await register(person)
    await deliver()
    await server.world.setMembership(person, two, { status: 'ENDED' })
    const { accessToken: token } = await server.signIn(person)
    await server.call('DELETE', `/api/auth/passkeys/${key.id}`, { token })
    await deliver()
    await server.world.member(person, never, 'INSTRUCTOR')
    await deliver()
    expect(await sealed(one, key)).toEqual(['bound', 'removed'])
    expect(await sealed(two, key, 'south')).toEqual(['bound', 'removed'])
    expect(await sealed(never, key)).toEqual([])
  })

  it('follows a binding that was not delivered yet', async () => {
    const one = await center()
    const person = await member(one)
    const key = await register(person)
    // The binding is due, and no process has delivered it.
    const nobody = { requestId: 'req_test', actorId: null, centerId: 0 }
    await server.services.directory.identity(nobody, (tx) => takeChanges(tx, 100, new Date()))
    const { accessToken: token } = await server.signIn(person)
    await server.call('DELETE', `/api/auth/passkeys/${key.id}`, { token })
    await deliver()
    expect(await sealed(one, key)).toEqual(['bound', 'removed'])
  })
})

describe('once', () => {
  it('a process that stops after sealing and before noting it seals nothing twice', async () => {
    const one = await center()
    const person = await member(one)
    const older = await register(person)
    const newer = await register(person, older)
    await deliver()
    await server.world.query(
      'update directory.passkey_deliveries set delivered_at = null, next_at = now() where center_id = $1',
      [one.id],
    )
    await deliver()
    const { accessToken: token } = await server.signIn(person)
    await server.call('DELETE', `/api/auth/passkeys/${older.id}`, { token })
    await deliver()
    await server.world.query(
      'update directory.passkey_deliveries set delivered_at = null, next_at = now() where center_id = $1',
      [one.id],
    )
    await deliver()
    expect([await sealed(one, older), await sealed(one, newer)]).toEqual([['bound', 'removed'], ['bound']])
    expect(await verified(person, one)).toBe(true)
  })

  it('many deliveries at the same time, in two processes, seal each key once', async () => {
    const other = await startServer({ beside: server })
    try {
      const one = await center()
      const people: Person[] = []
      for (let n = 0; n < 5; n++) people.push(await member(one))
      const keys = await Promise.all(people.map((person) => register(person)))
      const outboxes = [server, other].map(({ services }) => services.passkeyOutbox)
      await Promise.all(Array.from({ length: 20 }, (_, n) => outboxes[n % 2]?.deliver()))
      await deliver()
      for (const key of keys) expect(await sealed(one, key)).toEqual(['bound'])
    } finally {
      await other.close()
    }
  })

  it('a key that is registered while its owner joins a center reaches that center', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await center()
      const person = await member()
      const { accessToken } = await server.signIn(person)
      const joining = server.world.member(person, one, 'INSTRUCTOR')
      const [key] = await Promise.all([registerPasskey(server, accessToken), joining, deliver(), deliver()])
      await deliver()
      expect(await sealed(one, key)).toEqual(['bound'])
    }
  })
})

it('a center with a broken chain does not delay the others, and is tried again', async () => {
  const [broken, whole] = [await center(), await center()]
  const person = await member(broken, whole)
  await inCell('north')(`insert into cell.chain_heads (center_id, domain, broken_at) values ($1, 'history', 0)`, [
    broken.id,
  ])
  const key = await register(person)
  await deliver()
  expect([await sealed(broken, key), await sealed(whole, key)]).toEqual([[], ['bound']])
  // As the operator clears it, in the role of the jobs.
  const { cells: served } = server.services
  await served.of('north').inTenantJob(broken.id, 'test', (tx) => clearBroken(tx, 'history'))
  await server.world.query('update directory.passkey_deliveries set next_at = now() where center_id = $1', [broken.id])
  await deliver()
  expect(await sealed(broken, key)).toEqual(['bound'])
})
