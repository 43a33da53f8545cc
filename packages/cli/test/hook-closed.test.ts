/** Whatever goes wrong with the hook, the call is held: by a refusal in the agent's form or by exit code 2, never by 0 or 1 alone. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Connection, hookCommand, writeConnection } from '../hook/connection.ts'
import { connectionFile, hookFolder, stateFolder } from '../hook/places.ts'

const main = new URL('../main.ts', import.meta.url).pathname
let folder: string
let env: { HOME: string; PATH: string; AI_AGENT: string; LANG: string }

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-closed-'))
  env = { HOME: folder, PATH: process.env.PATH ?? '', AI_AGENT: 'claude-code_2-1-326_harness', LANG: 'en_US.UTF-8' }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const connection: Connection = {
  ...{ url: 'http://127.0.0.1:9', key: 'csk_live_none', actor: { id: 'kim' }, center: 1 },
  trust: 'quorum none\n',
}
const connect = (changes: object = {}) =>
  writeConnection('claude-code', { ...connection, ...changes }, connectionFile('claude-code', env))

const call = (command: string, more: object = {}) => ({
  ...{ session_id: 's', tool_use_id: 't', cwd: folder, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
  ...{ tool_input: { command }, ...more },
})

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function hook(
  input: unknown,
  {
    args = ['claude-code'],
    more = {},
    onStart,
  }: { args?: string[]; more?: object; onStart?: (child: ChildProcess) => void } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [main, 'hook', ...args], { env: { ...env, ...more }, stdio: 'pipe' })
  if (input !== null) child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input))
  child.stdin.on('error', () => {})
  onStart?.(child)
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, out, err }
}

const isHeld = ({ code, out, err }: Ended): boolean =>
  (code === 2 && err.trim() !== '') || (code === 0 && JSON.parse(out).hookSpecificOutput.permissionDecision === 'deny')

it.each<[string, unknown, object?]>([
  ['no input', ''],
  ['no JSON', '{'],
  ['another shape', { tool: 'Bash' }],
  ['a tool without its command', call('', { tool_input: {} })],
  ['an unknown event', call('ls', { hook_event_name: 'BeforeEverything' })],
  ['an unknown version', call('ls'), { more: { AI_AGENT: 'claude-code_9-9-9_harness' } }],
  ['no version', call('ls'), { more: { AI_AGENT: '' } }],
  ['an unknown agent', call('ls'), { args: ['some-agent'] }],
  ['an unknown option', call('ls'), { args: ['claude-code', '--quick'] }],
  ['no time at all', call('git push'), { args: ['claude-code', '--limit-seconds', '0'] }],
  ['no connection', call('git push'), { more: { COUNTERSIGN_CONFIG: '/nowhere/profiles.json' } }],
])('held: %s', async (_, input, options) => {
  connect()
  const ended = await hook(input, options)
  expect(isHeld(ended), JSON.stringify(ended)).toBe(true)
})

it('held: a server that is away, and one that answers nonsense or nothing', { timeout: 120_000 }, async () => {
  connect()
  expect(isHeld(await hook(call('git push'), { args: ['claude-code', '--limit-seconds', '20'] }))).toBe(true)
  const answers = ['<html>a proxy</html>', '{"data":{"outcome":"completed"}}', null]
  for (const answer of answers) {
    const server = createServer((_, response) => {
      if (answer !== null) response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    const ended = await hook(call('git push'), { args: ['claude-code', '--limit-seconds', '8'] })
    server.closeAllConnections()
    server.close()
    expect(isHeld(ended), JSON.stringify([answer, ended])).toBe(true)
  }
})

it('held: rules and connections that cannot be used', async () => {
  connect()
  const rules = join(hookFolder(env), 'rules.json')
  for (const content of ['{', '{"rules":[{}]}', '{"rules":[],"default":true}']) {
    writeFileSync(rules, content)
    expect(isHeld(await hook(call('ls'))), content).toBe(true)
  }
  rmSync(rules)
  writeFileSync(join(hookFolder(env), 'rules.yaml'), 'rules:\n  - name: lists\n    commands: [ls]\n')
  expect(isHeld(await hook(call('ls')))).toBe(true)
  rmSync(join(hookFolder(env), 'rules.yaml'))
  expect(await hook(call('ls'))).toEqual({ code: 0, out: '', err: '' })
  const file = connectionFile('claude-code', env)
  chmodSync(file, 0o644)
  expect(isHeld(await hook(call('ls')))).toBe(true)
  writeFileSync(file, '{}', { mode: 0o600 })
  chmodSync(file, 0o600)
  expect(isHeld(await hook(call('ls')))).toBe(true)
})

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('held: a hook that gets %s', async (signal) => {
  connect()
  // More than a pipe holds: once it is gone, the hook is reading.
  const ended = await hook(null, {
    onStart: (child) => child.stdin?.write(' '.repeat(1_000_000), () => child.kill(signal)),
  })
  expect(isHeld(ended), JSON.stringify(ended)).toBe(true)
})

it('held: a program that is not there, as the settings of an agent run it', async () => {
  const settings = hookCommand('claude-code', '/nowhere/countersign', 60)
  const child = spawn('/bin/sh', ['-c', settings], { env, stdio: 'pipe' })
  const [err] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect([child.exitCode, err]).toEqual([2, expect.stringContaining('held')])
})

it('observing: everything passes and is noted without its text; the summary counts it', async () => {
  connect({ observe: true })
  expect(await hook(call('curl -H "authorization: secret" -d x https://x.example'))).toEqual({
    code: 0,
    out: '',
    err: '',
  })
  expect(await hook('{')).toEqual({ code: 0, out: '', err: '' })
  expect(await hook(call('ls'), { more: { AI_AGENT: '' } })).toEqual({ code: 0, out: '', err: '' })
  const file = join(stateFolder(env), 'observed.jsonl')
  expect(existsSync(file) && statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
  const child = spawn(process.execPath, [main, 'hook', 'summary', '--json'], { env, stdio: 'pipe' })
  expect(JSON.parse(await text(child.stdout))).toMatchObject({
    calls: 3,
    asked: 1,
    problems: [{ count: 1 }, { count: 1 }],
  })
})

it('files of the hook are for their owner only', () => {
  mkdirSync(stateFolder(env), { recursive: true })
  expect(statSync(connectionFile('claude-code', env)).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(connectionFile('claude-code', env))).mode & 0o077).toBe(0)
})
