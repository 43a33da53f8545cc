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
    for (const name of ['start', 'migrate', 'operator']) expect(help).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(await command('')).toBe(`${help}code 2\n`)
  })

  it('names the commands that exist when it is called with another', async () => {
    expect(await command('begin')).toBe(
      'There is no command "begin"; there are start, migrate and operator.\nHelp: countersign-server --help\ncode 2\n',
    )
  })

  it('migrates without the secrets of the server, also in production', async () => {
    const said = await inShell(
      { folder: root, env: settings({ NODE_ENV: 'production' }) },
      'node apps/server/bin.ts migrate',
    )
    expect(said).toBe('Nothing to migrate: all is up to date.\n')
  })

  it('names a setting that is missing', async () => {
    const said = await inShell(
      { folder: root, env: plainEnvironment() },
      'node apps/server/bin.ts migrate 2>&1 || echo "code $?"',
    )
    expect(said).toMatch(/^The migration failed: setting DATABASE_URL: .*\ncode 1\n$/)
  })

  it('passes the words behind operator on', async () => {
    expect(await command('operator --help')).toContain('move-subscription')
    expect(await command('operator nothing')).toMatch(/^There is no command "nothing".*code 2\n$/s)
  })
})

describe('npm start', () => {
  it('ends the server when npm gets SIGTERM', { timeout: 90_000 }, async () => {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const key = () => randomBytes(32).toString('base64')
    const child = spawn('npm', ['start'], {
      cwd: root,
      stdio: 'ignore',
      env: settings({
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        SECRET_KEY: server.services.config.secretKeys.map((each) => each.toString('base64')).join(','),
        LOG_KEY: key(),
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
