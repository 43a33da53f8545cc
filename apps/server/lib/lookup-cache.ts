/**
 * A cache of lookups that every request needs. A value is served until a change is reported (`forget`) or it is too old.
 *
 * Invariant: after `forget(tag)` returns, no value that was read before it is served. A read that is in flight is returned
 * to the callers that already wait for it and to no later caller. Age counts from when the read began.
 *
 * Without coverage a value is served for `maxAgeMs`, so a change by another process takes effect within that time. With
 * coverage, every change up to less than `maxAgeMs` ago has called `forget`, and the value is served for minutes.
 */
import { LRUCache } from 'lru-cache'
import { nowMs } from './clock.ts'

/** The time range in which every change by any process is received. */
export interface Coverage {
  /** Values that were read later than this are covered; infinity while no changes are received. */
  readonly since: number
  /** Every change that was committed before this time has been received. */
  readonly until: number
  /** Called on each lookup: an idle process does not need coverage. */
  want(): void
}

export interface LookupCache<V> {
  get(key: string): V | Promise<V>
  forget(tag: string): void
}

interface CacheEntry<V> {
  readonly value: V | Promise<V>
  readonly readAt: number
  /** Null while the read is in flight, and for a value that no change names. */
  readonly tags: readonly string[] | null
}

/** A change by another process takes effect within a second. */
const oneSecondMs = 800
/** Limits how long a change that bypasses the triggers of the directory stays unnoticed. */
const maxCoveredMs = 300_000

export function lookupCache<V>(options: {
  readonly load: (key: string) => Promise<V>
  /** The changes that make the value invalid; null for a value that must expire after `maxAgeMs`. */
  readonly tagsOf: (value: V, key: string) => readonly string[] | null
  readonly coverage?: Coverage
  readonly maxAgeMs?: number
  readonly max?: number
}): LookupCache<V> {
  const { coverage, maxAgeMs = oneSecondMs } = options
  const keysByTag = new Map<string, Set<string>>()
  const inFlight = new Map<CacheEntry<V>, string>()
  const entries = new LRUCache<string, CacheEntry<V>>({
    max: options.max ?? 50_000,
    dispose: ({ tags }, key) => {
      for (const tag of tags ?? []) unlink(tag, key)
    },
  })

  function unlink(tag: string, key: string): void {
    const keys = keysByTag.get(tag)
    keys?.delete(key)
    if (keys?.size === 0) keysByTag.delete(tag)
  }

  function store(key: string, entry: CacheEntry<V>): void {
    entries.set(key, entry)
    for (const tag of entry.tags ?? []) {
      const keys = keysByTag.get(tag)
      if (keys) keys.add(key)
      else keysByTag.set(tag, new Set([key]))
    }
  }

  function isValid({ readAt, tags }: CacheEntry<V>): boolean {
    const at = nowMs()
    if (at - readAt < maxAgeMs) return true
    if (!coverage || tags === null) return false
    return readAt > coverage.since && at - coverage.until < maxAgeMs && at - readAt < maxCoveredMs
  }

  async function load(key: string, entry: CacheEntry<V>): Promise<V> {
    try {
      const value = await options.load(key)
      if (entries.peek(key) === entry) store(key, { value, readAt: entry.readAt, tags: options.tagsOf(value, key) })
      return value
    } catch (error) {
      if (entries.peek(key) === entry) entries.delete(key)
      throw error
    } finally {
      inFlight.delete(entry)
    }
  }

  return {
    get(key) {
      coverage?.want()
      const known = entries.get(key)
      if (known && isValid(known)) return known.value
      const entry = { value: undefined as unknown as Promise<V>, readAt: nowMs(), tags: null }
      store(key, entry)
      inFlight.set(entry, key)
      entry.value = load(key, entry)
      return entry.value
    },
    forget(tag) {
      // A read in flight has no tags yet and may have this one.
      for (const [entry, key] of inFlight) if (entries.peek(key) === entry) entries.delete(key)
      for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key)
    },
  }
}
