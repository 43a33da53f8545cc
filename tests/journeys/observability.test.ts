/** Alerts and dashboards: unit tests by promtool, every expression in a real Prometheus, and alerts fired by real faults. */
import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vkeyOf } from '@countersign/proof/signed-note.ts'
import { waitingLogs } from '@countersign/server/features/evidence/transparency/grown-logs.ts'
import { openWitnesses, showToWitness } from '@countersign/server/features/evidence/transparency/witnessing.ts'
import { readFiguresJob } from '@countersign/server/read-figures.job.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Alert, alerts } from '../../deploy/observability/alerts.ts'
import { dashboards } from '../../deploy/observability/dashboards.ts'
import { rules } from '../../deploy/observability/rules.ts'
import { freePort, withClient } from '../../tools/postgres.ts'
import { read, root } from '../docs/blocks.ts'
import { programIn } from '../support/programs.ts'
import { type Prometheus, startPrometheus } from '../support/prometheus.ts'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { liftConstraints } from '../tamper/forger.ts'

const promtool = (...args: string[]) =>
  execFileSync(programIn('promtool', 'prometheus'), args, { cwd: `${root}deploy/observability`, encoding: 'utf8' })

it('the rules are valid, and each alert fires and stays silent as its unit tests say', () => {
  expect(promtool('check', 'rules', 'rules.json')).toContain(`SUCCESS: ${alerts.length} rules found`)
  expect(promtool('test', 'rules', 'rules.test.json')).toContain('SUCCESS')
})

it('every alert has a section that begins with its severity, and there is no other section', () => {
  const sections = [...read('docs/alerts.md').matchAll(/^## (\w+)\n\n(\w+)\. /gm)].map(([, name, severity]) => [
    name,
    severity?.toLowerCase(),
  ])
  expect(sections).toEqual(alerts.map(({ name, severity }) => [name, severity]))
})

/** The same alert with seconds in place of minutes and hours. */
const quick = (alert: Alert): Alert => ({
  ...alert,
  for: '0s',
  expr: alert.expr
    .replaceAll(/\[\d+[mhd](:30s)?\]/g, (_, step) => (step ? '[4s:1s]' : '[10s]'))
    .replace('> 300', '> 5')
    .replace(/(_depth\)\S+) > 100/, '$1 > 3'),
})

const panels = dashboards.flatMap(({ title, panels: all }) =>
  all.flatMap((panel) => panel.queries.map(({ expr }) => [`${title}, ${panel.title}`, expr] as const)),
)

describe('beside a server', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'observability-'))
  const extra: (() => Promise<unknown>)[] = []
  let server: TestServer
  let fixture: ProofFixture
  let metrics: Server
  let prometheus: Prometheus

  const figures = () => readFiguresJob(server.services, 'main')
  const firing = () => prometheus.firing()
  const fires = (name: string) => expect.poll(firing, { timeout: 60_000, interval: 500 }).toContain(name)

  beforeAll(async () => {
    const policy = join(folder, 'policy')
    const vkey = vkeyOf('witness.example', 4, randomBytes(32))
    writeFileSync(policy, `witness w1 ${vkey} http://127.0.0.1:${await freePort()}\nquorum w1\n`)
    server = await startServer({ env: { POOL_SIZE: '2', TLOG_POLICY_FILE: policy }, fence: true })
    fixture = await openProofFixture(server)
    await fixture.approve((await fixture.record()).id)
    const { metrics: counted } = server.services
    // As a worker that has since died would have counted them.
    counted.webhookAttempt('success')
    counted.executionEnded('COMPLETED')
    counted.verified('records', 1)
    counted.jobEnded('main', 'read-figures', 'success')
    await figures()
    const port = await freePort()
    metrics = await counted.listen(port, '127.0.0.1')
    prometheus = await startPrometheus([`127.0.0.1:${port}`], rules(alerts.map(quick), '1s'))
  }, 120_000)
  afterAll(async () => {
    await prometheus?.stop()
    metrics?.close()
    await server?.close()
    for (const each of extra) await each()
    rmSync(folder, { recursive: true })
  })

  it.each(panels)('draws %s', async (_, expr) => {
    await expect.poll(() => prometheus.query(expr), { timeout: 30_000 }).not.toEqual([])
  })

  it('a worker that is dead fires, and the faults that follow do not yet', async () => {
    await fires('CountersignNoWorker')
    const later = ['CountersignChainBroken', 'CountersignWitnessAway', 'CountersignDatabaseRefused']
    expect((await firing()).filter((name) => later.includes(name))).toEqual([])
  })

  it('a broken chain fires', async () => {
    await fixture.unit()
    const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
    await client.connect()
    await liftConstraints(async (text) => (await client.query(text)).rows)
    await client.query('set session_replication_role = replica')
    await client.query(`update cell.dpus set content = 'forged' where center_id = $1 and domain = 'dpu'`, [
      fixture.center.id,
    ])
    await client.end()
    const { body } = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
    expect(body.data.valid).toBe(false)
    await figures()
    await fires('CountersignChainBroken')
  })

  it('a witness that is away fires', async () => {
    const { cells, watching, logBook, log } = server.services
    const [client] = openWitnesses(watching.policy.witnesses)
    if (!client) throw new Error('the policy names no witness')
    expect(
      await showToWitness(cells.of('main'), client, logBook, log, new AbortController().signal, waitingLogs()),
    ).toBe(0)
    await client.service.close()
    await figures()
    await fires('CountersignWitnessAway')
  })

  it('an exhausted pool fires', async () => {
    const { asJobs } = server.services.cells.of('main')
    let held = true
    const slow = Array.from({ length: 8 }, async () => {
      while (held) await asJobs((db) => sql`select pg_sleep(1)`.execute(db)).catch(() => {})
    })
    await fires('CountersignPoolExhausted')
    held = false
    await Promise.all(slow)
  })

  it('a queue that grows fires', async () => {
    const client = new pg.Client({ connectionString: server.services.config.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query('select from cell.chain_heads where center_id = $1 for update', [fixture.center.id])
    let stopped = false
    const callers = Array.from({ length: 20 }, async () => {
      while (!stopped) await fixture.decide()
    })
    await fires('CountersignQueueGrowing')
    stopped = true
    await client.query('rollback')
    await client.end()
    await Promise.all(callers)
  })

  it('an older copy of the database in the place of the current one fires', async () => {
    const { databaseUrl } = server.services.config
    const name = new URL(databaseUrl).pathname.slice(1)
    const [copy, former] = [`${name}_copy`, `${name}_former`]
    extra.push(() =>
      withClient(inject('postgres'), (client) => client.query(`drop database if exists ${former} with (force)`)),
    )
    // Without sessions, as the copy and the renaming need it.
    const alone = (...statements: string[]) =>
      withClient(inject('postgres'), async (client) => {
        await client.query(`alter database ${name} allow_connections false`)
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
        for (const statement of statements) await client.query(statement)
        await client.query(`alter database ${name} allow_connections true`)
      })
    const sealed = async () => (await fixture.decide({}, { 'idempotency-key': randomUUID() })).status
    await alone(`create database ${copy} template ${name}`, `alter database ${copy} allow_connections true`)
    await expect.poll(sealed, { timeout: 30_000 }).toBe(201)
    await alone(`alter database ${name} rename to ${former}`, `alter database ${copy} rename to ${name}`)
    const seal = setInterval(() => void sealed().catch(() => {}), 500)
    await fires('CountersignDatabaseRefused')
    clearInterval(seal)
  })
})
