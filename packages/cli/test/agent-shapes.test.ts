/**
 * What Gemini CLI, Copilot CLI, opencode and Cursor send to their hooks, and what they take for an answer. The inputs of the first
 * three were recorded from the programs, and `npm run chaos -- agents` tries the programs themselves; those of Cursor are published
 * recordings, because it doesn't run without its own service.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CodingAgent, type Given, UnreadableInputError } from '../hook/agent.ts'
import { copilot } from '../hook/agents/copilot.ts'
import { cursor } from '../hook/agents/cursor.ts'
import { gemini } from '../hook/agents/gemini.ts'
import { opencode } from '../hook/agents/opencode.ts'
import { agents } from '../hook/agents.ts'
import { ancestorsVersion, packageVersion } from '../hook/ancestors.ts'

const given = (input: object, env: Record<string, string> = {}): Given => ({
  ...{ input: input as Given['input'], event: null, env },
})
const read = (agent: CodingAgent, input: object) => agent.read(given(input))
const deny = { kind: 'deny', reason: 'Refused by Mina Seo.' } as const
const allow = { kind: 'allow', reason: 'Approved by Mina Seo.' } as const
const pass = { kind: 'pass' } as const
const json = (text: string) => (text === '' ? null : JSON.parse(text))

const session = 'fee58a04-de8e-4a74-b453-5949dc790c32'
const command = 'git push --force'
const shells = {
  gemini: {
    before: {
      ...{ session_id: session, transcript_path: '/home/a/.gemini/tmp/w/chats/s.jsonl', cwd: '/w' },
      ...{ hook_event_name: 'BeforeTool', timestamp: '2026-11-18T20:54:57.415Z' },
      ...{ tool_name: 'run_shell_command', tool_input: { command, description: 'x' } },
    },
    after: {
      hook_event_name: 'AfterTool',
      tool_response: { llmContent: 'Exit Code: 3', returnDisplay: 'Command exited with code: 3' },
    },
  },
  copilot: {
    before: {
      ...{ hook_event_name: 'PreToolUse', session_id: session, timestamp: '2026-11-18T20:56:53.709Z', cwd: '/w' },
      ...{ tool_name: 'Bash', tool_input: { command, description: 'x', mode: 'sync', initial_wait: 5 } },
    },
    after: {
      hook_event_name: 'PostToolUse',
      tool_result: { result_type: 'success', text_result_for_llm: '\n<shellId: 0 completed with exit code 3>' },
    },
  },
  opencode: {
    before: {
      ...{ event: 'before', version: '1.18.33', cwd: '/w', session, call: 'call_1' },
      ...{ tool: 'bash', args: { command, description: 'x' } },
    },
    after: { event: 'after', exit: 3 },
  },
  cursor: {
    before: {
      ...{ conversation_id: session, generation_id: 'g', model: 'default', hook_event_name: 'preToolUse' },
      ...{ cursor_version: '3.9.16', workspace_roots: ['/w'], user_email: null, session_id: session, cwd: '' },
      ...{ tool_name: 'Shell', tool_use_id: 'd024a132', tool_input: { command, cwd: '', timeout: 30000 } },
    },
    after: { hook_event_name: 'postToolUse', tool_output: '{"output":"","exitCode":3}', duration: 728.2 },
  },
} as const
const all = [
  [gemini, shells.gemini, 'unknown', null],
  [copilot, shells.copilot, 'unknown', null],
  [opencode, shells.opencode, 'failed', 'call_1'],
  [cursor, shells.cursor, 'failed', 'd024a132'],
] as const

describe.each(all)('$label', (agent, { before, after }, status, callId) => {
  it('is one of the agents', () => {
    expect(agents).toContain(agent)
    expect(agent.tried).not.toEqual([])
    expect(agent.notSeen).toContain('programs')
  })

  it('sends a command, and the same call once it has run', () => {
    const input = 'args' in before ? before.args : before.tool_input
    const tool = 'tool' in before ? before.tool : before.tool_name
    const call = { session, callId, tool, input, cwd: '/w', effects: { shell: command } }
    expect(read(agent, before)).toEqual({ at: 'before', call })
    expect(read(agent, { ...before, ...after })).toEqual({ at: 'after', call, status })
  })

  it('sends nothing that could be mistaken: whatever is missing or of another type is unreadable', () => {
    const names = Object.keys(before).filter((name) =>
      /^(hook_event_name|event|session_id|session|tool|tool_name)$/.test(name),
    )
    for (const name of agent === cursor ? ['hook_event_name', 'conversation_id', 'tool_use_id', 'tool_name'] : names) {
      for (const value of [undefined, null, '', 7, {}]) {
        expect(() => read(agent, { ...before, [name]: value }), `${name} ${value}`).toThrow(UnreadableInputError)
      }
    }
    const input = 'args' in before ? 'args' : 'tool_input'
    for (const value of [undefined, null, 'text', [], { command: 7 }, {}]) {
      expect(() => read(agent, { ...before, [input]: value }), `${input} ${JSON.stringify(value)}`).toThrow(
        UnreadableInputError,
      )
    }
  })

  it('is answered in a way that holds the call, also when its input could not be read', () => {
    const event = read(agent, before)
    const held = agent.answer(deny, event)
    expect(held.stdout).toContain(deny.reason)
    expect(json(held.stdout)).not.toMatchObject({ permissionDecision: 'allow' })
    const blind = agent.answer(deny, null)
    expect([blind.exitCode, blind.stderr]).toEqual([2, expect.stringContaining(deny.reason)])
  })

  it('is told nothing after a call', () => {
    const event = read(agent, { ...before, ...after })
    for (const each of [pass, allow, deny]) {
      expect(agent.answer(each, event)).toMatchObject({ exitCode: 0, stderr: '' })
      expect(agent.answer(each, event).stdout).not.toContain('deny')
    }
  })
})

describe('answers', () => {
  const of = (agent: CodingAgent, before: object) =>
    [pass, allow, deny].map((each) => json(agent.answer(each, read(agent, before)).stdout))

  it('of Gemini CLI leave its own permissions as they are', () => {
    expect(of(gemini, shells.gemini.before)).toEqual([null, null, { decision: 'deny', reason: deny.reason }])
  })

  it('of Copilot CLI skip its own question only for what a person approved', () => {
    const decision = (permissionDecision: string, permissionDecisionReason: string) => ({
      ...{ permissionDecision, permissionDecisionReason },
    })
    expect(of(copilot, shells.copilot.before)).toEqual([
      ...[null, decision('allow', allow.reason), decision('deny', deny.reason)],
    ])
  })

  it('of the plugin for opencode say each time whether the call may run', () => {
    expect(of(opencode, shells.opencode.before)).toEqual([
      { run: true },
      { run: true },
      { run: false, reason: deny.reason },
    ])
  })

  it('of Cursor always have a decision, because silence holds a call there', () => {
    const held = { permission: 'deny', user_message: deny.reason, agent_message: deny.reason }
    expect(of(cursor, shells.cursor.before)).toEqual([{ permission: 'allow' }, { permission: 'allow' }, held])
  })
})

describe('other calls', () => {
  const effects = (agent: CodingAgent, input: object) => {
    const event = read(agent, input)
    return event?.at === 'end' ? null : event?.call.effects
  }
  const tool = (agent: 'gemini' | 'copilot' | 'cursor', tool_name: string, tool_input: object, more: object = {}) => ({
    ...{ ...shells[agent].before, tool_name, tool_input },
    ...more,
  })
  const oc = (name: string, args: object) => ({ ...shells.opencode.before, tool: name, args })

  it('that write a file say which', () => {
    expect(effects(gemini, tool('gemini', 'write_file', { file_path: 'a.txt', content: 'x' }))).toEqual({
      writes: ['a.txt'],
    })
    expect(effects(gemini, tool('gemini', 'replace', { file_path: '/a' }))).toEqual({ writes: ['/a'] })
    expect(effects(copilot, tool('copilot', 'Write', { path: '/w/n.txt', file_text: 'x' }))).toEqual({
      writes: ['/w/n.txt'],
    })
    expect(effects(opencode, oc('write', { filePath: '/w/w.txt', content: 'x' }))).toEqual({ writes: ['/w/w.txt'] })
    const patch = '*** Begin Patch\n*** Add File: a\n*** Update File: b\n*** Move to: c\n*** End Patch'
    expect(effects(opencode, oc('apply_patch', { patchText: patch }))).toEqual({ writes: ['a', 'b', 'c'] })
    expect(effects(cursor, tool('cursor', 'Write', { file_path: '/w/a' }))).toEqual({ writes: ['/w/a'] })
  })

  it('that only read are harmless, and those that nobody knows are not', () => {
    for (const [agent, known, unknown] of [
      [gemini, tool('gemini', 'read_file', { file_path: 'a' }), tool('gemini', 'web_fetch', {})],
      [copilot, tool('copilot', 'Read', { path: 'a' }), tool('copilot', 'my-lit-send_it', { a: 'x' })],
      [opencode, oc('read', { filePath: 'a' }), oc('little_send_it', {})],
      [cursor, tool('cursor', 'Grep', { pattern: 'a' }), tool('cursor', 'MCP:send_it', {})],
    ] as const) {
      expect(effects(agent, known)).toEqual({ isHarmless: true })
      expect(effects(agent, unknown)).toEqual({})
    }
  })

  it('to an MCP server name the server where the agent does', () => {
    const mcp_context = { server_name: 'my_server', tool_name: 'send_it' }
    const input = tool('gemini', 'mcp_my_server_send_it', {}, { mcp_context })
    expect(effects(gemini, input)).toEqual({ mcp: { server: 'my_server', tool: 'send_it' } })
  })

  it('say in which folder a command runs', () => {
    const inside = tool('gemini', 'run_shell_command', { command, dir_path: 'sub' })
    expect(read(gemini, inside)).toMatchObject({ call: { cwd: '/w/sub' } })
    expect(read(opencode, oc('bash', { command, workdir: '/elsewhere' }))).toMatchObject({
      call: { cwd: '/elsewhere' },
    })
    expect(() => read(cursor, { ...shells.cursor.before, workspace_roots: [] })).toThrow(UnreadableInputError)
  })

  it('that end are told from those that a hook held', () => {
    const failed = { ...shells.cursor.before, hook_event_name: 'postToolUseFailure', error_message: 'x' }
    expect(read(cursor, failed)).toMatchObject({ at: 'after', status: 'failed' })
    expect(read(cursor, { ...failed, failure_type: 'permission_denied' })).toBeNull()
    expect(read(copilot, { ...shells.copilot.before, hook_event_name: 'PostToolUseFailure' })).toMatchObject({
      status: 'failed',
    })
    const tool_response = { llmContent: 'x', error: { message: 'File not found', type: 'file_not_found' } }
    expect(read(gemini, { ...shells.gemini.before, hook_event_name: 'AfterTool', tool_response })).toMatchObject({
      status: 'failed',
    })
  })

  it('and sessions end', () => {
    const end = { at: 'end', session }
    expect(read(gemini, { ...shells.gemini.before, hook_event_name: 'SessionEnd', reason: 'exit' })).toEqual(end)
    expect(read(copilot, { hook_event_name: 'SessionEnd', session_id: session, reason: 'complete' })).toEqual(end)
    expect(read(opencode, { event: 'end', session })).toEqual(end)
    expect(read(cursor, { hook_event_name: 'sessionEnd', conversation_id: session })).toEqual(end)
  })
})

describe('versions', () => {
  it('come from the input or the environment', () => {
    expect(copilot.versionOf(given({}, { COPILOT_CLI_BINARY_VERSION: '1.0.102' }))).toBe('1.0.102')
    expect(opencode.versionOf(given(shells.opencode.before))).toBe('1.18.33')
    expect(cursor.versionOf(given(shells.cursor.before))).toBe('3.9.16')
    expect([copilot, opencode, cursor].map((each) => each.versionOf(given({})))).toEqual([null, null, null])
  })

  it('of Gemini CLI come from the package of the program that started the hook, whose input has none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ancestors-'))
    try {
      mkdirSync(join(folder, 'package', 'bundle'), { recursive: true })
      const file = join(folder, 'package', 'bundle', 'gemini.js')
      writeFileSync(file, '')
      writeFileSync(join(folder, 'package', 'package.json'), '{"name":"@google/gemini-cli","version":"0.61.0"}')
      symlinkSync(file, join(folder, 'gemini'))
      expect(packageVersion('@google/gemini-cli', join(folder, 'gemini'))).toBe('0.61.0')
      expect(packageVersion('@google/gemini-cli', 'gemini', folder)).toBe('0.61.0')
      expect(packageVersion('another', file)).toBeNull()
      expect(packageVersion('@google/gemini-cli', 'gemini')).toBeNull()
      // This process was started by the test runner.
      expect(ancestorsVersion('vitest', process.pid)).toMatch(/^\d+\./)
      expect(ancestorsVersion('no-such-package', process.pid)).toBeNull()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
