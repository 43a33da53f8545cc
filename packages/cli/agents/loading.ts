/** What keeps an agent from loading a hook that is in its settings, as far as its files say. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { homeOf, type Place, type Scope, scopes } from '../hook/agent-files.ts'
import type { Word } from '../words.ts'
import { settingIn } from './json-settings.ts'
import type { AgentSettings } from './settings.ts'

export interface Obstacle {
  readonly word: Word
  readonly facts: Readonly<Record<string, string>>
}

const textOf = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)
const isTrue = (value: unknown): boolean => value === true
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The agent's main settings, of every scope: any of them can turn hooks off. */
function settingsFiles(settings: AgentSettings, place: Place): string[] {
  const files = scopes.flatMap((scope) => settings.file(scope, place) ?? [])
  const home = homeOf(place)
  const more: Readonly<Record<string, readonly string[]>> = {
    'claude-code': [join(place.folder, '.claude', 'settings.local.json')],
    copilot: [
      ...[join(place.env.COPILOT_HOME || join(home, '.copilot'), 'settings.json')],
      ...['settings.json', 'settings.local.json'].map((name) => join(place.folder, '.github', 'copilot', name)),
    ],
  }
  return [...new Set([...files, ...(more[settings.agent.id] ?? [])])]
}

/** In TOML, where one table and one member are looked for. */
const hooksOffInCodex = (text: string): boolean =>
  /^\s*\[features\]\s*$(?:\n(?!\s*\[).*)*?\n\s*(?:codex_)?hooks\s*=\s*false\b/m.test(`\n${text}`) ||
  /^\s*features\.(?:codex_)?hooks\s*=\s*false\b/m.test(text)

/** Gemini CLI then loads no hooks of any scope. In a folder that it knows nothing of, it asks its user first. */
function isDistrusted(place: Place): boolean {
  const text = textOf(join(place.env.GEMINI_CLI_HOME || homeOf(place), '.gemini', 'trustedFolders.json'))
  const known = Object.entries((settingIn(text, []) ?? {}) as Record<string, unknown>).map(([path, answer]) => ({
    path: answer === 'TRUST_PARENT' ? dirname(path) : path,
    answer,
  }))
  const [nearest] = known
    .filter(({ path }) => `${place.folder}/`.startsWith(`${path.replace(/\/$/, '')}/`))
    .sort((one, other) => other.path.length - one.path.length)
  return nearest?.answer === 'DO_NOT_TRUST'
}

export function obstacles(settings: AgentSettings, inScopes: readonly Scope[], place: Place): readonly Obstacle[] {
  const { id } = settings.agent
  const home = homeOf(place)
  const found: Obstacle[] = []
  for (const file of settingsFiles(settings, place)) {
    const text = textOf(file)
    const off =
      isTrue(settingIn(text, ['disableAllHooks'])) ||
      settingIn(text, ['hooksConfig', 'enabled']) === false ||
      listed(settingIn(text, ['hooksConfig', 'disabled'])).includes('countersign') ||
      listed(settingIn(text, ['hooks', 'disabled'])).includes('countersign')
    if (off) found.push({ word: 'hooksOff', facts: { file } })
  }
  if (id === 'codex') {
    const file = join(place.env.CODEX_HOME || join(home, '.codex'), 'config.toml')
    if (hooksOffInCodex(textOf(file) ?? '')) found.push({ word: 'hooksOff', facts: { file } })
  }
  if (id === 'gemini' && isDistrusted(place))
    found.push({ word: 'folderDistrusted', facts: { folder: place.folder, agent: settings.agent.label } })
  const onlyProject = inScopes.length > 0 && inScopes.every((scope) => scope === 'project')
  if (id === 'copilot' && onlyProject) {
    const folder = place.env.COPILOT_HOME || join(home, '.copilot')
    const trusted = ['config.json', 'settings.json'].flatMap((name) => {
      const text = textOf(join(folder, name))
      return [...listed(settingIn(text, ['trusted_folders'])), ...listed(settingIn(text, ['trustedFolders']))]
    })
    const isTrusted = trusted.some(
      (each) => typeof each === 'string' && `${place.folder}/`.startsWith(`${each.replace(/\/$/, '')}/`),
    )
    if (!isTrusted)
      found.push({ word: 'folderUntrusted', facts: { folder: place.folder, agent: settings.agent.label } })
  }
  return found
}
