/**
 * From a machine with coding agents and a center without keys to hooks that answer, and back: the real command, the real server, and
 * agents' programs that only say their version.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allSettings } from '../../packages/cli/agents/settings.ts'
import { countersign } from '../../packages/cli/test/program.ts'
import { startServer, type TestServer } from '../support/server.ts'
import type { Center, Person } from '../support/world.ts'

let server: TestServer
let center: Center
let admin: Person
let home: string
let env: Record<string, string>
let signIn: string[]

const versions: Readonly<Record<string, string>> = {
  ...{
    claude: '2.1.326',
    codex: '0.169.0',
    gemini: '0.61.0',
    copilot: '1.0.102',
    opencode: '1.18.33',
    cursor: '3.9.16',
  },
}

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  home = mkdtempSync(join(tmpdir(), 'agents-home-'))
  mkdirSync(join(home, 'bin'))
  mkdirSync(join(home, 'work'))
  for (const [name, version] of Object.entries(versions)) {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n[ "$1" = --version ] && echo '${version}'\n`)
    chmodSync(join(home, 'bin', name), 0o755)
  }
  env = { HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}`, COUNTERSIGN_BASE_URL: server.url }
  writeFileSync(join(home, 'password'), `${admin.password}\n`)
  const { policy } = (await (await fetch(`${server.url}/.well-known/countersign-log.json`)).json()) as {
    policy: string
  }
  writeFileSync(join(home, 'trust'), policy)
  const person = ['--email', admin.email ?? '', '--password-file', join(home, 'password'), '--center', center.domain]
  signIn = [...person, '--trust', join(home, 'trust')]
})
afterAll(async () => {
  rmSync(home, { recursive: true, force: true })
  await server.close()
})

const run = (args: string[], more: Record<string, string> = {}) =>
  countersign(['agents', ...args], { env: { ...env, ...more }, folder: join(home, 'work') })
const connectionOf = (id: string) =>
  JSON.parse(readFileSync(join(home, '.config', 'countersign', 'hook', `${id}.json`), 'utf8'))
const keysMade = () =>
  server.world.query<{ name: string; scopes: string[]; bound_to: object }>(
    'select name, scopes, bound_to from directory.api_keys where center_id = $1 and revoked_at is null order by created_at',
    [center.id],
  )
/** Every file of the home with its text. */
const files = () =>
  Object.fromEntries(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((name) => [name.slice(home.length + 1), readFileSync(name, 'utf8')]),
  )

// Each command is a process, and doctor starts two for each agent: a busy machine takes a while.
const timeout = 400_000

