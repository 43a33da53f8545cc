/** Reads files that hold keys, secrets or a trust policy. Messages name the fault and never the content. */
import { readFileSync } from 'node:fs'

export class KeyFileError extends Error {}

export function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new KeyFileError(`can't be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The 32 bytes of a key in standard base64; null for anything else, so that a truncated key is not used. */
export function key32(word: string): Buffer | null {
  const bytes = Buffer.from(word, 'base64')
  return bytes.length === 32 && bytes.toString('base64') === word ? bytes : null
}
