/**
 * A chain entry holds no personal data, only salted commitments to it. Whoever has the salt and the value can check
 * them; whoever has neither learns nothing, not even by trying every name in a dictionary. Deleting both redacts a
 * record without touching a hash.
 */
import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'

/** 16 random bytes. Never use one for two paths or two entries: equal values would show. */
export const saltPattern = /^[0-9a-f]{32}$/

export const commitment = (salt: string, path: string, value: Json): string =>
  `sha256:${sha256Hex(`["${salt}",${canonical(path)},${canonical(value)}]`)}`

export interface Committed {
  /** Goes into the chain. */
  readonly commitments: Readonly<Record<string, string>>
  /** Stays outside, beside the values, and is deleted with them. */
  readonly salts: Readonly<Record<string, string>>
}

export function commit(values: Readonly<Record<string, Json>>, newSalt: () => string): Committed {
  const commitments: Record<string, string> = {}
  const salts: Record<string, string> = {}
  for (const path of Object.keys(values)) {
    const salt = newSalt()
    salts[path] = salt
    commitments[path] = commitment(salt, path, values[path] as Json)
  }
  return { commitments, salts }
}
