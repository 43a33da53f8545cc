/** Changes of one center wait for each other, and for nothing of others. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { typedId } from '../../../../lib/ids.ts'

let server: TestServer
let holder: pg.Client
beforeAll(async () => {
  server = await startServer()
  holder = new pg.Client(server.databases[0]?.url)
  await holder.connect()
})
afterAll(async () => {
  await holder?.end()
  await server?.close()
})

async function twoAdmins(): Promise<{ center: Center; people: Person[]; ids: string[]; tokens: string[] }> {
  const center = await server.world.center()
  const people = [await server.world.person(), await server.world.person()]
  for (const person of people) await server.world.member(person, center)
  const rows = await server.world.query<{ id: string; actor_id: string }>(
    'select id, actor_id from directory.memberships where center_id = $1',
    [center.id],
  )
  const ids = people.map(({ actorId }) => typedId('membership', rows.find((row) => row.actor_id === actorId)?.id ?? ''))
  const tokens: string[] = []
  for (const person of people) tokens.push((await server.signIn(person, center.domain)).accessToken)
  return { center, people, ids, tokens }
}

it('fifty moves of two ADMINs against each other are 200 or 409, also while another process holds the center', async () => {
  const { center, ids, tokens } = await twoAdmins()
  const other = await twoAdmins()
  await holder.query('begin')
  await holder.query('select id from directory.centers where id = $1 for no key update', [center.id])
  const started = performance.now()
  const moves = Array.from({ length: 50 }, (_, n) =>
    server.call('POST', `/api/memberships/${ids[1 - (n % 2)]}/suspend`, { token: tokens[n % 2] as string }),
  )
  // Another center is not delayed by those that wait.
  const neighbor = await server.call('POST', `/api/memberships/${other.ids[1]}/suspend`, {
    token: other.tokens[0] as string,
  })
  const neighborMs = performance.now() - started
  await new Promise((resolve) => setTimeout(resolve, 2400 - neighborMs))
  await holder.query('rollback')
  const statuses = (await Promise.all(moves)).map(({ status }) => status)
  const count = (wanted: number) => statuses.filter((status) => status === wanted).length
  expect([count(200), count(200) + count(403) + count(409)]).toEqual([1, 50])
  expect([neighbor.status, neighborMs < 2000]).toEqual([200, true])
})
