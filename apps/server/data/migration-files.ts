/** The migration files of a set, with checksums and the markers of their first lines. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** `common` applies to every database, the other two to the directory and to each cell. */
export type MigrationSet = 'common' | 'directory' | 'cell'

const defaultFolder = new URL('../database/', import.meta.url)

/**
 * False until the first release: the files are edited in place, and a database of an older set is rebuilt. The list of released
 * files comes with the first release (tools/release/migrations.ts), and a file in it never changes.
 */
export const released = existsSync(new URL('released.json', defaultFolder))

export interface MigrationFile {
  /** Such as `cell/0005_chains`. */
  readonly name: string
  readonly text: string
  readonly checksum: string
  /** First line `-- no transaction`: only CREATE INDEX CONCURRENTLY, which PostgreSQL refuses inside a transaction. */
  readonly transaction: boolean
  /** First line `-- incompatible`: servers that do not know this migration refuse to start on the schema. */
  readonly incompatible: boolean
}

export async function migrationFiles(
  sets: readonly MigrationSet[],
  folder: URL = defaultFolder,
): Promise<MigrationFile[]> {
  const found: MigrationFile[] = []
  for (const set of sets) {
    const files = (await readdir(new URL(`${set}/`, folder))).filter((file) => file.endsWith('.sql')).sort()
    for (const file of files) {
      const text = await readFile(new URL(`${set}/${file}`, folder), 'utf8')
      const markers = text.slice(0, text.indexOf('\n'))
      found.push({
        name: `${set}/${file.replace(/\.sql$/, '')}`,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
        transaction: !/^-- .*\bno transaction\b/.test(markers),
        incompatible: /^-- .*\bincompatible\b/.test(markers),
      })
    }
  }
  return found
}
