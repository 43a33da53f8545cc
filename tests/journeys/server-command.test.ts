/** `countersign-server` and `npm start`, as operators call them. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { read, root } from '../docs/blocks.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { inShell, plainEnvironment } from './shell.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const settings = (more: Record<string, string> = {}) =>
  plainEnvironment({ DATABASE_URL: server.services.config.databaseUrl, ...more })
const command = (args: string) =>
  inShell({ folder: root, env: settings() }, `node apps/server/bin.ts ${args} 2>&1 || echo "code $?"`, 60_000)

describe('countersign-server', () => {
  it('shows its version and its commands', async () => {
    const { version, bin } = JSON.parse(read('apps/server/package.json'))
    expect(bin).toEqual({ 'countersign-server': './bin.ts' })
    expect(await command('--version')).toBe(`countersign-server ${version}\n`)
    const help = await command('--help')
    for (const name of ['init', 'start', 'migrate', 'status', 'doctor', 'operator'])
      expect(help).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(await command('')).toBe(`${help}code 2\n`)
  })

  it('lists the existing commands after an unknown one', async () => {
    expect(await command('begin')).toBe(
      'Unknown command "begin". Use init, start, migrate, status, doctor or operator.\nHelp: countersign-server --help\ncode 2\n',
    )
  })

  it('migrates without the secrets of the server, also in production', async () => {
    const said = await inShell(
      { folder: root, env: settings({ NODE_ENV: 'production' }) },
      'node apps/server/bin.ts migrate',
    )
    expect(said).toBe('Nothing to migrate: everything is up to date.\n')
  })

  it('reports the state of the schema, for people and for programs', async () => {
    expect(await command('status')).toMatch(
      /^directory: up to date, \d+ migrations\ncell main: up to date, \d+ migrations\n$/,
    )
    const { upToDate, databases } = JSON.parse(await command('status --json'))
    expect([upToDate, databases.map((each: { database: string }) => each.database)]).toEqual([
      true,
      ['directory', 'cell main'],
    ])
  })

  it('refuses to start with another SECRET_KEY than the database was used with, and names it', async () => {
    // The first sign-in makes the key that signs access tokens.
    await server.signIn(await server.world.person())
    const start = (SECRET_KEY: string) =>
      inShell(
        { folder: root, env: settings({ SECRET_KEY, PORT: '0', METRICS_PORT: '0', HEALTH_PORT: '0' }) },
        'timeout 20 node apps/server/bin.ts start 2>&1 || echo "code $?"',
        60_000,
      )
    const said = await start(randomBytes(32).toString('base64'))
    expect(said).toMatch(/^Countersign couldn't start: setting SECRET_KEY: SECRET_KEY isn't the one/m)
    expect(said).toMatch(/code 1\n$/)
    expect(said).not.toContain('"msg":"ready"')
  })

  it('refuses to start on an empty database, and names the command to run', async () => {
    const empty = new URL(server.services.config.databaseUrl)
    empty.pathname = `/cs_test_empty_${randomBytes(4).toString('hex')}`
    const name = empty.pathname.slice(1)
    await server.world.query(`create database ${name}`)
    try {
      const key = randomBytes(32).toString('base64')
      const env = settings({ DATABASE_URL: empty.href, SECRET_KEY: key, TLOG_KEY: key, METRICS_PORT: '0' })
      const run = (args: string) =>
        inShell({ folder: root, env }, `node apps/server/bin.ts ${args} 2>&1 || echo "code $?"`, 60_000)
      expect(await run('start')).toMatch(
        /^Countersign couldn't start: The schema of the directory database is too old: \d+ migrations are missing, .* Run npm run db:migrate .*\.\ncode 1\n$/,
      )
      const said = await run('status')
      expect(said).toMatch(/^directory: not up to date\n {2}pending {2}common\/0001_roles_and_tenancy\n/)
      expect(said).toMatch(/code 1\n$/)
    } finally {
      await server.world.query(`drop database ${name} with (force)`)
    }
  })

  it('migrates without a user in the URL, or prints the reason in one line', async () => {
    const url = new URL(server.services.config.databaseUrl)
    url.username = ''
    const env = settings({ DATABASE_URL: url.href, PGUSER: 'nobody_of_this_name' })
    const said = await inShell({ folder: root, env }, 'node apps/server/bin.ts migrate 2>&1 || echo "code $?"')
    expect(said).toMatch(
      /^The migration failed: PostgreSQL at \S+ refused the connection: .* The URL has no user\. Check .*\.\ncode 1\n$/,
    )
  })

  it('names a missing setting', async () => {
    const said = await inShell(
      { folder: root, env: plainEnvironment() },
      'node apps/server/bin.ts migrate 2>&1 || echo "code $?"',
    )
    expect(said).toMatch(/^The migration failed: setting DATABASE_URL: .*\ncode 1\n$/)
  })

  it('passes the arguments after operator to the operator commands', async () => {
    expect(await command('operator --help')).toContain('move-subscription')
    expect(await command('operator nothing')).toMatch(/^Unknown command "nothing".*code 2\n$/s)
  })
})

describe('npm start', () => {
  it('stops the server when npm receives SIGTERM', { timeout: 90_000 }, async () => {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const key = () => randomBytes(32).toString('base64')
    const child = spawn('npm', ['start'], {
      cwd: root,
      stdio: 'ignore',
      env: settings({
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        SECRET_KEY: server.services.config.secretKeys.map((each) => each.toString('base64')).join(','),
        TLOG_KEY: key(),
        TLOG_FENCE: 'none',
        PUBLIC_URL: 'https://countersign.test',
        DRAIN_SECONDS: '0',
      }),
    })
    const url = `http://127.0.0.1:${port}/health/live`
    const lives = () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    for (let tries = 0; tries < 600 && !(await lives()); tries++) await sleep(100)
    expect(await lives()).toBe(true)
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
    for (let tries = 0; tries < 100 && (await lives()); tries++) await sleep(100)
    expect(await lives()).toBe(false)
  })
})
