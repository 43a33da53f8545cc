/**
 * The policies of centers, kept by a process that records. The database refuses a batch that was judged on an outdated
 * copy, so no notification is needed and no event is judged on old policies.
 */
import { LRUCache } from 'lru-cache'
import type { Cell } from '../../../data/cells.ts'
import { type PolicyCopy, readPolicyCopies } from './queries.ts'

export interface PolicyCopies {
  of(centerIds: readonly number[]): Promise<ReadonlyMap<number, PolicyCopy>>
  forget(centerIds: readonly number[]): void
}

/** Policies that are kept, a center without any counted as one. The center that was used least recently is read again. */
const most = 100_000

export function policyCopies(cell: Cell): PolicyCopies {
  const copies = new LRUCache<number, PolicyCopy>({
    maxSize: most,
    sizeCalculation: ({ policies }) => 1 + policies.length,
  })
  return {
    async of(centerIds) {
      // Before the read: meanwhile another batch may forget a center, or take its place.
      const found = new Map<number, PolicyCopy>()
      for (const id of centerIds) {
        const known = copies.get(id)
        if (known) found.set(id, known)
      }
      const absent = centerIds.filter((id) => !found.has(id))
      const read = absent.length === 0 ? [] : await readPolicyCopies(cell, absent)
      for (const { center_id, versions, policies } of read) {
        const copy = { versions, policies }
        found.set(center_id, copy)
        copies.set(center_id, copy)
      }
      return found
    },
    forget(centerIds) {
      for (const id of centerIds) copies.delete(id)
    },
  }
}
