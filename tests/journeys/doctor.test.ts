/** `countersign-server doctor`: it finds each planted fault, and says what to do. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vkeyOf } from '@countersign/proof/signed-note.ts'
import { doctor } from '@countersign/server/operator/doctor/doctor.ts'
import type { Finding } from '@countersign/server/operator/doctor/finding.ts'
import { readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/postgres.ts'
import { type Mailbox, openMailbox } from '../support/mailbox.ts'
import { openProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer, testRedis } from '../support/server.ts'

let server: TestServer
let mailbox: Mailbox
let folder: string
let nowhere: number
const key = () => randomBytes(32).toString('base64')

beforeAll(async () => {
  ;[server, mailbox] = await Promise.all([startServer({ fence: true }), openMailbox()])
  folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  nowhere = await freePort()
  // The first seal binds the store to the database.
  const fixture = await openProofFixture(server)
  await fixture.approve((await fixture.record()).id)
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
  rmSync(folder, { recursive: true })
})

async function examined(more: Readonly<Record<string, string>> = {}) {
  let [said, complained] = ['', '']
  const { config } = server.services
  const env = {
    DATABASE_URL: config.databaseUrl,
    SECRET_KEY: config.secretKeys.map((each) => each.toString('base64')).join(','),
    TLOG_KEY: key(),
    TLOG_FENCE: config.log.fence?.at as string,
    REDIS_URL: testRedis,
    SMTP_URL: mailbox.url,
    PUBLIC_URL: 'http://localhost:3000',
    ...more,
  }
  const print = {
    out: (text: string) => {
      said += text
    },
    err: (text: string) => {
      complained += text
    },
  }
  const code = await doctor(['--json'], env, print)
  const { healthy, findings } = JSON.parse(said) as { healthy: boolean; findings: Finding[] }
  expect([complained, code]).toEqual(['', healthy ? 0 : 1])
  return { findings, healthy, env, print, text: () => said.slice(said.indexOf('}\n') + 2) }
}

const of = (findings: readonly Finding[], check: string) => findings.filter((each) => each.check === check)

it('finds nothing wrong with a server that works', async () => {
  const { findings, healthy } = await examined()
  expect(findings.filter(({ status }) => status === 'failed')).toEqual([])
  expect(healthy).toBe(true)
  const found = new Set(findings.filter(({ status }) => status === 'ok').map(({ check }) => check))
  const all = ['settings', 'version', 'keys', 'disk', 'schema', 'clock', 'store', 'redis', 'smtp', 'dns']
  expect([...found]).toEqual(expect.arrayContaining(all))
  expect(of(findings, 'durability')).toMatchObject([{ status: 'warning', remedy: expect.stringContaining('standby') }])
  expect(of(findings, 'witness')).toMatchObject([{ status: 'warning' }])
})

it('prints a line for each finding, and the remedy below it', async () => {
  const { env, print } = await examined()
  let text = ''
  expect(
    await doctor([], { ...env, SMTP_URL: `smtp://127.0.0.1:${nowhere}` }, { ...print, out: (said) => (text = said) }),
  ).toBe(1)
  expect(text).toMatch(/^ok {7}settings .* They're valid for development with the role all\.$/m)
  expect(text).toMatch(/^failed {3}smtp .*ECONNREFUSED.*\n +Check the host, port, user and password in SMTP_URL\.$/m)
  expect(text).toMatch(/\nCountersign \S+: 1 failed, \d+ warnings, \d+ ok, \d+ skipped\.\n$/)
  expect(await doctor(['--all'], env, { ...print, err: (said) => (text = said) })).toBe(2)
  expect(text).toBe('Unknown option "--all". Usage: countersign-server doctor [--json]\n')
})

describe('a planted fault', () => {
  const production = { NODE_ENV: 'production' }
  const witness = (port: number) => {
    const file = join(folder, 'policy')
    const vkey = vkeyOf('witness.example', 4, randomBytes(32))
    writeFileSync(file, `witness w1 ${vkey} http://127.0.0.1:${port}\nquorum w1\n`)
    return file
  }
  const openFile = () => {
    const file = join(folder, 'secret')
    writeFileSync(file, key())
    chmodSync(file, 0o644)
    return file
  }
  const otherDatabase = () => server.services.config.databaseUrl.replace(/\/[^/]+$/, '/postgres')
  const faults: [what: string, check: string, status: string, found: RegExp, env: () => Record<string, string>][] = [
    ['an invalid setting', 'settings', 'failed', /setting PORT/, () => ({ PORT: 'http' })],
    [
      'a key of two purposes in production',
      'settings',
      'failed',
      /TLOG_KEY: must differ/,
      () => {
        const same = key()
        return { ...production, SECRET_KEY: same, TLOG_KEY: same }
      },
    ],
    [
      'a database that is away',
      'database',
      'failed',
      /ECONNREFUSED/,
      () => ({ DATABASE_URL: `postgres://127.0.0.1:${nowhere}/x` }),
    ],
    ['another SECRET_KEY', 'keys', 'failed', /SECRET_KEY isn't the one/, () => ({ SECRET_KEY: key() })],
    [
      'a database without the schema',
      'schema',
      'failed',
      /schema of the directory database/,
      () => ({ DATABASE_URL: otherDatabase() }),
    ],
    [
      'a database that may lose commits, with DURABILITY=strict',
      'durability',
      'failed',
      /may lose/,
      () => ({ DURABILITY: 'strict' }),
    ],
    [
      'production without a store',
      'store',
      'warning',
      /only until it stops/,
      () => ({ ...production, TLOG_FENCE: 'none' }),
    ],
    ['a store that is not there yet', 'store', 'skipped', /first start/, () => ({ TLOG_FENCE: folder })],
    ['Redis away', 'redis', 'failed', /closed|ECONNREFUSED/, () => ({ REDIS_URL: `redis://127.0.0.1:${nowhere}` })],
    ['production without a mail server', 'smtp', 'failed', /isn't set/, () => ({ ...production, SMTP_URL: '' })],
    [
      'a name without an address',
      'dns',
      'failed',
      /ENOTFOUND|EAI_AGAIN/,
      () => ({ PUBLIC_URL: 'https://nowhere.invalid' }),
    ],
    [
      'a witness that does not answer',
      'witness',
      'failed',
      /isn't responding/,
      () => ({ TLOG_POLICY_FILE: witness(nowhere) }),
    ],
    [
      'a key file that others can read',
      'keys',
      'failed',
      /mode is 644/,
      () => ({ SECRET_KEY: '', SECRET_KEY_FILE: openFile() }),
    ],
  ]

  it.each(faults)('%s', async (_, check, status, found, env) => {
    const { findings } = await examined(env())
    const said = of(findings, check).filter((each) => each.status === status)
    expect(said.map((each) => each.found).join('\n')).toMatch(found)
    for (const each of said) expect(each.remedy !== undefined).toBe(status !== 'skipped')
  })

  it('of the database is one finding, and says what to do', async () => {
    const away = await examined({ DATABASE_URL: `postgres://127.0.0.1:${nowhere}/x` })
    const found = away.findings.filter(({ status }) => status === 'failed')
    expect(found).toMatchObject([{ check: 'database', remedy: expect.stringContaining('Start PostgreSQL') }])
    const missing = server.services.config.databaseUrl.replace(/\/[^/]+$/, '/not_there')
    const { findings } = await examined({ DATABASE_URL: missing })
    expect(findings.filter(({ status }) => status === 'failed')).toMatchObject([
      { check: 'database', remedy: expect.stringContaining('Create the database') },
    ])
  })

  it('is not the log key during a rotation: doctor says which one signs', async () => {
    const [now, coming] = [key(), key()]
    const { findings } = await examined({ TLOG_KEY: `private ${coming} 2999-01-01T00:00:00Z\n${now}` })
    const { all } = readLogKeys(`private ${coming} 2999-01-01T00:00:00Z\n${now}`, 'localhost:3000')
    expect(of(findings, 'keys').map(({ found }) => found)).toContainEqual(
      `2 keys are known for localhost:3000. The signing key is ${all[1]?.vkey}. From 2999-01-01T00:00:00Z, it will be ${all[0]?.vkey}.`,
    )
  })

  it('of the store: another database', async () => {
    const other = await startServer()
    try {
      const { findings } = await examined({ DATABASE_URL: other.services.config.databaseUrl })
      expect(of(findings, 'store')).toMatchObject([{ status: 'failed', remedy: expect.stringContaining('runbook') }])
    } finally {
      await other.close()
    }
  })
})
