import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl, freePort, withClient } from '../../tools/postgres.ts'
import { runWith } from '../journeys/operator-shell.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openWorld } from '../support/world.ts'
import { blocksOf, read, root } from './blocks.ts'

const runbook = read('docs/runbook.md')

/** The command of the page with this name and option. */
function command(name: string, option = ''): string {
  const found = blocksOf(runbook)
    .map(({ text }) => text.trim())
    .find((text) => text.startsWith(`npm run operator -- ${name}`) && text.endsWith(option))
  if (!found) throw new Error(`the runbook does not show "${name} ${option}"`)
  return found
}

/**
 * Runs a command of the page. An operator command runs in this process, without npm; the test of its help shows that the
 * program exists.
 */
async function inShell(text: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [, words] = /^npm run operator -- ((?:[\w@.:+-]+|'[^']*'| )+)$/.exec(text) ?? []
  if (words === undefined || words === '--help') {
    return (await promisify(execFile)('bash', ['-ec', text], { cwd: root, env })).stdout
  }
  const args = Array.from(words.matchAll(/'([^']*)'|\S+/g), ([word, quoted]) => quoted ?? word)
  const { code, said, complained } = await runWith(env, args)
  if (code !== 0) throw new Error(`${text}\n${complained}`)
  return said
}

describe('the shell commands of the runbook', () => {
  const fence = mkdtempSync(join(tmpdir(), 'countersign-fence-'))
  let database: TestDatabase
  let environment: NodeJS.ProcessEnv
  let server: ChildProcess
  let mailbox: Mailbox
  const commands = blocksOf(runbook)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text.trim())
  const localise = (command: string) =>
    command
      .replaceAll('localhost:3000', `127.0.0.1:${environment.PORT}`)
      .replaceAll('localhost:9464', `127.0.0.1:${environment.METRICS_PORT}`)
  const shell = (command: string) => inShell(localise(command), environment)

  beforeAll(async () => {
    ;[database, mailbox] = await Promise.all([cloneDatabase(), openMailbox()])
    environment = {
      ...process.env,
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      TLOG_KEY: randomBytes(32).toString('base64'),
      TLOG_FENCE: fence,
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      DRAIN_SECONDS: '0',
      PUBLIC_URL: 'http://localhost:3000',
      SMTP_URL: mailbox.url,
      CELLS: '',
      REDIS_URL: '',
    }
    await shell('npm run db:migrate')
    // The people and centers that the page mentions.
    const world = await openWorld(database.url)
    await world.person({ email: 'somebody@example.org' })
    const { id } = await world.center()
    await world.query(`update directory.centers set domain = 'haneul' where id = $1`, [id])
    await world.query(
      `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
       values ($1, 'center-starter', 'ACTIVE', 'MONTHLY', now() + interval '30 days', 20)`,
      [id],
    )
    await world.close()
    server = spawn('bash', ['-c', 'exec npm start'], { cwd: root, env: environment, detached: true, stdio: 'ignore' })
    for (let tries = 0; ; tries++) {
      if (await shell('curl -sf http://localhost:3000/health/ready').catch(() => null)) break
      if (tries === 200 || server.exitCode !== null) throw new Error('the server did not start')
      await sleep(100)
    }
  })
  afterAll(async () => {
    if (server.exitCode === null) {
      // Signals the whole process group: npm alone would leave the server running.
      process.kill(-(server.pid as number), 'SIGTERM')
      const left = await Promise.race([once(server, 'exit'), sleep(20_000)])
      if (left === undefined) process.kill(-(server.pid as number), 'SIGKILL')
    }
    await database.drop()
    await mailbox.close()
    rmSync(fence, { recursive: true, force: true })
  })

  it('start with the migration, the status, the doctor and the server', () => {
    const first = ['npm run db:migrate', 'npm run db:status', 'npm run doctor', 'npm start']
    expect(commands.slice(0, 4)).toEqual(first)
  })

  it.each(commands.filter((command) => command !== 'npm start'))('%s', async (command) => {
    expect(await shell(command)).not.toBe('')
  })

  it('show the metrics that the runbook says to watch', async () => {
    const metrics = await shell('curl -sf http://localhost:9464/metrics')
    const named = [...runbook.matchAll(/^\| `((?:countersign|nodejs|process)_[a-z0-9_]+)`/gm)].map(
      ([, name]) => name as string,
    )
    expect(named.length).toBeGreaterThan(3)
    for (const name of named) expect(metrics).toContain(name)
  })
})

