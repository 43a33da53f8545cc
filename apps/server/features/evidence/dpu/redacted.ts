/** What a proof lacks, and whether its history says so. Pure. */
import type { ExportDocument, StoredEntry } from '@countersign/proof/export.ts'
import { changeable } from '@countersign/proof/layout.ts'

interface ExportedChange {
  readonly type: string
  readonly paths?: readonly string[]
  readonly commitments: Readonly<Record<string, string>>
  readonly disclosures: Readonly<Record<string, string>>
}

const redacts = ({ type, paths }: Pick<ExportedChange, 'type' | 'paths'>, path: string): boolean =>
  type === 'redaction' && (paths?.includes(path) ?? false)

/** A value that is gone though nothing excuses it: neither a change that replaced it nor a redaction that came later. */
export function lostValue({ evidence }: ExportDocument, undisclosed: readonly string[]): string | undefined {
  const changes = (evidence.history ?? []) as unknown as readonly ExportedChange[]
  const replaced = (path: string) => changes.some(({ type }) => type === changeable[path as keyof typeof changeable])
  const inRecord = undisclosed.find((path) => !replaced(path) && !changes.some((change) => redacts(change, path)))
  if (inRecord !== undefined) return inRecord
  for (const [position, { commitments, disclosures }] of changes.entries()) {
    const later = changes.slice(position + 1)
    const lost = Object.keys(commitments).find(
      (path) => !Object.hasOwn(disclosures, path) && !later.some((change) => redacts(change, path)),
    )
    if (lost !== undefined) return `${lost} of change ${position} in its history`
  }
  return undefined
}

/** The paths that a record lacks now; metadata that were given anew after a redaction are there again. */
export function redactedIn(history: readonly StoredEntry[]): readonly string[] {
  const paths = new Set<string>()
  for (const { content, values } of history) {
    const { type } = JSON.parse(content) as { type: string }
    if (type === 'metadata') paths.delete('metadata')
    if (type === 'redaction' && Array.isArray(values.paths)) for (const path of values.paths) paths.add(String(path))
  }
  return [...paths].sort()
}
