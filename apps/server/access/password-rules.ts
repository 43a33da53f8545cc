/** Which passwords may be chosen. Checked when one is set, never when it is used: an older one keeps working. Pure. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { Problem } from '../lib/problem.ts'

export const fewestCharacters = 10
/** Of the SHA-256 of a common password. Of 100,000 others one is refused by chance. */
const prefixBytes = 4

/** Sorted prefixes, made by tools/common-passwords.ts. */
let common: Buffer | null = null

export const prefixOf = (folded: string): number => hash('sha256', folded, 'buffer').readUInt32BE()

function isCommon(folded: string): boolean {
  common ??= readFileSync(new URL('common-passwords.bin', import.meta.url))
  const wanted = prefixOf(folded)
  let [from, to] = [0, common.length / prefixBytes]
  while (from < to) {
    const middle = (from + to) >>> 1
    const found = common.readUInt32BE(middle * prefixBytes)
    if (found === wanted) return true
    if (found < wanted) from = middle + 1
    else to = middle
  }
  return false
}

/**
 * Throws unless a stranger who knows `known` (the address, the names of the centers) would have to guess. Case, width and
 * blanks make no difference.
 */
export function requireSound(password: string, known: readonly (string | null)[]): void {
  const folded = comparableId(password)
  if ([...folded].length < fewestCharacters) {
    throw refused(
      'shortPassword',
      `The password must have at least ${fewestCharacters} characters, not counting spaces.`,
    )
  }
  if (isCommon(folded))
    throw refused('commonPassword', "This password is among the most common ones, so it's easy to guess.")
  const guessed = known.flatMap((name) => (name === null ? [] : [name, name.split('@')[0] as string]))
  if (guessed.some((name) => comparableId(name) === folded)) {
    throw refused('guessedPassword', "An email address or a center's name can't be used as a password.")
  }
}

const refused = (reason: string, why: string): Problem =>
  new Problem('VALIDATION_ERROR', `${why} Choose another one.`, { details: { reason, field: 'password' } })