describe('the operator commands of the runbook', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const run = (text: string) => {
    const { databaseUrl, secretKeys } = server.services.config
    const SECRET_KEY = secretKeys.map((key) => key.toString('base64')).join(',')
    return inShell(text, { ...process.env, DATABASE_URL: databaseUrl, SECRET_KEY })
  }
  const me = (token: string) => server.call('GET', '/api/auth/me', { token })

  it('end all sessions of a person within a second', async () => {
    const person = await server.world.person()
    const { accessToken } = await server.signIn(person)
    expect((await me(accessToken)).status).toBe(200)
    await run(command('end-sessions').replace('somebody@example.org', person.email))
    await sleep(1000)
    expect((await me(accessToken)).body.error.code).toBe('UNAUTHORIZED')
  })

  it('suspend a center within a second', async () => {
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center)
    const { accessToken } = await server.signIn(person)
    const key = await server.world.key(center)
    await run(command('suspend-center').replace('haneul', center.domain))
    await sleep(1000)
    expect((await me(accessToken)).body.error.code).toBe('CENTER_SUSPENDED')
    const recorded = await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent() })
    expect(recorded.status).toBe(403)
  })

  it('revoke all signing keys: old access tokens are refused, refresh tokens still work', async () => {
    const person = await server.world.person()
    const { accessToken, refreshToken } = await server.signIn(person)
    await run(command('rotate-signing-key', '--leaked'))
    const restarted = await startServer({ beside: server })
    try {
      const refused = await restarted.call('GET', '/api/auth/me', { token: accessToken })
      expect([refused.status, refused.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
      const renewed = await restarted.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
      expect(renewed.status).toBe(200)
      const again = await restarted.call('GET', '/api/auth/me', { token: renewed.body.data.accessToken })
      expect(again.status).toBe(200)
    } finally {
      await restarted.close()
    }
  })

  it('clear the mark of a broken chain', async () => {
    const center = await server.world.center()
    await server.world.query(`insert into cell.chain_heads (center_id, domain, broken_at) values ($1, 'proof', 3)`, [
      center.id,
    ])
    await run(command('clear-chain').replace('haneul', center.domain))
    const heads = await server.world.query('select broken_at from cell.chain_heads where center_id = $1', [center.id])
    expect(heads).toEqual([{ broken_at: null }])
  })
})

describe('rotating SECRET_KEY as the runbook says', () => {
  const oldKey = randomBytes(32).toString('base64')
  const newKey = randomBytes(32).toString('base64')

  it('makes the old key unnecessary after a signing key exists under the new one', async () => {
    const first = await startServer({ env: { SECRET_KEY: oldKey } })
    const running: TestServer[] = [first]
    try {
      const person = await first.world.person()
      await first.signIn(person)

      const both = await startServer({ beside: first, env: { SECRET_KEY: `${newKey},${oldKey}` } })
      running.unshift(both)
      const { accessToken } = await both.signIn(person)
      await both.services.tokens.rotate({ atOnce: true })

      const onlyNew = await startServer({ beside: first, env: { SECRET_KEY: newKey } })
      running.unshift(onlyNew)
      const signedIn = await onlyNew.signIn(person)
      expect((await onlyNew.call('GET', '/api/auth/me', { token: signedIn.accessToken })).status).toBe(200)
      // A token signed with the previous key is still valid, although its private key can no longer be decrypted.
      expect((await onlyNew.call('GET', '/api/auth/me', { token: accessToken })).status).toBe(200)
    } finally {
      for (const server of running) await server.close()
    }
  })
})

describe('migrating without a superuser', () => {
  const roles = 'cs_owner, cs_api, cs_auth, cs_recorder, cs_sequencer, cs_public, cs_jobs, cs_operator'
  const user = `cs_docs_migrator_${randomBytes(4).toString('hex')}`
  const server = inject('postgres')
  const url = new URL(databaseUrl(server, user))
  url.username = user
  url.password = 'migrate'

  afterAll(() =>
    withClient(server, async (client) => {
      await client.query(`drop database if exists ${user} with (force)`)
      await client.query(`drop role if exists ${user}`)
    }),
  )

  it('needs CREATEROLE and ownership of the database', async () => {
    await withClient(server, async (client) => {
      await client.query(`create role ${user} login createrole password 'migrate'`)
      await client.query(`create database ${user} owner ${user}`)
      const { rows } = await client.query(`select current_setting('server_version_num')::integer as version`)
      // The roles exist already; from version 16 on, their creator would have this grant.
      if (rows[0].version >= 160000) await client.query(`grant ${roles} to ${user} with admin true, set false`)
    })
    const applied = await migrateAll({ databaseUrl: url.href, cells: new Map([['main', url.href]]) })
    expect(applied.length).toBeGreaterThan(3)
  })
})
