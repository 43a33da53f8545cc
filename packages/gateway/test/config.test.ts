/** The configuration file: what is wrong with it is said before anybody is served. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, read } from '../../../tests/docs/blocks.ts'
import { hostKey } from '../../../tests/support/little-log.ts'
import { ConfigError, fits, readConfig } from '../config.ts'

const main = new URL('../main.ts', import.meta.url).pathname
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-gateway-config-'))
  writeFileSync(join(folder, 'countersign.trust'), `log ${hostKey('countersign.test').vkey}\nquorum none\n`)
  writeFileSync(join(folder, 'token'), `${'t'.repeat(40)}\n`)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = { KEY: 'csk_1', OTHER_KEY: 'csk_2', TOKEN: 'x'.repeat(32), SHORT: 'short' }
const usual = {
  countersign: { url: 'https://proof.example', trust: { trustFile: 'countersign.trust', center: 42 } },
  state: 'state',
  upstreams: { db: { command: 'db-server' } },
  agents: { clerk: { key: { env: 'KEY' } } },
}
const write = (changes: object): string => {
  const file = join(folder, 'gateway.json')
  writeFileSync(file, JSON.stringify({ ...usual, ...changes }))
  return file
}
function problemsOf(changes: object): readonly string[] {
  try {
    readConfig(write(changes), env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('a configuration', () => {
  it('is read with its secrets, its defaults and its rules', () => {
    const config = readConfig(
      write({
        agents: { clerk: { key: { env: 'KEY' }, token: { file: 'token' }, tools: ['db_*'] } },
        tools: [
          { tool: 'db_read_*', handling: 'pass' },
          { tool: 'db_*', riskScore: 0.7, action: 'database.change' },
        ],
      }),
      env,
    )
    expect(config.agents[0]).toMatchObject({ key: 'csk_1', token: 't'.repeat(40), upstreams: ['db'] })
    expect([config.agents[0]?.sees('db_x'), config.agents[0]?.sees('files_x')]).toEqual([true, false])
    expect(config.ruleOf('db_read_rows')).toMatchObject({ handling: 'pass' })
    expect(config.ruleOf('db_drop')).toEqual({ handling: 'decide', action: 'database.change', riskScore: 0.7 })
    expect(config.ruleOf('files_x')).toMatchObject({ handling: 'decide' })
    expect(config.limits).toMatchObject({ waitMs: 45_000, callMs: 60_000, answerBytes: 1_048_576 })
  })

  it.each([
    ['an unknown setting', { unknown: 1 }, /unknown|additional/i],
    ['a secret in the file', { agents: { clerk: { key: 'csk_1' } } }, /\/agents\/clerk\/key/],
    ['a variable that is not set', { agents: { clerk: { key: { env: 'MISSING' } } } }, /MISSING isn't set/],
    ['a short token', { agents: { clerk: { key: { env: 'KEY' }, token: { env: 'SHORT' } } } }, /at least 32/],
    ['a server that does not exist', { agents: { clerk: { key: { env: 'KEY' }, upstreams: ['x'] } } }, /no server x/],
    ['HTTP without any token', { listen: { port: 1 } }, /no agent has a token/],
    ['no trust policy', { countersign: { ...usual.countersign, trust: { trustFile: 'x', center: 1 } } }, /ENOENT/],
    [
      'one key for two agents',
      { agents: { clerk: { key: { env: 'KEY' } }, night: { key: { env: 'KEY' } } } },
      /two agents have the same key/,
    ],
    [
      'one prefix for two servers',
      { upstreams: { a: { command: 'a', prefix: '' }, b: { command: 'b', prefix: '' } } },
      /prefix/,
    ],
    [
      'a sandbox that is not said to be one',
      { countersign: { url: 'https://x', trust: { trustFile: 'countersign.trust', center: 0 } } },
      /center/,
    ],
  ])('with %s is refused', (_, changes, reason) => {
    expect(problemsOf(changes).join('\n')).toMatch(reason)
  })

  it('is as the pages show it', () => {
    const pages = ['packages/gateway/README.md', 'docs/guides/gateway.md', 'docs/ko/guides/gateway.md']
    const blocks = pages.flatMap((page) =>
      blocksOf(read(page)).filter(({ label }) => label === 'countersign-gateway.json'),
    )
    expect(blocks).toHaveLength(3)
    const secrets = { SUPPORT_KEY: 'csk_1', SUPPORT_TOKEN: 'x'.repeat(32), DATABASE_DSN: 'postgres://…' }
    for (const { text } of blocks) {
      const file = join(folder, 'page.json')
      writeFileSync(file, text.replace('/run/secrets/tickets', 'token'))
      expect(readConfig(file, secrets).agents[0]?.id).toBe('support-agent')
    }
  })
})

it('a pattern has no other sign than *', () => {
  expect([fits('db_*', 'db_x'), fits('db_*', 'xdb_x'), fits('d.b', 'dxb'), fits('*', '')]).toEqual([
    true,
    false,
    false,
    true,
  ])
})

describe('the program', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [main, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    })

  it('says what is wrong and ends with 2', () => {
    const { status, stderr } = run('check', '--config', write({ state: 1 }))
    expect([status, stderr]).toEqual([2, expect.stringContaining('/state')])
    expect(run('dance').status).toBe(2)
    expect(run('stdio', '--agent', 'nobody', '--config', write({})).stderr).toContain('--agent must be one of: clerk')
  })

  it('check names a server that cannot be reached, and a key that is not accepted', { timeout: 90_000 }, () => {
    const countersign = { ...usual.countersign, url: 'http://127.0.0.1:9' }
    const { status, stderr } = run(
      'check',
      '--config',
      write({ countersign, upstreams: { db: { command: 'no-such-program' } } }),
    )
    expect(status).toBe(1)
    expect(stderr).toMatch(/db can't be reached/)
    expect(stderr).toMatch(/the key of clerk: /)
  })
})
