/**
 * The policies of centers, kept by a process that records. The database refuses a batch that was judged on an outdated
 * copy, so no notification is needed and no event is judged on old policies.
 */
import type { Cell } from '../../../data/cells.ts'
import type { PolicyCopy } from './waiting.ts'

export interface PolicyCopies {
  of(centerIds: readonly number[]): Promise<ReadonlyMap<number, PolicyCopy>>
  forget(centerIds: readonly number[]): void
}

/** The center that was read first is dropped; it is read again when it is needed. */
const mostCenters = 2000

export function policyCopies(cell: Cell): PolicyCopies {
  const copies = new Map<number, PolicyCopy>()
  return {
    async of(centerIds) {
      const absent = centerIds.filter((id) => !copies.has(id))
      const read = absent.length === 0 ? [] : await cell.policyCopies(absent)
      const found = new Map<number, PolicyCopy>()
      for (const { center_id, versions, policies } of read) {
        found.set(center_id, { versions, policies: policies as PolicyCopy['policies'] })
      }
      for (const id of centerIds) {
        const known = copies.get(id)
        if (known) found.set(id, known)
      }
      for (const [id, copy] of found) copies.set(id, copy)
      for (const id of copies.keys()) {
        if (copies.size <= mostCenters) break
        copies.delete(id)
      }
      return found
    },
    forget(centerIds) {
      for (const id of centerIds) copies.delete(id)
    },
  }
}
