/**
 * A chain entry holds no personal data, only salted commitments to it. A reader with the salt and the value can check
 * the commitment; without the salt, a dictionary attack on it fails. Deleting salt and value redacts a record and
 * leaves every hash unchanged.
 */
import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'

/** 16 random bytes. Never used twice: equal values would have equal commitments. */
export const saltPattern = /^[0-9a-f]{32}$/

/** Entries have few paths, again and again. A file of a stranger may have any: beyond the bound they are written each time. */
const mostQuoted = 256
const quotedPaths = new Map<string, string>()
export function quotedPath(path: string): string {
  const known = quotedPaths.get(path)
  if (known !== undefined) return known
  const quoted = canonical(path)
  if (quotedPaths.size < mostQuoted) quotedPaths.set(path, quoted)
  return quoted
}

export const commitment = (salt: string, path: string, value: Json): string =>
  `sha256:${sha256Hex(commitmentText(salt, path, value))}`

/** The text that is hashed. */
export const commitmentText = (salt: string, path: string, value: Json): string =>
  `["${salt}",${quotedPath(path)},${canonical(value)}]`

/** Commitments that were made before, by their paths, each with its salt. */
export type Ahead = ReadonlyMap<string, { readonly salt: string; readonly commitment: string }>
const nothing: Ahead = new Map()

export interface Committed {
  /** Part of the chain. */
  readonly commitments: Readonly<Record<string, string>>
  /** Not part of the chain: stored with the values and deleted with them. */
  readonly salts: Readonly<Record<string, string>>
}

export function commit(
  values: Readonly<Record<string, Json>>,
  newSalt: () => string,
  ahead: Ahead = nothing,
): Committed {
  const commitments: Record<string, string> = {}
  const salts: Record<string, string> = {}
  for (const path of Object.keys(values)) {
    const known = ahead.get(path)
    const salt = known?.salt ?? newSalt()
    salts[path] = salt
    commitments[path] = known?.commitment ?? commitment(salt, path, values[path] as Json)
  }
  return { commitments, salts }
}
