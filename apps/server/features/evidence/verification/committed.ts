/** Whether values and salts match the commitments of an entry. Pure. */
import type { Json } from '@countersign/proof/canonical.ts'
import type { ChainContent } from '@countersign/proof/chain.ts'
import { commitment } from '@countersign/proof/commitment.ts'
import type { HistoryEntryRow } from './queries.ts'

type Values = Readonly<Record<string, Json>>
type Salts = Readonly<Record<string, string>>

export const contentOf = ({ content }: { readonly content: string }) => JSON.parse(content) as ChainContent

/**
 * Every committed value must be present with its salt and match; a missing one must be in `excused`. A value or a salt
 * without a commitment was added.
 */
export function committedFault(
  { commitments }: ChainContent,
  values: Values,
  salts: Salts,
  excused: ReadonlySet<string>,
): string | null {
  for (const path of Object.keys(commitments)) {
    const [value, salt] = [values[path], salts[path]]
    if (isGone(value, salt)) {
      if (!excused.has(path)) return `${path} is missing, and no redaction explains it`
    } else if (value === undefined || salt === undefined || commitment(salt, path, value) !== commitments[path]) {
      return `${path} doesn't match its commitment`
    }
  }
  const added = Object.keys(values).find((path) => !Object.hasOwn(commitments, path))
  if (added !== undefined) return `${added} was added, and no commitment covers it`
  const salted = Object.keys(salts).find((path) => !Object.hasOwn(commitments, path))
  return salted === undefined ? null : `a salt was added for ${salted}, which no commitment covers`
}

/** A redaction deletes both; some columns then have an empty value instead of null. */
const isGone = (value: Json | undefined, salt: string | undefined): boolean =>
  value === undefined || (salt === undefined && isEmpty(value))

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

/** Whether a value matches the commitment of a change, whatever is stored with the change now. */
export function isCommittedBy(
  change: HistoryEntryRow,
  path: string,
  value: Json,
  redactions: readonly HistoryEntryRow[],
): boolean {
  const salt = change.salts?.[path]
  if (salt === undefined) return isEmpty(value) && redactedPaths(redactions, change.idx).has(path)
  return commitment(salt, path, value) === contentOf(change).commitments[path]
}

/**
 * The paths that redactions after an entry of the history name. A redaction that cannot be read or does not match its
 * own commitment excuses nothing.
 */
export function redactedPaths(changes: readonly HistoryEntryRow[], after = -1): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const change of changes) {
    const named = change.disclosed?.paths
    if (change.type !== 'redaction' || change.idx <= after || !Array.isArray(named)) continue
    if (isWhole(change, named)) for (const path of named) paths.add(String(path))
  }
  return paths
}

function isWhole(redaction: HistoryEntryRow, paths: Json): boolean {
  try {
    return isCommittedBy(redaction, 'paths', paths, [])
  } catch {
    return false
  }
}
