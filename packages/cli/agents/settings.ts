/** Where each agent reads its hooks from, and what `connect` writes there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CodingAgent } from '../hook/agent.ts'
import {
  agentFiles,
  claudeFolder,
  codexFolder,
  copilotFolder,
  homeOf,
  opencodeFolder,
  type Place,
  type Scope,
} from '../hook/agent-files.ts'
import { claudeCode } from '../hook/agents/claude-code.ts'
import { codex } from '../hook/agents/codex.ts'
import { copilot } from '../hook/agents/copilot.ts'
import { cursor } from '../hook/agents/cursor.ts'
import { gemini } from '../hook/agents/gemini.ts'
import { opencode } from '../hook/agents/opencode.ts'
import { hookCommand } from '../hook/connection.ts'
import { type Entry, UnusableSettingsError, withEntries, withoutEntries } from './json-settings.ts'
import { opencodePlugin, pluginMark } from './opencode-plugin.ts'

export interface AgentSettings {
  readonly agent: CodingAgent
  /** What it's called on the command line, and its package, if it's one of npm. */
  readonly program: string
  readonly packageName: string | null
  /** Folders that it makes for a person: it's installed if one is there, also without a program in PATH. */
  readonly traces: (place: Place) => readonly string[]
  /** Null where the agent has no such settings on this system. */
  readonly file: (scope: Scope, place: Place) => string | null
  /** The whole text of the file, with our entries. Throws for a file that can't be used. */
  readonly connected: (before: string | null, program: readonly string[]) => string
  /** Without them; null if nothing is left. */
  readonly disconnected: (before: string) => string | null
  readonly isConnected: (text: string) => boolean
}

/** How long the agents are told to wait for a person, in seconds. Then the call is held and continues when it's asked again. */
export const limitSeconds = 600

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
const commandOf = ({ id }: CodingAgent, program: readonly string[]): string =>
  hookCommand(id, program.map(quoted).join(' '), limitSeconds)

/** By what only our command has, however it's started and whatever its limit is. */
const isOurs =
  ({ id }: CodingAgent) =>
  (text: string): boolean =>
    text.includes(` hook ${id} --limit-seconds `)

type InJson = Pick<AgentSettings, 'connected' | 'disconnected' | 'isConnected'>

/** `entry`: what stands in the event's array; `before` says whether it's the event that can hold a call. */
function inJson(
  agent: CodingAgent,
  events: readonly string[],
  entry: (command: string, isBefore: boolean) => unknown,
  root: Readonly<Record<string, unknown>> = {},
): InJson {
  const ours = isOurs(agent)
  const paths = events.map((event) => ['hooks', event])
  const entriesOf = (program: readonly string[]): Entry[] =>
    paths.map((path, at) => ({ path, value: entry(commandOf(agent, program), at === 0) }))
  const bare = Object.keys(root).length === 0 ? null : `${JSON.stringify(root, null, 2)}\n`
  return {
    connected: (before, program) => withEntries(before?.trim() ? before : bare, entriesOf(program), ours),
    disconnected(before) {
      const left = withoutEntries(before, paths, ours)
      return left !== null && bare !== null && left.trim() === bare.trim() ? null : left
    },
    isConnected: ours,
  }
}

const inClaude: AgentSettings = {
  agent: claudeCode,
  program: 'claude',
  packageName: '@anthropic-ai/claude-code',
  traces: (place) => [claudeFolder(place)],
  file: agentFiles['claude-code'],
  // With `onFailure`, a hook that is ended by the time-out holds the call too.
  ...inJson(claudeCode, ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SessionEnd'], (command, isBefore) => ({
    ...(!isBefore ? {} : { matcher: '*' }),
    hooks: [{ type: 'command', command, timeout: limitSeconds, ...(isBefore && { onFailure: 'block' }) }],
  })),
}

const inCodex: AgentSettings = {
  agent: codex,
  program: 'codex',
  packageName: '@openai/codex',
  traces: (place) => [codexFolder(place)],
  file: agentFiles.codex,
  ...inJson(codex, ['PreToolUse', 'PostToolUse'], (command) => ({
    matcher: '.*',
    hooks: [{ type: 'command', command, timeout: limitSeconds }],
  })),
}

const inGemini: AgentSettings = {
  agent: gemini,
  program: 'gemini',
  packageName: '@google/gemini-cli',
  traces: (place) => [join(homeOf(place), '.gemini')],
  file: agentFiles.gemini,
  // In milliseconds, and in turn with other hooks.
  ...inJson(gemini, ['BeforeTool', 'AfterTool', 'SessionEnd'], (command, isBefore) => ({
    ...(isBefore && { matcher: '.*', sequential: true }),
    hooks: [{ name: 'countersign', type: 'command', command, timeout: limitSeconds * 1000 }],
  })),
}

const inCopilot: AgentSettings = {
  agent: copilot,
  program: 'copilot',
  packageName: '@github/copilot',
  traces: (place) => [copilotFolder(place)],
  file: agentFiles.copilot,
  ...inJson(
    copilot,
    ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'SessionEnd'],
    (command) => ({ type: 'command', command, timeoutSec: limitSeconds }),
    { version: 1 },
  ),
}

const inOpencode: AgentSettings = {
  agent: opencode,
  program: 'opencode',
  packageName: 'opencode-ai',
  traces: (place) => [opencodeFolder(place), join(homeOf(place), '.local', 'share', 'opencode')],
  file: agentFiles.opencode,
  connected(before, program) {
    if (before !== null && !before.startsWith(pluginMark))
      throw new UnusableSettingsError('it holds a plugin that this command did not write')
    return opencodePlugin(program, limitSeconds)
  },
  disconnected: (before) => (before.startsWith(pluginMark) ? null : before),
  isConnected: (text) => text.startsWith(pluginMark),
}

const inCursor: AgentSettings = {
  agent: cursor,
  program: 'cursor',
  packageName: null,
  traces: (place) => [join(homeOf(place), '.cursor')],
  file: agentFiles.cursor,
  ...inJson(
    cursor,
    ['preToolUse', 'postToolUse', 'postToolUseFailure', 'sessionEnd'],
    (command, isBefore) => ({ command, timeout: limitSeconds, ...(isBefore && { failClosed: true }) }),
    { version: 1 },
  ),
}

export const allSettings: readonly AgentSettings[] = [inClaude, inCodex, inGemini, inCopilot, inOpencode, inCursor]

/** Whether the agent has ever run here for this person. */
export const hasTraces = (settings: AgentSettings, place: Place): boolean =>
  settings.traces(place).some((folder) => existsSync(folder))
