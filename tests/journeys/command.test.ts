/** A developer's day with the command, against a real server. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countersign, main } from '../../packages/cli/test/program.ts'
import { listenThroughKills } from '../crash/listen.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { startWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts'

let fixture: WebhookFixture
let folder: string
let baseUrl: string
let config: string

beforeAll(async () => {
  fixture = await startWebhookFixture()
  folder = mkdtempSync(join(tmpdir(), 'command-'))
  config = join(folder, 'home', 'profiles.json')
  baseUrl = `http://127.0.0.1:${fixture.server.services.config.port}`
})
afterAll(async () => {
  await fixture?.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (args: readonly string[], more: { stdin?: string; env?: Record<string, string> } = {}) =>
  countersign(args, { ...more, env: { COUNTERSIGN_CONFIG: config, ...more.env } })
const json = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).out)

describe('login, whoami, use', () => {
  it('needs a key, and asks nothing', async () => {
    const { code, err, out } = await run(['login', '--base-url', baseUrl])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('Give an API key with --key-file')
    expect((await run(['whoami'])).code).toBe(2)
  })

  it('refuses a key that the server refuses, and saves nothing', async () => {
    const { code, err } = await run(['login', '--base-url', baseUrl, '--key-file', '-'], { stdin: 'csk_live_wrong' })
    expect([code, err]).toEqual([2, expect.stringContaining('401')])
    expect(() => statSync(config)).toThrow()
  })

  it('keeps the key in a file that only its owner reads, and never prints it', async () => {
    const { code, out, err } = await run(['login', '--base-url', baseUrl, '--key-file', '-'], { stdin: fixture.key })
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`/c/${fixture.center.id}`)
    expect(statSync(config).mode & 0o777).toBe(0o600)
    expect(out).not.toContain(fixture.key)
    const who = await run(['whoami'])
    expect([who.code, who.out.includes(fixture.key)]).toEqual([0, false])
    expect(await json('whoami')).toMatchObject({ profile: 'default', baseUrl, sandbox: false })
  })

  it('switches between profiles', async () => {
    await run(['login', '--base-url', baseUrl, '--key-file', '-', '--profile', 'other'], { stdin: fixture.key })
    expect(await json('use')).toMatchObject([
      { profile: 'default', current: false },
      { profile: 'other', current: true },
    ])
    expect((await run(['use', 'default'])).code).toBe(0)
    expect((await run(['use', 'none'])).code).toBe(2)
    expect((await run(['logout', '--profile', 'other'])).code).toBe(0)
    expect(await json('use')).toMatchObject([{ profile: 'default', current: true }])
  })
})

describe('decisions', () => {
  it('are listed, shown and waited for, with an exit code for each end', { timeout: 120_000 }, async () => {
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['wait.*'] } })
    const { id } = await fixture.record({ action: { type: 'wait.me', description: 'x\u001b[2J' } })
    const listed = await json('decisions', 'list', '--waiting')
    expect(listed.map((each: { id: string }) => each.id)).toContain(id)
    const shown = await run(['decisions', 'show', id])
    expect(shown.out).toContain('wait.me')
    expect(shown.out).toMatch(/^Approve at +http/m)
    expect(shown.out).not.toContain('\u001b')
    const waiting = await run(['decisions', 'wait', id, '--timeout', '0'])
    expect(waiting.code).toBe(4)
    const page = await run(['approve', id])
    expect([page.code, page.out]).toEqual([4, expect.stringMatching(/^https?:\/\/\S+\n$/)])
    await fixture.approve(id)
    expect((await run(['decisions', 'wait', id, '--timeout', '20'])).code).toBe(0)
    const refused = await fixture.record({ action: { type: 'wait.me', description: 'no' } })
    await fixture.approve(refused.id, { result: 'rejected' })
    expect((await run(['decisions', 'wait', refused.id, '--timeout', '20'])).code).toBe(1)
    const unknown = await run(['decisions', 'show', 'evt_unknown'])
    expect([unknown.code, unknown.out]).toEqual([2, ''])
  })
})

describe('sandbox', () => {
  it('create keeps the key in a profile of its own, and the profile in use stays', { timeout: 120_000 }, async () => {
    const key = await fixture.server.world.key(fixture.center, { scopes: ['proof:read', 'sandboxes:write'] })
    const own = { COUNTERSIGN_CONFIG: join(folder, 'sandboxes.json') }
    const there = (...args: string[]) => run(args, { stdin: key, env: own })
    await there('login', '--base-url', baseUrl, '--key-file', '-')
    const made = await there('sandbox', 'create', 'CI', '--save-as', 'ci')
    expect([made.code, made.out.includes('csk_test_')]).toEqual([0, false])
    expect((await there('use')).out).toMatch(/^\*\s+default[\s\S]*^\s+ci/m)
    expect((await there('whoami', '--profile', 'ci')).out).toContain('test data')
    const ended = await there('sandbox', 'end', 'CI')
    expect([ended.code, ended.out]).toEqual([0, expect.stringMatching(/^Sandbox \d+ has ended/)])
    expect(JSON.parse((await there('sandbox', 'list', '--json')).out)).toEqual([])
  })
})

describe('listen', () => {
  it('loses nothing when it is killed and started again, and signs as the server does', {
    timeout: 90_000,
  }, async () => {
    const seed = Number(process.env.TEST_SEED ?? 7)
    const found = await listenThroughKills(
      { baseUrl, key: fixture.key, consumer: await fixture.newConsumer(), publish: (id) => fixture.publish({ id }) },
      { seed, events: 60, kills: 2 },
    )
    expect(found).toMatchObject({ missing: 0, unsigned: 0, unknown: 0 })
    expect(found.mostAfterOneKill).toBeLessThanOrEqual(1)
    await fixture.clear()
  })

  it('checks a signature, and an example that trigger sends has a valid one', { timeout: 60_000 }, async () => {
    const consumer = await fixture.newConsumer()
    const made = await run(['listen', '--forward-to', consumer.url, '--timeout', '0'])
    expect(made.code).toBe(0)
    expect((await run(['trigger', 'agent.decision.completed', '--forward-to', consumer.url])).code).toBe(0)
    const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = consumer.received
    const bodyFile = join(folder, 'body.json')
    const headerFile = join(folder, 'headers.json')
    writeFileSync(bodyFile, body)
    writeFileSync(headerFile, JSON.stringify(headers))
    const check = (...more: string[]) => run(['signature', 'check', bodyFile, '--headers', headerFile, ...more])
    expect((await check()).code).toBe(0)
    writeFileSync(bodyFile, readFileSync(bodyFile, 'utf8').replace('"type"', '"Type"'))
    const bad = await check()
    expect([bad.code, bad.out]).toEqual([1, expect.stringContaining('NOT VALID')])
    expect((await run(['trigger', 'no.such', '--forward-to', consumer.url])).code).toBe(2)
    await fixture.clear()
  })
})

describe('policies apply', () => {
  const policies = (names: readonly string[]) =>
    JSON.stringify({
      version: 1,
      policies: names.map((name) => ({ name, match: { actionTypes: ['plan.*'] }, guards: { humanReview: true } })),
    })

  it('under concurrent changes applies one file whole, and refuses the others with the difference', {
    timeout: 120_000,
  }, async () => {
    const center = await fixture.server.world.center()
    const env = {
      COUNTERSIGN_URL: baseUrl,
      COUNTERSIGN_API_KEY: await fixture.server.world.key(center, { scopes: ['policies:write'] }),
    }
    const files = ['A', 'B', 'C'].map((each) => {
      const file = join(folder, `${each}.json`)
      writeFileSync(file, policies([1, 2, 3].map((count) => `${each}${count}`)))
      return file
    })
    const { out } = await run(['policies', 'export', '--json'], { env })
    const { revision } = JSON.parse(out)
    const ended = await Promise.all(
      files.map((file) => run(['policies', 'apply', file, '--revision', revision], { env })),
    )
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 5, 5])
    const winner = 'ABC'[ended.findIndex(({ code }) => code === 0)] as string
    for (const [at, { code, out }] of ended.entries()) {
      const own = 'ABC'[at]
      if (code === 5)
        expect(out).toMatch(new RegExp(`^NOT APPLIED[\\s\\S]*\\+ policy ${own}1[\\s\\S]*- policy ${winner}1`))
    }
    const now = JSON.parse((await run(['policies', 'export', '--json'], { env })).out)
    expect(now.file.policies.map(({ name }: { name: string }) => name)).toEqual([1, 2, 3].map((n) => `${winner}${n}`))
  })

  it('that loosens prints where a person approves, ends with 4, and takes effect with the approval', {
    timeout: 120_000,
  }, async () => {
    const { world } = fixture.server
    const env = {
      COUNTERSIGN_URL: baseUrl,
      COUNTERSIGN_API_KEY: await world.key(fixture.center, { scopes: ['policies:write', 'proof:read'] }),
    }
    await fixture.policy({ humanReview: true }, { name: 'Guarded', match: { actionTypes: ['guarded.*'] } })
    await fixture.record({ action: { type: 'guarded.act', description: 'x' } })
    const file = join(folder, 'loose.json')
    const whole = JSON.parse((await run(['policies', 'export', '--json'], { env })).out).file
    const kept = whole.policies.filter(({ name }: { name: string }) => name !== 'Guarded')
    writeFileSync(file, JSON.stringify({ version: 1, policies: kept }))
    const waits = await run(['policies', 'apply', file], { env })
    expect([waits.code, waits.out]).toEqual([4, expect.stringMatching(/loosens: Guarded[\s\S]*\/approve\/evt_\w+\n$/)])
    const [id = ''] = /evt_\w+/.exec(waits.out) ?? []
    const still = await run(['decisions', 'wait', id, '--timeout', '0'], { env })
    expect(still.code).toBe(4)
    const names = () => run(['policies', 'export'], { env }).then(({ out }) => out)
    expect(await names()).toContain('Guarded')
    expect((await fixture.approveAsMember(id)).status).toBe(200)
    expect((await run(['decisions', 'wait', id, '--timeout', '20'], { env })).code).toBe(0)
    expect(await names()).not.toContain('Guarded')
    expect((await run(['policies', 'apply', file], { env })).out).toMatch(/^Nothing to change/)
  })
})

it.each(['docs/guides/command.md', 'docs/ko/guides/command.md'])(
  '%s: every command on it works',
  { timeout: 90_000 },
  async (page) => {
    const blocks = blocksOf(read(page)).filter(({ language }) => language === 'sh')
    expect(blocks.length).toBe(4)
    for (const { text } of blocks) {
      const here = text
        .replaceAll('npm run --silent countersign --', `'${process.execPath}' '${main}'`)
        .replaceAll('http://localhost:3000', baseUrl)
      const env = { PATH: process.env.PATH ?? '', COUNTERSIGN_CONFIG: join(folder, 'guide.json'), KEY: fixture.key }
      await promisify(execFile)('bash', ['-ec', here], { cwd: folder, env })
    }
    await fixture.clear()
  },
)

it('doctor names what is wrong', async () => {
  expect((await run(['doctor'])).code).toBe(0)
  const away = await run(['doctor', '--base-url', 'http://127.0.0.1:9', '--key', 'x'])
  expect([away.code, away.out]).toEqual([1, expect.stringContaining("can't be reached")])
})
