/** What `agents connect` and `agents disconnect` share: which agents and files, the difference, and the question. */
import { nearest, UsageError } from '../command-line.ts'
import { type Given, safe } from '../given.ts'
import { type Place, type Scope, scopes } from '../hook/agent-files.ts'
import { coloured } from '../progress.ts'
import { ask, isTerminal, isYes } from './ask.ts'
import { UnusableSettingsError } from './json-settings.ts'
import { lineDiff } from './line-diff.ts'
import { type AgentSettings, allSettings } from './settings.ts'
import { openSettings, type SettingsFile } from './settings-file.ts'

export const placeHere = (): Place => ({ env: process.env, folder: process.cwd() })

export function scopeIn({ text, say, command }: Given): Scope {
  const scope = text('scope') ?? 'user'
  if (!scopes.includes(scope as Scope)) throw new UsageError(say('badScope', { scope }), command)
  return scope as Scope
}

/** The agents that are named; without a name, those that `usual` finds. */
export function agentsIn(
  { words, say, command }: Given,
  usual: () => readonly AgentSettings[],
): readonly AgentSettings[] {
  if (words.length === 0) return usual()
  return [...new Set(words)].map((word) => {
    const found = allSettings.find(({ agent }) => agent.id === word)
    if (found) return found
    const ids = allSettings.map(({ agent }) => agent.id)
    const near = nearest(word, ids)
    const hint = near ? ` ${say('didYouMean', { name: near })}` : ''
    throw new UsageError(`${say('unknownAgent', { name: word, agents: ids.join(', ') })}${hint}`, command)
  })
}

export interface Change {
  readonly settings: AgentSettings
  readonly opened: SettingsFile | null
  readonly next: string | null
  /** Why the file can't be used. */
  readonly problem: string | null
}

export const isChanged = ({ opened, next }: Change): boolean => opened !== null && opened.text !== next

export function planned(
  settings: AgentSettings,
  scope: Scope,
  given: Given,
  next: (opened: SettingsFile) => string | null,
): Change {
  const place = placeHere()
  const name = settings.file(scope, place)
  if (name === null) {
    const problem = given.say('noSuchScope', { agent: settings.agent.label, scope })
    return { settings, opened: null, next: null, problem }
  }
  try {
    const opened = openSettings(name, scope === 'project' ? place.folder : null)
    return { settings, opened, next: next(opened), problem: null }
  } catch (error) {
    const system = (error as NodeJS.ErrnoException).code !== undefined
    if (!(error instanceof UnusableSettingsError) && !system) throw error
    const problem = given.say('settingsUnusable', { file: name, why: (error as Error).message })
    return { settings, opened: null, next: null, problem }
  }
}

const signColours = { '+': 'yes', '-': 'no' } as const

export function diffOf({ opened, next }: Change): string[] {
  if (!opened) return []
  const { name, file, text } = opened
  return [
    name === file ? safe(name) : `${safe(name)} → ${safe(file)}`,
    ...lineDiff(text, next).map(({ sign, text: line }) => {
      const shown = `  ${sign} ${safe(line)}`
      return sign === ' ' ? shown : coloured(signColours[sign], shown)
    }),
  ]
}

/** `done`: the changes are written. `declined`: nothing was. */
export async function confirmed(given: Given, lines: readonly string[], question: string): Promise<boolean> {
  if (given.options.yes) return true
  for (const line of lines) given.note(line)
  if (!isTerminal() || given.options.json) {
    given.note(given.say('needsYes'))
    return false
  }
  return isYes(await ask(question))
}

export interface Result {
  readonly agent: string
  readonly file: string | null
  readonly status: 'changed' | 'unchanged' | 'failed' | 'planned'
  readonly problem?: string | null
  readonly backup?: string | null
  readonly connection?: string | null
}

export const resultOf = (
  { settings, opened, problem }: Change,
  status: Result['status'],
  more: Partial<Result> = {},
): Result => ({
  ...{ agent: settings.agent.id, file: opened?.file ?? null, status },
  ...(problem !== null && { problem }),
  ...more,
})
