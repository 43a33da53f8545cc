/**
 * Look-ups that every request needs, kept for less than a second.
 *
 * Invariant: after `forget(tag)` returns, no value that was read before it is served. A read that was under way
 * is returned to the callers that already wait for it and to no later caller. Age counts from when the read began.
 * Other processes learn of a change when their copy ages out: within `maxAgeMs`, with or without Redis.
 */
import { LRUCache } from 'lru-cache'
import { nowMs } from './clock.ts'

export interface BriefCache<V> {
  get(key: string): V | Promise<V>
  forget(tag: string): void
}

interface CacheEntry<V> {
  readonly value: V | Promise<V>
  readonly readAt: number
  tags: readonly string[] | null
}

export function briefCache<V>(options: {
  readonly load: (key: string) => Promise<V>
  readonly tagsOf: (value: V, key: string) => readonly string[]
  readonly maxAgeMs: number
  readonly max?: number
}): BriefCache<V> {
  const entries = new LRUCache<string, CacheEntry<V>>({ max: options.max ?? 50_000 })

  async function load(key: string, entry: { tags: readonly string[] | null }): Promise<V> {
    try {
      const value = await options.load(key)
      const current = entries.peek(key)
      if (current === entry) {
        entries.set(key, { value, readAt: current.readAt, tags: options.tagsOf(value, key) })
      }
      return value
    } catch (error) {
      if (entries.peek(key) === entry) entries.delete(key)
      throw error
    }
  }

  return {
    get(key) {
      const known = entries.get(key)
      if (known && nowMs() - known.readAt < options.maxAgeMs) return known.value
      const entry = { value: undefined as unknown as Promise<V>, readAt: nowMs(), tags: null }
      entries.set(key, entry)
      entry.value = load(key, entry)
      return entry.value
    },
    forget(tag) {
      // A read that is under way has no tags yet and may have this one, so it is forgotten too.
      for (const [key, entry] of entries.entries()) {
        if (entry.tags === null || entry.tags.includes(tag)) entries.delete(key)
      }
    },
  }
}
