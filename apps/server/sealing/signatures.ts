/**
 * Our signature lines under checkpoints. With a fence store, a checkpoint is signed only after the fence has confirmed it.
 * A line may be missing in the database; then the newest confirmed checkpoint is signed where it is read. Every process
 * makes the same line, because Ed25519 is deterministic.
 */
import { checkpointText, parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { checkNote, MalformedNote, parseNote } from '@countersign/proof/signed-note.ts'
import { LRUCache } from 'lru-cache'
import { confirmedOf, type Fence, type Signed } from './fence/fence.ts'
import type { LogKeys } from './log-keys.ts'
import { inHex } from './receipt.ts'

/** A row of `cell.signatures`. */
export interface SignatureRow {
  readonly center_id: number
  readonly domain: string
  readonly size: number
  readonly line: string
}

/** Takes signatures of confirmed sizes that no batch has written. */
export interface SignatureKeeper {
  keep(cell: string, rows: readonly SignatureRow[]): void
}

export const textOf = (log: string, { size, root }: Signed): string =>
  checkpointText(log, size, Buffer.from(root, 'hex'))

/** A note without a signature, as the database keeps it in answers and messages. */
export const unsignedNote = (text: string): string => `${text}\n`

/** The checkpoint of a note without a signature; null for any other text. */
export function unsignedCheckpoint(note: unknown): (Signed & { readonly log: string }) | null {
  if (typeof note !== 'string' || !note.endsWith('\n\n')) return null
  try {
    const { origin, size, root } = parseCheckpoint(note.slice(0, -1))
    return { log: origin, size, root: inHex(root) }
  } catch (error) {
    if (error instanceof MalformedNote) return null
    throw error
  }
}

/**
 * The line under a checkpoint if the fence has confirmed exactly it; null otherwise, and where the stored line is the only
 * one that may be shown. Nothing else from the database is ever signed.
 */
export async function lineIfConfirmed(fence: Fence, keys: LogKeys, log: string, seen: Signed): Promise<string | null> {
  if (!fence.knowsDatabases) return null
  const confirmed = await confirmedOf(fence, log)
  if (confirmed?.size !== seen.size || confirmed.root !== seen.root) return null
  return (await keys.signLines([{ origin: log, text: textOf(log, seen) }]))[0] as string
}

const mostLines = 20_000

/** A batch, its answer, the next batch and readers need the same line: it is made once. */
export function rememberLines(keys: LogKeys): LogKeys {
  const lines = new LRUCache<string, string>({ max: mostLines })
  return {
    ...keys,
    async signLines(checkpoints) {
      const known = checkpoints.map(({ text }) => lines.get(text))
      const unknown = checkpoints.filter((_, at) => known[at] === undefined)
      const made = unknown.length > 0 ? [...(await keys.signLines(unknown))] : []
      for (const [at, { text }] of unknown.entries()) lines.set(text, made[at] as string)
      return known.map((line) => line ?? (made.shift() as string))
    },
  }
}

/** Caches verified notes: every proof needs the newest one of a log, and verifying a signature is the costliest step. */
const verified = new WeakMap<LogKeys, LRUCache<string, true>>()
const mostVerified = 5000

/** Whether a line is our signature over this size and root. */
export function isSigned(log: string, keys: LogKeys, line: string | null | undefined, { size, root }: Signed): boolean {
  if (!line) return false
  const known = verified.get(keys) ?? new LRUCache({ max: mostVerified })
  verified.set(keys, known)
  try {
    const note = `${textOf(log, { size, root })}\n${line}`
    if (known.has(note)) return true
    const { signedBy, bad } = checkNote(parseNote(note), keys.verifiersOf(log))
    if (signedBy.length === 0 || bad.length > 0) return false
    known.set(note, true)
    return true
  } catch (error) {
    if (error instanceof MalformedNote) return false
    throw error
  }
}
