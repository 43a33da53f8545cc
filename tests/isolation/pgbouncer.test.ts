/** The service behind PgBouncer. `npm run test:pgbouncer` runs whole suites through it. */
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type PgBouncer, type PoolMode, startPgBouncer, through } from '../support/pgbouncer.ts'
import { openProofFixture, type ProofFixture, sampleDecision } from '../support/proof-fixture.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'

const path = '/api/v1/decision-events'

describe.each<PoolMode>(['session', 'transaction'])('PgBouncer in %s mode', (mode) => {
  let pooler: PgBouncer
  let server: TestServer
  let fixture: ProofFixture

  beforeAll(async () => {
    pooler = await startPgBouncer({ mode, server: inject('postgres') })
    server = await startServer({ pooler, jobs: true })
    fixture = await openProofFixture(server)
  })
  afterAll(async () => {
    await server?.close()
    await pooler?.stop()
  })

  it('keeps the events of many centers apart, over connections that they share', async () => {
    const centers = await Promise.all(Array.from({ length: 6 }, () => server.world.center()))
    const keys = await Promise.all(centers.map((center) => server.world.key(center)))
    const traffic = keys.map(async (token, n) => {
      for (let round = 1; round <= 8; round++) {
        const made = await server.call('POST', path, { token, body: sampleEvent({ tags: [`of-${n}`] }) })
        expect(made.status).toBe(201)
        const [own, foreign] = await Promise.all([
          server.call('GET', `${path}?tag=of-${n}`, { token }),
          server.call('GET', `${path}?tag=of-${(n + 1) % keys.length}`, { token }),
        ])
        expect([own.status, own.body.pagination?.total]).toEqual([200, round])
        expect([foreign.status, foreign.body.pagination?.total]).toEqual([200, 0])
      }
    })
    await Promise.all(traffic)
  })

  it('seals decisions of one chain at the same time without a gap', async () => {
    const decide = () => server.call('POST', '/api/v1/agents/decide', { token: fixture.key, body: sampleDecision() })
    const answers = await Promise.all(Array.from({ length: 30 }, decide))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const rows = await server.world.query<{ index: number }>(
      `select idx as index from cell.chain_entries where center_id = $1 and domain = 'proof' order by idx`,
      [fixture.center.id],
    )
    expect(rows.map(({ index }) => Number(index))).toEqual(rows.map((_, n) => n))
  })

  it('does not rely on notifications', () => {
    expect(server.logs.some((line) => line.includes('a connection pooler, which may lose notifications'))).toBe(true)
  })

  it('answers no request over a pooler that replaces the user', async () => {
    const { username } = new URL(inject('postgres'))
    const wrong = await startPgBouncer({ mode, server: inject('postgres'), user: username })
    const other = await startServer({ beside: server, pooler: wrong })
    try {
      const before = await server.world.query('select count(*) from cell.decision_events')
      const tries = await Promise.all(
        Array.from({ length: 5 }, () => other.call('POST', path, { token: fixture.key, body: sampleEvent() })),
      )
      for (const { status, headers } of tries) expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect((await other.call('GET', '/health/ready')).status).toBe(503)
      expect(await server.world.query('select count(*) from cell.decision_events')).toEqual(before)
      const complaints = other.logs.filter((line) =>
        line.includes('"msg":"A database connection for cs_auth was closed'),
      )
      expect(complaints).toHaveLength(1)
      expect(complaints[0]).toContain(`it runs as \\"${username}\\" and is logged in as \\"${username}\\"`)
    } finally {
      await other.close()
      await wrong.stop()
    }
  })
})

describe('a migration', () => {
  it.each<PoolMode>(['session', 'transaction'])('does not run through PgBouncer in %s mode', async (mode) => {
    const pooler = await startPgBouncer({ mode, server: inject('postgres') })
    const url = through(pooler, inject('postgres'))
    try {
      await expect(migrateAll({ databaseUrl: url, cells: new Map() })).rejects.toThrow(
        "There's a connection pooler between this command and PostgreSQL. For the migration, point DATABASE_URL and CELLS at PostgreSQL itself.",
      )
    } finally {
      await pooler.stop()
    }
  })
})