describe('connecting', { timeout }, () => {
  const mine = '{\n  // mine\n  "model": "opus",\n}\n'

  it('without --yes shows the difference, and writes nothing', async () => {
    mkdirSync(join(home, '.claude'))
    writeFileSync(join(home, '.claude', 'settings.json'), mine)
    const before = files()
    const { code, err } = await run(['connect', 'claude-code', ...signIn.slice(0, 6), '--trust', join(home, 'trust')])
    expect([code, err]).toEqual([1, expect.stringContaining('+   "hooks": {')])
    expect([files(), await keysMade()]).toEqual([before, []])
  })

  it('makes for each agent a key that can only ask in its name, and keeps what was there', async () => {
    const { code, out, err } = await run(['connect', '--yes', ...signIn])
    expect([code, err]).toEqual([0, ''])
    for (const { agent } of allSettings) expect(out).toContain(`${agent.label} is connected`)
    const keys = await keysMade()
    expect(keys.map(({ scopes }) => scopes)).toEqual(allSettings.map(() => ['decide']))
    for (const { agent } of allSettings) {
      const { url, key, actor, center: id } = connectionOf(agent.id)
      expect([url, id]).toEqual([server.url, center.id])
      expect(actor.id).toMatch(new RegExp(`^${agent.id}@`))
      expect(keys.map(({ bound_to }) => bound_to)).toContainEqual({ id: actor.id, type: 'ai_agent' })
      expect((await server.call('GET', '/api/v1/chains/proof/checkpoint', { token: key })).status).toBe(403)
      expect(statSync(join(home, '.config', 'countersign', 'hook', `${agent.id}.json`)).mode & 0o777).toBe(0o600)
    }
    expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toContain(mine.slice(0, -4))
    // No session stays: neither its tokens nor the password are in any file but the one that the person made.
    const written = Object.entries(files()).filter(([name]) => name !== 'password')
    expect(written.filter(([, text]) => text.includes(admin.password) || /eyJ|csr_/.test(text))).toEqual([])
  })

  it('again changes nothing, and makes no key', async () => {
    const before = files()
    const { code, out } = await run(['connect', '--yes', '--json'])
    expect([code, JSON.parse(out).agents.map(({ status }: { status: string }) => status)]).toEqual([
      ...[0, allSettings.map(() => 'unchanged')],
    ])
    expect([files(), (await keysMade()).length]).toEqual([before, allSettings.length])
  })

  it('refuses a key with any other scope or without an agent', async () => {
    const actor = { id: 'a', type: 'ai_agent' }
    for (const options of [
      { scopes: ['decide', 'proof:approve'], boundTo: actor },
      { scopes: ['proof:write'], boundTo: actor },
      { scopes: ['proof:read'] },
      { scopes: ['events:write'] },
      { scopes: ['decide'], boundTo: { id: 'a', type: 'human' } },
    ]) {
      writeFileSync(join(home, 'key'), await server.world.key(center, options))
      const before = files()
      const { code, err } = await run(['connect', 'codex', '--yes', '--key-file', join(home, 'key')])
      expect([code, err], JSON.stringify(options)).toEqual([2, expect.stringContaining("This key can't be used.")])
      expect(files()).toEqual(before)
    }
  })

  it('takes a key that an ADMIN created in the console', async () => {
    writeFileSync(
      join(home, 'key'),
      await server.world.key(center, { scopes: ['decide'], boundTo: { id: 'builder', type: 'ai_agent' } }),
    )
    expect((await run(['connect', 'codex', '--yes', '--key-file', join(home, 'key')])).code).toBe(0)
    expect(connectionOf('codex').actor.id).toBe('builder')
  })

  it('replaces a key that was revoked, and no other', async () => {
    await server.world.query(
      `update directory.api_keys set revoked_at = now() where bound_to ->> 'id' = 'builder'`,
      [],
      true,
    )
    const before = { gemini: connectionOf('gemini').key, codex: connectionOf('codex').key }
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect((await run(['connect', '--yes', ...signIn])).code).toBe(0)
    expect([connectionOf('gemini').key === before.gemini, connectionOf('codex').key === before.codex]).toEqual([
      true,
      false,
    ])
  })

  it('says what to do for somebody who may not create keys, and for wrong options', async () => {
    const staff = await server.world.person()
    await server.world.member(staff, center, 'INSTRUCTOR')
    writeFileSync(join(home, 'key'), '')
    const other = [
      '--email',
      staff.email ?? '',
      '--password-file',
      join(home, 'password'),
      '--trust',
      join(home, 'trust'),
    ]
    const refused = await run(['connect', 'gemini', '--yes', '--actor', 'x', ...other, '--center', center.domain])
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('ADMIN')])
    for (const args of [
      ['connect', 'gemini', '--yes', '--actor', 'x'],
      ['connect', 'nonsense'],
      ['connect', '--scope', 'galaxy'],
      ['connect', 'gemini', 'codex', '--key-file', join(home, 'key')],
      ['connect', 'gemini', '--requires', 'claim', '--yes'],
      ['connect', 'opencode', '--scope', 'managed', '--yes'],
    ])
      expect((await run(args)).code, args.join(' ')).toBe(2)
    const other2 = await countersign(['agents', 'connect', 'gemini', '--yes', ...signIn.slice(0, 6)], {
      env: { ...env, HOME: join(home, 'bin') },
    })
    expect([other2.code, other2.err]).toEqual([2, expect.stringContaining('--trust FILE')])
  })

  it('touches no file that it cannot read, and connects the others', async () => {
    const file = join(home, '.gemini', 'settings.json')
    writeFileSync(file, '{ broken')
    const { code, out } = await run(['connect', '--yes'])
    expect([code, out, readFileSync(file, 'utf8')]).toEqual([
      2,
      expect.stringContaining('.gemini/settings.json'),
      '{ broken',
    ])
    rmSync(file)
    expect((await run(['connect', '--yes'])).code).toBe(0)
  })
})

