/**
 * What earlier audits saw, in one file: for every log the checkpoints with the log's own signature, and the keys that were
 * trusted. It is the evidence against a log that rewrites itself, so it is replaced as a whole or not at all, and what
 * was once in it is not taken out.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Seen {
  /** When it was first seen, by our own clock. */
  readonly at: string
  readonly size: number
  /** In base64, like the rest. */
  readonly root: string
  /** The complete subtrees at that size, joined: they tell where a later tree differs. */
  readonly frontier: string
  readonly note: string
}

/** Two notes that the log has signed. */
export interface Contradiction {
  readonly at: string
  readonly note: string
  /**
   * The root over the first entries of the newer tree, as many as the older one had, and the proof (RFC 6962, 2.1.2) that
   * leads from it to the newer root: so a stranger can see from the notes alone that the older tree is no part of it.
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

/** By the names of logs and hosts and not by addresses: a log that moves, or has two, stays the same log. */
export interface Memory {
  readonly version: 1
  /** Which host of logs answered at an address. */
  readonly addresses: Readonly<Record<string, string>>
  /** Keys that were trusted because they were published at the first audit. */
  readonly hosts: Readonly<Record<string, { readonly keys: readonly PinnedKey[] }>>
  /** Which center an API key belonged to, by a digest of the key. */
  readonly centers: Readonly<Record<string, string>>
  readonly logs: Readonly<Record<string, LogMemory>>
}

export class MemoryError extends Error {}

export const newLog: LogMemory = { audits: [], lastAt: null, contradictions: [] }

/** Old ones in between tell the least; the first and the newest are kept. */
const mostAudits = 500

/** Reads again what is there, so that other audits with the same file keep what they wrote. */
export function remember(file: string, learn: (memory: Memory) => Memory): Memory {
  const memory = learn(recall(file))
  write(file, memory)
  return memory
}

/** The same size again is no news: what was seen first is what counts. */
export function withAudit(log: LogMemory, seen: Seen): LogMemory {
  const last = log.audits.at(-1)
  const audits = last && last.size >= seen.size ? log.audits : [...log.audits, seen]
  return { ...log, audits: audits.length > mostAudits ? audits.toSpliced(1, 1) : audits, lastAt: seen.at }
}

/** Said once, not again with every audit that finds the same. */
export function withContradiction(log: LogMemory, found: Contradiction): LogMemory {
  const known = log.contradictions.some(
    ({ note, contradicts }) => note === found.note && contradicts.note === found.contradicts.note,
  )
  return known ? log : { ...log, contradictions: [...log.contradictions, found] }
}

export function recall(file: string): Memory {
  if (!existsSync(file)) return { version: 1, addresses: {}, hosts: {}, centers: {}, logs: {} }
  let memory: Memory
  try {
    memory = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new MemoryError((error as Error).message)
  }
  // Not to be guessed at: an audit that forgot half of it would say that everything holds.
  if (memory?.version !== 1 || !isWhole(memory)) throw new MemoryError('it was not written by this program')
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
  // The name is data too: without this a power cut may bring the old file back.
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
