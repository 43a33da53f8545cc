/** Where each agent reads its hooks from, and what `connect` writes there. */
import { existsSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import type { CodingAgent } from '../hook/agent.ts'
import { claudeCode } from '../hook/agents/claude-code.ts'
import { codex } from '../hook/agents/codex.ts'
import { copilot } from '../hook/agents/copilot.ts'
import { cursor } from '../hook/agents/cursor.ts'
import { gemini } from '../hook/agents/gemini.ts'
import { opencode } from '../hook/agents/opencode.ts'
import { hookCommand } from '../hook/connection.ts'
import { type Entry, UnusableSettingsError, withEntries, withoutEntries } from './json-settings.ts'
import { opencodePlugin, pluginMark } from './opencode-plugin.ts'

/** `user`: this person on this machine. `project`: everybody who works in this folder. `managed`: everybody on this machine. */
export const scopes = ['user', 'project', 'managed'] as const
export type Scope = (typeof scopes)[number]

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of the project. */
  readonly folder: string
}

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

export const homeOf = ({ env }: Place): string => env.HOME || homedir()
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

const bySystem = (places: Readonly<Partial<Record<NodeJS.Platform, string>>>): string | null =>
  places[platform()] ?? null

const claudeFolder = (place: Place): string => place.env.CLAUDE_CONFIG_DIR || join(homeOf(place), '.claude')
const codexFolder = (place: Place): string => place.env.CODEX_HOME || join(homeOf(place), '.codex')
const copilotFolder = (place: Place): string => place.env.COPILOT_HOME || join(homeOf(place), '.copilot')
const opencodeFolder = (place: Place): string =>
  join(place.env.XDG_CONFIG_HOME || join(homeOf(place), '.config'), 'opencode')

const inClaude: AgentSettings = {
  agent: claudeCode,
  program: 'claude',
  packageName: '@anthropic-ai/claude-code',
  traces: (place) => [claudeFolder(place)],
  file: (scope, place) =>
    scope === 'user'
      ? join(claudeFolder(place), 'settings.json')
      : scope === 'project'
        ? join(place.folder, '.claude', 'settings.json')
        : bySystem({
            linux: '/etc/claude-code/managed-settings.json',
            darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
          }),
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
  file: (scope, place) =>
    scope === 'user'
      ? join(codexFolder(place), 'hooks.json')
      : scope === 'project'
        ? join(place.folder, '.codex', 'hooks.json')
        : bySystem({ linux: '/etc/codex/hooks.json', darwin: '/etc/codex/hooks.json' }),
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
  file: (scope, place) =>
    scope === 'user'
      ? join(place.env.GEMINI_CLI_HOME || homeOf(place), '.gemini', 'settings.json')
      : scope === 'project'
        ? join(place.folder, '.gemini', 'settings.json')
        : place.env.GEMINI_CLI_SYSTEM_SETTINGS_PATH ||
          bySystem({
            linux: '/etc/gemini-cli/settings.json',
            darwin: '/Library/Application Support/GeminiCli/settings.json',
          }),
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
  file: (scope, place) =>
    scope === 'user'
      ? join(copilotFolder(place), 'hooks', 'countersign.json')
      : scope === 'project'
        ? join(place.folder, '.github', 'hooks', 'countersign.json')
        : bySystem({ linux: '/etc/github-copilot/policy.d/countersign.json' }),
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
  file: (scope, place) =>
    scope === 'user'
      ? join(opencodeFolder(place), 'plugin', 'countersign.js')
      : scope === 'project'
        ? join(place.folder, '.opencode', 'plugin', 'countersign.js')
        : null,
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
  file: (scope, place) =>
    scope === 'user'
      ? join(homeOf(place), '.cursor', 'hooks.json')
      : scope === 'project'
        ? join(place.folder, '.cursor', 'hooks.json')
        : bySystem({ linux: '/etc/cursor/hooks.json', darwin: '/Library/Application Support/Cursor/hooks.json' }),
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
