/**
 * What earlier audits saw, in one file: for every log the checkpoints with the log's own signature, and the keys that were
 * trusted. It is the evidence against a log that rewrites itself, so it is replaced as a whole or not at all, and what
 * was once in it is not taken out.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Seen {
  /** When it was first seen, by the local clock. */
  readonly at: string
  readonly size: number
  /** In base64. */
  readonly root: string
  /** The complete subtrees at that size, concatenated: they locate the difference to a later tree. */
  readonly frontier: string
  readonly note: string
}

/** Two notes that the log has signed. */
export interface Contradiction {
  readonly at: string
  readonly note: string
  /**
   * The root over the first entries of the newer tree, as many as the older one had, and the proof (RFC 6962, 2.1.2) that
   * leads from it to the newer root: with it the notes alone prove to a third party that the trees contradict.
   */
  readonly prefix: { readonly root: string; readonly proof: readonly string[] } | null
  readonly contradicts: { readonly at: string; readonly size: number; readonly note: string }
}

export interface LogMemory {
  /** Smallest first. */
  readonly audits: readonly Seen[]
  readonly lastAt: string | null
  readonly contradictions: readonly Contradiction[]
}

export interface PinnedKey {
  readonly vkey: string
  readonly since: string
}

/** Keyed by the names of logs and hosts and not by addresses: a log that moves, or has two addresses, stays the same. */
export interface Memory {
  readonly version: 1
  /** The log host that answered at each address. */
  readonly addresses: Readonly<Record<string, string>>
  /** Keys that were trusted because they were published at the first audit. */
  readonly hosts: Readonly<Record<string, { readonly keys: readonly PinnedKey[] }>>
  /** The center of each API key, by a digest of the key. */
  readonly centers: Readonly<Record<string, string>>
  readonly logs: Readonly<Record<string, LogMemory>>
}

export class MemoryError extends Error {}

export const newMemory: Memory = { version: 1, addresses: {}, hosts: {}, centers: {}, logs: {} }
export const newLog: LogMemory = { audits: [], lastAt: null, contradictions: [] }

/** Drops checkpoints in the middle; the first and the newest are the most useful. */
const mostAudits = 500

/** Reads the file again, so that concurrent audits with the same file do not overwrite each other. */
export function remember(file: string, learn: (memory: Memory) => Memory): Memory {
  const memory = learn(recall(file))
  write(file, memory)
  return memory
}

/** A size that is known already is not stored again: the first observation counts. */
export function withAudit(log: LogMemory, seen: Seen): LogMemory {
  const last = log.audits.at(-1)
  const audits = last && last.size >= seen.size ? log.audits : [...log.audits, seen]
  return { ...log, audits: audits.length > mostAudits ? audits.toSpliced(1, 1) : audits, lastAt: seen.at }
}

/** Stored once, not again with every audit that finds the same contradiction. */
export function withContradiction(log: LogMemory, found: Contradiction): LogMemory {
  const known = log.contradictions.some(
    ({ note, contradicts }) => note === found.note && contradicts.note === found.contradicts.note,
  )
  return known ? log : { ...log, contradictions: [...log.contradictions, found] }
}

export function recall(file: string): Memory {
  if (!existsSync(file)) return newMemory
  let memory: Memory
  try {
    memory = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new MemoryError((error as Error).message)
  }
  // A damaged file is refused: an audit with half of the memory could report success wrongly.
  if (memory?.version !== 1 || !isWhole(memory)) throw new MemoryError("it wasn't written by this program")
  return memory
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null

const isWhole = ({ addresses, hosts, centers, logs }: Memory): boolean =>
  [addresses, hosts, centers, logs].every(isRecord) &&
  Object.values(hosts).every(({ keys }) => Array.isArray(keys)) &&
  Object.values(logs).every(({ audits, contradictions }) => Array.isArray(audits) && Array.isArray(contradictions))

function write(file: string, memory: Memory): void {
  mkdirSync(dirname(file), { recursive: true })
  const next = `${file}.${process.pid}.tmp`
  writeFileSync(next, `${JSON.stringify(memory, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(next, file)
  // Syncs the directory: without this a power cut may restore the old file.
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
