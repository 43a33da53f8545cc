/** The migrations of a release are frozen: their names, their order and their bytes. `prepare` writes the list. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { migrationFiles } from '@countersign/server/data/migration-files.ts'
import { fail } from './shared.ts'

/** Checksums by name, such as `cell/0005_chains`. */
export type Migrations = Readonly<Record<string, string>>

const folder = 'apps/server/database'
const list = `${folder}/released.json`

export async function migrationsOf(root: string): Promise<Migrations> {
  const files = await migrationFiles(['common', 'directory', 'cell'], pathToFileURL(`${join(root, folder)}/`))
  return Object.fromEntries(files.map(({ name, checksum }) => [name, checksum]))
}

/** Null before the first release. */
export const releasedIn = (root: string): Migrations | null =>
  existsSync(join(root, list)) ? JSON.parse(readFileSync(join(root, list), 'utf8')) : null

const setOf = (name: string): string => name.slice(0, name.indexOf('/'))

/** What differs from the released migrations in a way that their databases do not accept. */
export function frozenFaults(released: Migrations, present: Migrations): string[] {
  const changed = Object.entries(released).flatMap(([name, checksum]) => {
    if (present[name] === checksum) return []
    return present[name] === undefined
      ? [`${name} is part of a release and was removed or renamed. Restore it.`]
      : [`${name} is part of a release and was changed. Restore it, and put the change into a new file.`]
  })
  const last = (set: string): string =>
    Object.keys(released)
      .filter((name) => setOf(name) === set)
      .sort()
      .at(-1) ?? ''
  const early = Object.keys(present)
    .filter((name) => !(name in released) && name < last(setOf(name)))
    .map((name) => `${name} is new and sorts before ${last(setOf(name))}, which is released. Give it the next number.`)
  return [...changed, ...early]
}

/** Adds the migrations of this checkout to the list. */
export async function freezeMigrations(root: string): Promise<void> {
  const present = await migrationsOf(root)
  const faults = frozenFaults(releasedIn(root) ?? {}, present)
  if (faults.length > 0) fail(faults.join('\n'))
  writeFileSync(join(root, list), `${JSON.stringify(present, null, 2)}\n`)
}
