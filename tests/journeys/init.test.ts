/** `countersign-server init`: from an empty database to a first administrator who signs in, and again. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { init } from '../../apps/server/operator/init.ts'
import { freePort, withClient } from '../../tools/postgres.ts'
import { root } from '../docs/blocks.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { inBackground, plainEnvironment } from './shell.ts'

const home = mkdtempSync(join(tmpdir(), 'countersign-init-'))
const folder = join(home, 'etc')
const center = ['--center', 'Night School', '--subdomain', 'night-school', '--admin', 'dana@people.example']
const database = `cs_test_init_${randomBytes(4).toString('hex')}`
let server: TestServer
let env: Record<string, string>

beforeAll(async () => {
  server = await startServer()
  const url = new URL(server.services.config.databaseUrl)
  await withClient(url.href, (client) => client.query(`create database ${database}`))
  url.pathname = `/${database}`
  const [port, metrics] = [await freePort(), await freePort()]
  env = {
    DATABASE_URL: url.href,
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
    METRICS_PORT: String(metrics),
    MAIL_FROM: 'Night School <no-reply@people.example>',
    AI_BASE_URL: 'http://127.0.0.1:9/v1',
    AI_MODEL: 'drafts',
    AI_API_KEY: 'a-secret-of-the-model',
  }
})
afterAll(async () => {
  await withClient(server.services.config.databaseUrl, (client) =>
    client.query(`drop database if exists ${database} with (force)`),
  )
  await server.close()
  rmSync(home, { recursive: true })
})

async function run(args: readonly string[], settings: Record<string, string> = env) {
  let [out, err] = ['', '']
  const code = await init(args, settings, {
    out(text) {
      out += text
    },
    err(text) {
      err += text
    },
  })
  return { code, out, err }
}
const contents = () =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name !== 'fence')
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )

it.each([
  ['no folder', ['--center', 'x'], {}, 2, 'Name one folder'],
  ['half a center', ['F', '--center', 'x'], {}, 2, 'A center needs --center, --subdomain and --admin'],
  ['half a center in the environment', ['F'], { INIT_ADMIN_EMAIL: 'a@b.example' }, 2, 'A center needs'],
  ['an unknown option', ['F', '--colour', 'red'], {}, 2, '--colour'],
  ['no database', ['F'], { DATABASE_URL: '' }, 1, 'setting DATABASE_URL: is required'],
  ['no address', ['F'], { PUBLIC_URL: '' }, 1, 'setting PUBLIC_URL: is required'],
  ['an address without TLS', ['F'], { PUBLIC_URL: 'http://proof.example' }, 1, 'setting PUBLIC_URL'],
])('with %s, it writes nothing and says what is missing', async (_, args, more, code, said) => {
  const words = args.map((word) => (word === 'F' ? folder : word))
  expect(await run(words, { ...env, ...(more as Record<string, string>) })).toMatchObject({
    code,
    out: '',
    err: expect.stringContaining(said),
  })
  expect(existsSync(folder)).toBe(false)
})

it('writes keys, settings and a center, whose administrator signs in by the printed link', {
  timeout: 120_000,
}, async () => {
  const { code, out, err } = await run([folder, ...center])
  expect([code, err]).toEqual([0, ''])
  const [link = ''] = /http\S+\/invitations\/csi_\S+/.exec(out) ?? []

  const files = contents()
  expect(Object.keys(files).sort()).toEqual(
    ['ai-api-key', 'database-password', 'log-key', 'migrate', 'operator-password', 'secret-key', 'settings'].sort(),
  )
  for (const name of Object.keys(files))
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of ['secret-key', 'log-key', 'database-password', 'operator-password', 'ai-api-key']) {
    expect(out).not.toContain(files[name]?.trim())
    expect(files.settings).not.toContain(files[name]?.trim())
  }
  expect(files.settings).not.toContain('operator-password')
  expect(files.settings).toContain(`DATABASE_URL=postgres://${new URL(env.DATABASE_URL ?? '').host}/${database}\n`)

  // As a service manager would start it, with nothing else in the environment.
  const shell = { folder: root, env: plainEnvironment() }
  const started = inBackground(shell, `set -a; . '${folder}/settings'; exec node apps/server/bin.ts start`)
  try {
    await started.shows('"msg":"ready"', 60_000)
    const post = (path: string, body: object) =>
      fetch(`${env.PUBLIC_URL}/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const password = 'a password of her own 7'
    expect((await post('invitations/accept', { token: link.split('/').at(-1), password })).status).toBe(200)
    const signedIn = await post('login', { email: 'dana@people.example', password })
    expect(await signedIn.json()).toMatchObject({ data: { center: { domain: 'night-school' } } })
  } finally {
    await started.interrupt(30_000)
  }
})

it('changes nothing when it runs again, and says so', async () => {
  const before = contents()
  const named = {
    INIT_CENTER_NAME: 'Night School',
    INIT_CENTER_SUBDOMAIN: 'night-school',
    INIT_ADMIN_EMAIL: 'dana@people.example',
  }
  const { code, out } = await run([folder], { ...env, ...named, PORT: '1' })
  expect(code).toBe(0)
  expect(out).toMatch(
    /has keys and settings already; nothing was changed[\s\S]*up to date[\s\S]*exists already; nothing/,
  )
  expect(out).not.toContain('csi_')
  expect(contents()).toEqual(before)
})

it('makes no new keys for a database that is in use', async () => {
  const other = join(home, 'other')
  const { code, err } = await run([other, ...center])
  expect([code, err]).toEqual([1, expect.stringContaining('The database is in use already, and')])
  expect(existsSync(other)).toBe(false)
})
