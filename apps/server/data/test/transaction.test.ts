import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Center } from '../../../../tests/support/world.ts'

let server: TestServer
let center: Center
let token: string

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  const person = await server.world.person()
  await server.world.member(person, center)
  token = (await server.signIn(person, center.domain)).accessToken
})
afterAll(() => server.close())

const manyAtOnce = async (): Promise<number[]> => {
  const calls = Array.from({ length: 20 }, () => server.call('GET', `/api/centers/${center.domain}`, { token }))
  return [...new Set((await Promise.all(calls)).map(({ status }) => status))]
}

describe('a read-only transaction', () => {
  it('refuses to write, and the next transaction on its connection may write', async () => {
    const caller = { requestId: 'test', actorId: null, centerId: center.id }
    const change = (mode: 'read' | 'write') =>
      server.services.directory.asCenter(
        caller,
        (tx) => tx.db.updateTable('centers').set({ settings: '{"locale":"en-US"}' }).execute(),
        mode,
      )
    for (let i = 0; i < 8; i++) {
      await expect(change('read')).rejects.toMatchObject({ code: 'DATABASE_ERROR' })
      await manyAtOnce()
      await change('write')
    }
    const { body } = await server.call('GET', `/api/centers/${center.domain}`, { token })
    expect(body.data.settings.locale).toBe('en-US')
  })
})

describe('a prepared statement', () => {
  it('is prepared again when a migration has changed its result type', async () => {
    expect(await manyAtOnce()).toEqual([200])
    await server.world.query('alter table directory.centers alter column domain type varchar(30)')
    expect(await manyAtOnce()).toEqual([200])
  })
})

describe('a connection that is lost between two statements', () => {
  it('is answered with 503, and the next caller gets another connection', async () => {
    const caller = { requestId: 'test', actorId: null, centerId: center.id }
    const work = server.services.directory.asCenter(caller, async ({ db }) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      await server.world.query('select pg_terminate_backend($1, 5000)', [rows[0]?.pid])
      await sleep(100)
      return db.selectFrom('centers').select('id').execute()
    })
    await expect(work).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await manyAtOnce()).toEqual([200])
  })
})
