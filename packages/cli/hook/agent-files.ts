/** Where each agent reads its hooks from. */
import { homedir, platform } from 'node:os'
import { join } from 'node:path'

/** `user`: this person on this machine. `project`: everybody who works in this folder. `managed`: everybody on this machine. */
export const scopes = ['user', 'project', 'managed'] as const
export type Scope = (typeof scopes)[number]

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of the project. */
  readonly folder: string
}

/** Null where the agent has no such settings on this system. */
type FileOf = (scope: Scope, place: Place) => string | null

export const homeOf = ({ env }: Place): string => env.HOME || homedir()

const bySystem = (places: Readonly<Partial<Record<NodeJS.Platform, string>>>): string | null =>
  places[platform()] ?? null

export const claudeFolder = (place: Place): string => place.env.CLAUDE_CONFIG_DIR || join(homeOf(place), '.claude')
export const codexFolder = (place: Place): string => place.env.CODEX_HOME || join(homeOf(place), '.codex')
export const copilotFolder = (place: Place): string => place.env.COPILOT_HOME || join(homeOf(place), '.copilot')
const geminiFolder = (place: Place): string => join(place.env.GEMINI_CLI_HOME || homeOf(place), '.gemini')
export const opencodeFolder = (place: Place): string =>
  join(place.env.XDG_CONFIG_HOME || join(homeOf(place), '.config'), 'opencode')

/** What an agent keeps for a person: its settings are among it. */
export const agentFolders = (place: Place): readonly string[] =>
  [claudeFolder, codexFolder, copilotFolder, geminiFolder, opencodeFolder].map((folder) => folder(place))

const within = (
  user: (place: Place) => string,
  project: readonly string[],
  managed: (place: Place) => string | null,
): FileOf => {
  return (scope, place) =>
    scope === 'user' ? user(place) : scope === 'project' ? join(place.folder, ...project) : managed(place)
}

export const agentFiles = {
  'claude-code': within(
    (place) => join(claudeFolder(place), 'settings.json'),
    ['.claude', 'settings.json'],
    () =>
      bySystem({
        linux: '/etc/claude-code/managed-settings.json',
        darwin: '/Library/Application Support/ClaudeCode/managed-settings.json',
      }),
  ),
  codex: within(
    (place) => join(codexFolder(place), 'hooks.json'),
    ['.codex', 'hooks.json'],
    () => bySystem({ linux: '/etc/codex/hooks.json', darwin: '/etc/codex/hooks.json' }),
  ),
  gemini: within(
    (place) => join(geminiFolder(place), 'settings.json'),
    ['.gemini', 'settings.json'],
    ({ env }) =>
      env.GEMINI_CLI_SYSTEM_SETTINGS_PATH ||
      bySystem({
        linux: '/etc/gemini-cli/settings.json',
        darwin: '/Library/Application Support/GeminiCli/settings.json',
      }),
  ),
  copilot: within(
    (place) => join(copilotFolder(place), 'hooks', 'countersign.json'),
    ['.github', 'hooks', 'countersign.json'],
    () => bySystem({ linux: '/etc/github-copilot/policy.d/countersign.json' }),
  ),
  opencode: within(
    (place) => join(opencodeFolder(place), 'plugin', 'countersign.js'),
    ['.opencode', 'plugin', 'countersign.js'],
    () => null,
  ),
  cursor: within(
    (place) => join(homeOf(place), '.cursor', 'hooks.json'),
    ['.cursor', 'hooks.json'],
    () => bySystem({ linux: '/etc/cursor/hooks.json', darwin: '/Library/Application Support/Cursor/hooks.json' }),
  ),
} satisfies Readonly<Record<string, FileOf>>
