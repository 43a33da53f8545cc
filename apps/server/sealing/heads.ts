/** The heads that a batch has locked. They advance with every entry and are written once. */
import type { Domain } from '@countersign/proof/chain.ts'
import { Problem } from '../lib/problem.ts'
import type { HeadRow } from './head-row.ts'
import type { Trees } from './trees.ts'

interface Next {
  readonly next_index: number
  readonly last_hash: string | null
  readonly last_sealed_at: string
}

export interface Heads {
  next(centerId: number, domain: Domain): Next
  advance(centerId: number, domain: Domain, hash: string, sealedAt: string): HeadRow
  readonly changed: ReadonlySet<HeadRow>
  /** Heads that differ from the signed ones, with the reason. */
  readonly faults: ReadonlyMap<HeadRow, string>
}

export const headKey = (centerId: number, domain: Domain): string => `${centerId} ${domain}`

export const refusal = (domain: Domain, brokenAt: number, why: string): Problem =>
  new Problem(
    'CHAIN_BROKEN',
    `The chain "${domain}" ${why}; nothing can be sealed onto it until an operator has looked at it.`,
    { details: { domain, brokenAt } },
  )

export function makeHeads(heads: ReadonlyMap<string, HeadRow>, at: string, trees: Trees): Heads {
  const changed = new Set<HeadRow>()
  const faults = new Map<HeadRow, string>()
  const head = (centerId: number, domain: Domain): HeadRow => {
    const row = heads.get(headKey(centerId, domain))
    if (!row) throw new Error(`the chain ${domain} of center ${centerId} is not held by this batch`)
    return row
  }
  return {
    changed,
    faults,
    next(centerId, domain) {
      const row = head(centerId, domain)
      const { next_index, last_hash, last_sealed_at, broken_at } = row
      if (broken_at !== null) throw refusal(domain, broken_at, `was found broken at entry ${broken_at + 1}`)
      const fault = trees.fault(row)
      if (fault !== null) {
        faults.set(row, fault)
        throw refusal(domain, Math.max(0, next_index - 1), `does not hold: ${fault}`)
      }
      // Clocks step back and differ between processes; the time of a chain does neither. The fixed form allows
      // comparison as text.
      return {
        next_index,
        last_hash,
        last_sealed_at: last_sealed_at !== null && last_sealed_at > at ? last_sealed_at : at,
      }
    },
    advance(centerId, domain, hash, sealedAt) {
      const row = head(centerId, domain)
      row.next_index += 1
      row.last_hash = hash
      row.last_sealed_at = sealedAt
      changed.add(row)
      trees.add(row, hash)
      return row
    },
  }
}
