import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl, freePort, withClient } from '../../scripts/postgres.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { blocksOf, read, root } from './blocks.ts'

const runbook = read('docs/runbook.md')

/** Its blocks under one heading. */
function blocksUnder(heading: string, language: string): string[] {
  const section = runbook.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  const blocks = blocksOf(section ?? '').filter((block) => block.language === language)
  if (blocks.length === 0) throw new Error(`the runbook has no ${language} block under "${heading}"`)
  return blocks.map((block) => block.text)
}

describe('the shell commands of the runbook', () => {
  let database: TestDatabase
  let environment: NodeJS.ProcessEnv
  let server: ChildProcess
  const commands = blocksOf(runbook)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text.trim())
  const localise = (command: string) =>
    command
      .replaceAll('localhost:3000', `127.0.0.1:${environment.PORT}`)
      .replaceAll('localhost:9464', `127.0.0.1:${environment.METRICS_PORT}`)
  const shell = (command: string) =>
    promisify(execFile)('bash', ['-ec', localise(command)], { cwd: root, env: environment })

  beforeAll(async () => {
    database = await cloneDatabase()
    environment = {
      ...process.env,
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      DRAIN_SECONDS: '0',
      CELLS: '',
      REDIS_URL: '',
    }
    await shell('npm run db:migrate')
    server = spawn('bash', ['-c', 'exec npm start'], { cwd: root, env: environment, detached: true, stdio: 'ignore' })
    for (let tries = 0; ; tries++) {
      if (await shell('curl -sf http://localhost:3000/health/ready').catch(() => null)) break
      if (tries === 200 || server.exitCode !== null) throw new Error('the server did not start')
      await sleep(100)
    }
  })
  afterAll(async () => {
    if (server.exitCode === null) {
      // The whole group: npm alone would leave the server behind.
      process.kill(-(server.pid as number), 'SIGTERM')
      const left = await Promise.race([once(server, 'exit'), sleep(20_000)])
      if (left === undefined) process.kill(-(server.pid as number), 'SIGKILL')
    }
    await database.drop()
  })

  it('begin with migrating and starting', () => {
    expect(commands.slice(0, 2)).toEqual(['npm run db:migrate', 'npm start'])
  })

  it.each(commands.filter((command) => command !== 'npm start'))('%s', async (command) => {
    const { stdout } = await shell(command)
    expect(stdout).not.toBe('')
  })

  it('show the metrics that the runbook says to watch', async () => {
    const { stdout } = await shell('curl -sf http://localhost:9464/metrics')
    const named = [...runbook.matchAll(/^\| `([a-z0-9_]+)`/gm)].map(([, name]) => name as string)
    expect(named.length).toBeGreaterThan(3)
    for (const name of named) expect(stdout).toContain(name)
  })
})

describe('the SQL of the runbook', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const run = (sql: string) => withClient(server.services.config.databaseUrl, (client) => client.query(sql))
  const me = (token: string) => server.call('GET', '/api/auth/me', { token })

  it('ends all sessions of a person within a second', async () => {
    const person = await server.world.person()
    const { accessToken } = await server.signIn(person)
    expect((await me(accessToken)).status).toBe(200)
    const [endSessions = ''] = blocksUnder('Throw somebody out', 'sql')
    await run(endSessions.replaceAll('somebody@example.org', person.email))
    await sleep(1000)
    expect((await me(accessToken)).body.error.code).toBe('UNAUTHORIZED')
  })

  it('suspends a membership and a center within a second', async () => {
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center)
    const { accessToken } = await server.signIn(person)
    const key = await server.world.key(center)
    const [, suspend = ''] = blocksUnder('Throw somebody out', 'sql')
    await run(suspend.replaceAll('somebody@example.org', person.email).replaceAll("'haneul'", `'${center.domain}'`))
    await sleep(1000)
    expect((await me(accessToken)).body.error.code).toBe('MEMBERSHIP_SUSPENDED')
    const recorded = await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent() })
    expect(recorded.status).toBe(403)
  })

  it('takes all signing keys out of use: old access tokens are refused, refresh tokens still work', async () => {
    const person = await server.world.person()
    const { accessToken, refreshToken } = await server.signIn(person)
    const [retire = ''] = blocksUnder('Rotate signing keys', 'sql')
    await run(retire)
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

  it('puts a center into another cell', async () => {
    await run(blocksUnder('Add a cell', 'sql').join('\n'))
    const rows = await server.world.query(`select cell from directory.centers where domain = 'narae'`)
    expect(rows).toEqual([{ cell: 'east' }])
  })
})

describe('rotating SECRET_KEY as the runbook says', () => {
  const oldKey = randomBytes(32).toString('base64')
  const newKey = randomBytes(32).toString('base64')

  it('lets the old key go once a signing key was made under the new one', async () => {
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
      // Signed by the key before: still honoured, though its private half can no longer be opened.
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

  it('needs CREATEROLE and a database of its own', async () => {
    await withClient(server, async (client) => {
      await client.query(`create role ${user} login createrole password 'migrate'`)
      await client.query(`create database ${user} owner ${user}`)
      const { rows } = await client.query(`select current_setting('server_version_num')::integer as version`)
      // The roles are there already; from version 16 on this is how their maker would stand to them.
      if (rows[0].version >= 160000) await client.query(`grant ${roles} to ${user} with admin true, set false`)
    })
    const applied = await migrateAll({ databaseUrl: url.href, cells: new Map([['main', url.href]]) })
    expect(applied.length).toBeGreaterThan(3)
  })
})
