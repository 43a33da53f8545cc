/** A copy of the version that tools/previous-version names, ready to start. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { releasedIn } from '../../tools/release/migrations.ts'

const root = new URL('../../', import.meta.url).pathname
const pointer = 'tools/previous-version'

export interface PreviousVersion {
  readonly commit: string
  readonly folder: string
  /** Whether it is a release, whose migrations this version must have as they are. */
  readonly released: boolean
  /** The names and checksums of its migrations. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string; readonly incompatible: boolean }[]
  remove(): void
}

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function requireCommit(history: string, commit: string): void {
  try {
    git(history, 'cat-file', '-e', `${commit}^{commit}`)
  } catch {
    throw new Error(
      `This checkout lacks the commit ${commit} that ${pointer} names. Get its history: git fetch --unshallow.`,
    )
  }
}

/** Packages of others are those of this checkout; our own are those of the copy. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== '@countersign') symlinkSync(join(from, name), join(to, name))
  }
}

function install(folder: string): void {
  const lock = (of: string) => readFileSync(join(of, 'package-lock.json'), 'utf8')
  if (lock(folder) !== lock(root)) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: folder, stdio: 'pipe' })
    return
  }
  for (const workspace of ['.', 'apps/server']) {
    const from = join(root, workspace, 'node_modules')
    if (existsSync(from)) linkPackages(from, join(folder, workspace, 'node_modules'))
  }
  const own = join(folder, 'node_modules/@countersign')
  mkdirSync(own)
  for (const parent of ['packages', 'apps']) {
    for (const name of readdirSync(join(folder, parent))) symlinkSync(join(folder, parent, name), join(own, name))
  }
}

const listMigrations = `
  const { migrationFiles } = await import('./apps/server/data/migration-files.ts')
  const files = await migrationFiles(['common', 'directory', 'cell'])
  console.log(JSON.stringify(files.map(({ name, checksum, incompatible }) => ({ name, checksum, incompatible }))))`

export const previousCommit = (): string => readFileSync(join(root, pointer), 'utf8').trim()

/** `history` is the repository that has the commit. */
export function checkOut(commit: string = previousCommit(), history: string = root): PreviousVersion {
  requireCommit(history, commit)
  const parent = mkdtempSync(join(tmpdir(), 'countersign-previous-'))
  const folder = join(parent, 'version')
  const remove = () => {
    git(history, 'worktree', 'remove', '--force', folder)
    rmSync(parent, { recursive: true, force: true })
  }
  git(history, 'worktree', 'add', '--detach', folder, commit)
  try {
    install(folder)
    const listed = execFileSync(process.execPath, ['--input-type=module', '--eval', listMigrations], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { commit, folder, released: releasedIn(folder) !== null, migrations: JSON.parse(listed), remove }
  } catch (error) {
    remove()
    throw error
  }
}
