import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tenantTables } from '../../../../../../tests/isolation/tables.ts'
import { type FilledCenter, filledCenter } from '../../../../../../tests/isolation/two-centers.ts'
import { run } from '../../../../../../tests/journeys/operator-shell.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { typedId } from '../../../../lib/ids.ts'
import { addSignIn } from './domain-and-provider.ts'
import { withoutForgeries } from './forgeries.ts'

let server: TestServer
let center: FilledCenter
let other: FilledCenter

beforeAll(async () => {
  server = await startServer()
  center = await filledCenter(server)
  other = await filledCenter(server)
  await withoutForgeries(server.world)
  await server.world.query(
    `insert into cell.center_exports (center_id, id, requested_by, requested_at, expires_at, next_at)
     values ($1, gen_random_uuid(), $2, now(), now(), now())`,
    [center.id, center.admin.actorId],
    true,
  )
}, 240_000)
afterAll(() => server.close())

/** What stays of a center in its cell: roots, signatures, and ids. */
const kept = [
  'cell.chain_heads',
  'cell.checkpoints',
  'cell.closed_logs',
  'cell.left_records',
  'cell.signatures',
  'cell.timestamps',
]

async function tablesOf({ id }: FilledCenter): Promise<readonly string[]> {
  const found: string[] = []
  for (const table of Object.keys(tenantTables).filter((name) => name.startsWith('cell.'))) {
    const rows = await server.world.query(`select from ${table} where center_id = $1 limit 1`, [id], true)
    if (rows.length > 0) found.push(table)
  }
  return found.toSorted()
}

const decisionOf = async ({ id }: FilledCenter) => {
  const [row] = await server.world.query<{ id: string }>(
    `select id from cell.dpus where center_id = $1 and domain = 'proof' limit 1`,
    [id],
    true,
  )
  return typedId('decisionEvent', row?.id as string)
}

describe('operator delete-center', () => {
  it('refuses a center without a complete export, and one whose logs have grown since', async () => {
    const without = await run(server, ['delete-center', center.domain])
    expect([without.code, without.complained]).toEqual([1, expect.stringContaining('no complete export')])
    await server.world.query(
      `update cell.center_exports set status = 'completed', ended_at = now(), manifest = 'x',
         sizes = '{"proof": 0, "dpu": 0, "history": 0}' where center_id = $1`,
      [center.id],
      true,
    )
    const grown = await run(server, ['delete-center', center.domain])
    expect([grown.code, grown.complained]).toEqual([
      1,
      expect.stringContaining('Ask an administrator to create a new export'),
    ])
    expect((await server.call('GET', `/verify/${await decisionOf(center)}`)).status).toBe(200)
  }, 60_000)

  it('closes the logs, deletes the data, and leaves other centers as they are', async () => {
    const eventId = await decisionOf(center)
    const before = await tablesOf(other)
    const { accessToken: token } = await server.signIn(center.admin, center.domain)
    for (const one of [center, other]) await addSignIn(server.world, one.id)
    const { code, said } = await run(server, ['delete-center', center.domain, '--without-export'])
    for (const table of ['domains', 'oidc_providers']) {
      const rows = await server.world.query(`select center_id from directory.${table}`, [], true)
      expect(rows).toEqual([{ center_id: other.id }])
    }
    expect([code, said]).toEqual([0, expect.stringContaining('has left')])
    expect(await tablesOf(center)).toEqual(kept)
    expect(await tablesOf(other)).toEqual(before)

    const { status, body } = await server.call('GET', `/verify/${eventId}`)
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
    expect(body.error.message).toMatch(/has left/)
    expect(body.error.message).toMatch(
      new RegExp(`the root \\S+ of the closed log \\S+/c/${center.id}/proof, which has \\d+ entries`),
    )
    expect((await server.call('GET', '/api/dpu', { token })).status).toBe(403)
    // Nothing is appended to a closed log, no matter who writes to it.
    await expect(
      server.world.query(
        'update cell.chain_heads set next_index = next_index + 1 where center_id = $1',
        [center.id],
        true,
      ),
    ).rejects.toThrow(/append-only/)

    // Repeated, the command finds nothing to do and says the same.
    expect(await run(server, ['delete-center', String(center.id)])).toMatchObject({ code: 0, said })
  }, 180_000)

  it('rows of a center that has not left cannot be deleted by its function', async () => {
    await expect(server.world.query('select countersign.forget_rows($1, 10)', [other.id])).rejects.toThrow(
      /has not left/,
    )
  })
})
