/** What a proof lacks, and whether its history explains it. Pure. */
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

/** A missing value that nothing explains: neither a change that replaced it nor a later redaction. */
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

/** The paths that a record lacks now. Metadata that was set again after a redaction is present. */
export function redactedIn(history: readonly StoredEntry[]): readonly string[] {
  const paths = new Set<string>()
  for (const { content, values } of history) {
    const { type } = JSON.parse(content) as { type: string }
    if (type === 'metadata') paths.delete('metadata')
    if (type === 'redaction' && Array.isArray(values.paths)) for (const path of values.paths) paths.add(String(path))
  }
  return [...paths].sort()
}
