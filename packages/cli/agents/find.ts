/** Which agents are on this machine, and in which version. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Place } from '../hook/agent-files.ts'
import { packageVersion } from '../hook/ancestors.ts'
import { type AgentSettings, allSettings, hasTraces } from './settings.ts'

export interface Installed {
  readonly settings: AgentSettings
  /** Null if the program isn't in PATH. */
  readonly program: string | null
  /** Null if neither its package nor the program says it. */
  readonly version: string | null
}

export function inPath(name: string, path: string | undefined): string | null {
  for (const folder of (path ?? '').split(delimiter).filter(Boolean)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      if (statSync(file).isFile()) return file
    } catch {
      // The next folder.
    }
  }
  return null
}

const slowestMs = 20_000

function saidVersion(program: string): string | null {
  const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: slowestMs, input: '' })
  return status === 0 ? (/\d+\.\d+\.\d+[\w.+-]*/.exec(stdout)?.[0] ?? null) : null
}

export function installedOf(settings: AgentSettings, place: Place): Installed {
  const program = inPath(settings.program, place.env.PATH)
  if (program === null) return { settings, program, version: null }
  const { packageName } = settings
  const version = (packageName === null ? null : packageVersion(packageName, program)) ?? saidVersion(program)
  return { settings, program, version }
}

/** What is in PATH, or has left its folder in the person's home. */
export const foundHere = (place: Place): readonly AgentSettings[] =>
  allSettings.filter((each) => inPath(each.program, place.env.PATH) !== null || hasTraces(each, place))
