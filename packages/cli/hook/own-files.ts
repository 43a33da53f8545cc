/**
 * The files that the hook itself works by, where they are on this machine: whoever changes them turns the hook off, so no rule of a
 * person lets that pass.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { profilesFile } from '../profiles.ts'
import { agentFiles, agentFolders, scopes } from './agent-files.ts'
import type { Paths } from './paths.ts'
import { hookFolder, stateFolder } from './places.ts'
import type { Rule } from './rules-schema.ts'
import type { Variables } from './shell-words.ts'

export function ownRule(cwd: string, env: Variables, files: Paths): Rule {
  const place = { env, folder: cwd }
  const settings = Object.values(agentFiles).flatMap((file) => scopes.flatMap((scope) => file(scope, place) ?? []))
  const local = settings
    .filter((each) => /\/settings\.json$/.test(each))
    .map((each) => `${each.slice(0, -5)}.local.json`)
  const places = [`${hookFolder(env)}/**`, `${stateFolder(env)}/**`, profilesFile(env), ...settings, ...local]
  return { name: 'own-settings', risk: 1, paths: [...both(places, cwd, files), ...programFiles()] }
}

/** The folders of the agents, also where a variable puts them elsewhere. */
export const agentPaths = (cwd: string, env: Variables, files: Paths): readonly string[] =>
  both(
    agentFolders({ env, folder: cwd }).map((each) => `${each}/**`),
    cwd,
    files,
  )

/** As they are named, and behind links. */
const both = (patterns: readonly string[], cwd: string, files: Paths): readonly string[] => [
  ...new Set(
    patterns.flatMap((each) => {
      const path = resolve(cwd, each.replace(/\/\*\*$/, ''))
      return [path, files.real(path)].map((one) => (each.endsWith('/**') ? `${one}/**` : one))
    }),
  ),
]

/** The hook's program, and Node: the package as a whole, unless it's only a part of something else. */
function programFiles(): readonly string[] {
  const files = [process.argv[1], process.execPath].flatMap((each) => {
    try {
      return each ? [realpathSync(each)] : []
    } catch {
      return []
    }
  })
  const [program = ''] = files
  for (let folder = dirname(program); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown }
      return name === '@countersign/cli' ? [...files, `${folder}/**`] : files
    } catch {
      // It's further up.
    }
  }
  return files
}
