/**
 * Compares every consumption in the log `history` with the time until which the approval could be used, as its seal in the log
 * `proof` says. A later one is a warning: nothing is altered, and the service should have refused it.
 */
import { type Check, check } from './checks.ts'
import { contentOf, type ValuedEntry } from './entry-lines.ts'

export function watchUse() {
  /** Of decisions that are not consumed yet. */
  const until = new Map<string, string>()
  let [size, consumed, late, first] = [0, 0, 0, 0]
  return {
    /** For every entry of the log `proof`, before the first one of `history`. */
    watchSeal(entry: ValuedEntry): void {
      const { usableUntil } = (entry.values?.control ?? {}) as { usableUntil?: unknown }
      const { id } = contentOf(entry)
      if (typeof usableUntil === 'string' && typeof id === 'string') until.set(id, usableUntil)
    },
    watchChange(entry: ValuedEntry): void {
      const index = size++
      const { type, target } = contentOf(entry)
      if (type !== 'execution' || entry.values?.action !== 'consumed' || typeof target !== 'string') return
      const last = until.get(target)
      if (last === undefined) return
      until.delete(target)
      consumed++
      if (entry.sealedAt > last && late++ === 0) first = index
    },
    checks(): readonly Check[] {
      if (consumed === 0) return []
      if (late > 0) return [check('usable', 'unknown', 'a usable-late', { late, consumed, index: first })]
      return [check('usable', 'yes', 'a usable-hold', { consumed })]
    },
  }
}
