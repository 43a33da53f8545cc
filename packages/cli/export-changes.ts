/** What the log `history` of an export says about values that are gone. */
import type { ChainEntry, Json } from '@countersign/proof'
import { contentOf, type Explained } from './export-log.ts'

const replacedBy: Readonly<Record<string, string>> = { evidenceLevel: 'level', metadata: 'metadata' }

interface Gone {
  readonly index: number
  readonly names: readonly string[]
  readonly path: string
}

export interface Changes extends Explained {
  readonly watch: (entry: ChainEntry, values: Readonly<Record<string, Json>>) => void
  /** A value of the history itself that is gone without a later redaction; null where there is none. */
  fault(): string | null
}

/** A record has several ids that differ in their prefix. */
const bare = (id: string): string => id.replace(/^[a-z]+_/, '')

export function collectChanges(): Changes {
  /** The index of the last redaction by name and path, and the types of the changes of each name. */
  const redacted = new Map<string, Map<string, number>>()
  const types = new Map<string, Set<string>>()
  const gone: Gone[] = []
  return {
    watch(entry, values) {
      const { id, type = '', target = '', commitments = {} } = contentOf(entry)
      const name = bare(target)
      types.set(name, (types.get(name) ?? new Set()).add(type))
      if (type === 'redaction' && Array.isArray(values.paths)) {
        const paths = redacted.get(name) ?? new Map<string, number>()
        for (const path of values.paths) paths.set(String(path), entry.index)
        redacted.set(name, paths)
      }
      for (const path of Object.keys(commitments)) {
        if (values[path] === undefined) gone.push({ index: entry.index, names: [name, bare(id)], path })
      }
    },
    covers(id, path) {
      const name = bare(id)
      return redacted.get(name)?.has(path) === true || types.get(name)?.has(replacedBy[path] ?? '') === true
    },
    fault() {
      const lost = gone.find(({ index, names, path }) =>
        names.every((name) => (redacted.get(name)?.get(path) ?? -1) <= index),
      )
      return lost ? `entry ${lost.index}: ${lost.path} is missing, and no redaction accounts for it` : null
    },
  }
}
