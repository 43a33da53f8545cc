/** Two releases of one clone: the first is the start of an upgrade, the second its end. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { frozenFaults, migrationsOf } from './migrations.ts'
import { fail, root, run, say } from './shared.ts'

export interface Release {
  readonly version: string
  /** What it was made of, before the commit that prepares it. */
  readonly commit: string
  /** The folder with its files. */
  readonly files: string
}

interface Start {
  readonly commit: string
  /** Null where the start is a commit that no version tag names. */
  readonly tag: string | null
}

const git = (...args: string[]): string => run('git', args).trim()
function commitOf(name: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  } catch {
    return fail(
      `"${name}" is no commit and no tag of this repository. Get its history with git fetch --unshallow --tags, or name another.`,
    )
  }
}
const isVersionTag = (name: string): boolean => /^v\d/.test(name) && git('tag', '--list', name) !== ''

/** The version that an upgrade starts from. */
export function startOf(given: string | undefined): Start {
  if (given !== undefined) return { commit: commitOf(given), tag: isVersionTag(given) ? given : null }
  const [newest = ''] = git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v[0-9]*').split('\n')
  if (newest !== '') return { commit: commitOf(newest), tag: newest }
  const commit = readFileSync(join(root, 'tools/previous-version'), 'utf8').trim()
  const needed = ['tools/release.ts', 'deploy/build-release.sh']
  if (git('ls-tree', '--name-only', commit, ...needed).split('\n').length === needed.length)
    return { commit, tag: null }
  return fail(
    `There is no version tag, and ${commit}, which tools/previous-version names, has no ${needed.join(' or no ')}. Name a commit that can build a release: node tools/release.ts rehearse FOLDER FROM`,
  )
}

export const nextMinor = (version: string): string => {
  const [major, minor] = version.split('.').map(Number) as [number, number]
  return `${major}.${minor + 1}.0`
}

const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--silent']

/** Prepares, builds and tags as docs/upgrades.md says, with the scripts of the commit itself. */
function release(folder: string, version: string, tagged: boolean, target: string): Release {
  const files = join(resolve(target), version)
  mkdirSync(files, { recursive: true })
  const commit = run('git', ['rev-parse', 'HEAD'], folder).trim()
  run('npm', ['ci', ...quiet], folder)
  // Scripts before 0.1.0 do not tell npm to list a tree whose optional peers have other versions.
  const env = { npm_config_legacy_peer_deps: 'true' }
  const tool = (...args: string[]) =>
    process.stdout.write(run(process.execPath, ['tools/release.ts', ...args], folder, env))
  if (!tagged) {
    tool('prepare', version)
    // Before 0.1.0, `prepare` left the lock file to npm.
    run('npm', ['install', '--package-lock-only', ...quiet], folder)
    run('git', ['add', '--all'], folder)
    run('git', ['commit', '--quiet', '--allow-empty', '--message', `chore: release ${version}`], folder)
  }
  tool('build', files)
  if (!tagged) tool('tag')
  return { version, commit, files }
}

/** `work` is an empty folder, which may be deleted afterwards. */
export async function twoReleases(start: Start, target: string, work: string): Promise<[Release, Release]> {
  const clone = join(work, 'first')
  run('git', ['clone', '--quiet', '--no-hardlinks', '--no-checkout', '--no-tags', root, clone])
  for (const [name, value] of [
    ['user.name', 'Rehearsal'],
    ['user.email', 'rehearsal@localhost'],
    ['advice.detachedHead', 'false'],
  ] as const)
    run('git', ['config', name, value], clone)
  if (start.tag !== null) run('git', ['fetch', '--quiet', 'origin', 'tag', start.tag], clone)
  run('git', ['checkout', '--quiet', '--detach', start.commit], clone)
  const next = join(work, 'next')
  run('git', ['worktree', 'add', '--quiet', '--detach', next, commitOf('HEAD')], clone)
  const faults = frozenFaults(await migrationsOf(clone), await migrationsOf(next))
  if (faults.length > 0)
    fail(`The last commit does not upgrade a database of ${start.tag ?? start.commit}:\n${faults.join('\n')}`)
  const version = start.tag?.slice(1) ?? '0.1.0'
  say(`cloned ${start.commit} to make ${version} and ${commitOf('HEAD')} to make ${nextMinor(version)}`)
  const first = release(clone, version, start.tag !== null, target)
  return [first, release(next, nextMinor(version), false, target)]
}