describe('agents doctor', { timeout }, () => {
  interface Report {
    readonly agent: string
    readonly findings: readonly { readonly about: string; readonly status: string; readonly message: string }[]
    readonly notSeen: readonly unknown[]
  }
  const doctor = async (args: string[] = []) => {
    const { code, out } = await run(['doctor', '--json', ...args])
    const { ok, agents } = JSON.parse(out) as { ok: boolean; agents: Report[] }
    const wrong = agents.flatMap(({ agent, findings }) =>
      findings.filter(({ status }) => status === 'no').map(({ about }) => `${agent} ${about}`),
    )
    return { code, ok, agents, wrong, out }
  }

  it('starts each hook, and names what the hooks never see', async () => {
    const { code, wrong, agents, out } = await doctor()
    // The little program that stands for Codex here can't say what it trusts.
    expect([code, wrong]).toEqual([0, []])
    for (const { agent, findings, notSeen } of agents) {
      const about = findings.filter(({ status }) => status === 'yes').map((each) => each.about)
      expect(about, agent).toEqual(expect.arrayContaining(['settings', 'key', 'version', 'trial', 'fails-closed']))
      expect(notSeen.length, agent).toBeGreaterThan(5)
    }
    expect(agents.find(({ agent }) => agent === 'codex')?.findings).toContainEqual(
      expect.objectContaining({ about: 'trust', status: 'unknown' }),
    )
    expect(out.toLowerCase()).not.toContain('protect')
    const inWords = await run(['doctor', 'opencode'])
    expect([inWords.code, inWords.out]).toEqual([0, expect.stringContaining('The hook is never asked about:')])
  })

  it('names a version that was not tried, hooks that are turned off, and a key that others can read', async () => {
    writeFileSync(join(home, 'bin', 'gemini'), "#!/bin/sh\necho '0.62.0'\n")
    const file = join(home, '.copilot', 'settings.json')
    writeFileSync(file, '{ "disableAllHooks": true }')
    chmodSync(join(home, '.config', 'countersign', 'hook', 'cursor.json'), 0o644)
    const { code, wrong } = await doctor()
    expect([code, wrong]).toEqual([
      1,
      ['gemini version', 'gemini trial', 'copilot loaded', 'cursor connection', 'cursor trial'],
    ])
    writeFileSync(join(home, 'bin', 'gemini'), "#!/bin/sh\necho '0.61.0'\n")
    rmSync(file)
    chmodSync(join(home, '.config', 'countersign', 'hook', 'cursor.json'), 0o600)
  })

  it('finds a hook that does not start, and one that lets pass what it does not understand', async () => {
    const file = join(home, '.claude', 'settings.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(process.execPath, '/nonexistent/node'))
    expect((await doctor(['claude-code'])).wrong).toEqual(['claude-code trial'])
    writeFileSync(file, text.replaceAll(/"command": ".*?"/g, '"command": "true hook claude-code --limit-seconds 600"'))
    expect((await doctor(['claude-code'])).wrong).toEqual(['claude-code fails-closed'])
    writeFileSync(file, text)
  })

  it('finds a server that is away and a key that was revoked', async () => {
    const file = join(home, '.config', 'countersign', 'hook', 'gemini.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(server.url, 'http://127.0.0.1:9'), { mode: 0o600 })
    const away = await doctor(['gemini'])
    expect([away.code, away.wrong]).toEqual([1, ['gemini connection']])
    writeFileSync(file, text)
  })

  it('counts a file once, also where the project is the home folder', async () => {
    const { out } = await countersign(['agents', 'doctor', '--json', 'gemini'], { env, folder: home })
    expect(JSON.parse(out).agents[0].scopes).toEqual(['user'])
  })

  it('is not content with a named agent that is not connected', async () => {
    expect((await run(['disconnect', 'cursor', '--yes'])).code).toBe(0)
    expect([(await doctor(['cursor'])).code, (await doctor()).code]).toEqual([1, 0])
  })
})

describe('disconnecting', { timeout }, () => {
  it('removes what was written and nothing else, and twice is once', async () => {
    const { code, out } = await run(['disconnect', '--yes'])
    expect([code, out]).toEqual([0, expect.stringContaining('An ADMIN revokes it')])
    expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toBe('{\n  // mine\n  "model": "opus",\n}\n')
    for (const { agent } of allSettings)
      expect(existsSync(join(home, '.config', 'countersign', 'hook', `${agent.id}.json`))).toBe(false)
    const written = Object.entries(files()).filter(
      ([name]) => !/^(bin\/|\.config\/countersign\/hook\/(backups|settings))/.test(name),
    )
    expect(written.map(([name]) => name).sort()).toEqual(['.claude/settings.json', 'key', 'password', 'trust'])
    const again = await run(['disconnect', '--yes'])
    expect([again.code, again.out]).toEqual([0, 'Nothing was connected. Nothing was changed.\n'])
  })
})
