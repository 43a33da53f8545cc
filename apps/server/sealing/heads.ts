/** The heads that a batch has locked. They advance with every entry and are written once. */
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { Cell } from '../data/cells.ts'
import { Problem } from '../lib/problem.ts'
import type { Lost } from './fence/fence.ts'
import type { HeadRow, RestoredHead, Trees } from './trees.ts'

interface Next {
  readonly generation: number
  readonly next_index: number
  readonly last_hash: string | null
  readonly last_sealed_at: string
}

/** From the present generation of a log to another one. */
export interface Step extends RestoredHead {
  readonly from: number
  readonly to: number
  readonly size: number
  readonly lost: readonly Lost[]
}

export interface Heads {
  next(centerId: number, domain: Domain): Next
  advance(centerId: number, domain: Domain, hash: string, sealedAt: string): HeadRow
  /** The next entry begins another generation. Throws unless the head is the given one. */
  succeed(centerId: number, domain: Domain, step: Step): void
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
      const { generation, next_index, last_hash, last_sealed_at, broken_at, closed } = row
      if (closed) throw new Problem('CONFLICT', `The log "${domain}" is closed: the center has left.`)
      if (broken_at !== null) throw refusal(domain, broken_at, `was found broken at entry ${broken_at + 1}`)
      const fault = trees.fault(row)
      if (fault !== null) {
        faults.set(row, fault)
        throw refusal(domain, Math.max(0, next_index - 1), `does not hold: ${fault}`)
      }
      // Clocks step back and differ between processes; the time of a chain does neither. The fixed form allows
      // comparison as text.
      return {
        generation,
        next_index,
        last_hash,
        last_sealed_at: last_sealed_at !== null && last_sealed_at > at ? last_sealed_at : at,
      }
    },
    succeed(centerId, domain, { from, to, size, lost, ...restored }) {
      const row = head(centerId, domain)
      if (row.generation !== from || row.next_index !== size) {
        throw new Problem('CONFLICT', `The chain "${domain}" has changed meanwhile; nothing was declared.`)
      }
      // A chain that lacks entries is marked at its end. Any other mark needs an operator who looks at it.
      const { broken_at } = row
      if (broken_at !== null && broken_at < size - 1) {
        throw refusal(domain, broken_at, `was found broken at entry ${broken_at + 1}`)
      }
      const fault = trees.succeed(row, to, restored, lost)
      if (fault !== null) throw refusal(domain, Math.max(0, size - 1), `does not hold: ${fault}`)
      row.broken_at = null
      faults.delete(row)
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

/** Faults that sealing finds. The chain is marked before any caller is answered. */
interface BrokenLink {
  readonly domain: Domain
  readonly at: number
  readonly reason: string
}

/**
 * The trigger `cell.check_links` compares a new entry with the stored one before it. The new entry follows a head that is
 * locked and signed, so a refusal means that the stored entry was altered or deleted.
 */
function brokenLink(error: unknown): BrokenLink | null {
  const cause = error instanceof Problem ? error.cause : error
  const { constraint, message = '' } = (cause ?? {}) as { constraint?: string; message?: string }
  if (constraint !== 'chain_entries_links') return null
  const [, index, name] = /^entry (\d+) of chain \d+\/(\w+) /.exec(message) ?? []
  const domain = domains.find((each) => each === name)
  return domain ? { domain, at: Number(index) - 1, reason: 'its last entry is not the one that was sealed' } : null
}

export interface SealingFault extends BrokenLink {
  readonly generation?: number
}

/** Marks the chain of a center. It does not throw. */
export type OnFault = (cell: Cell, centerId: number, found: SealingFault) => Promise<void>

interface FaultTools {
  readonly cell: Cell
  readonly onFault: OnFault
}

/** A caller who gets CHAIN_BROKEN finds the chain marked. */
export async function reportFaults({ cell, onFault }: FaultTools, faults: ReadonlyMap<HeadRow, string>): Promise<void> {
  for (const [{ center_id, domain, generation, next_index }, reason] of faults)
    await onFault(cell, center_id, { domain, generation, at: Math.max(0, next_index - 1), reason })
}

/** The database refused an entry because of the stored entry before it: marks the chain and refuses the item. */
export async function explainBrokenLink(
  { cell, onFault }: FaultTools,
  centerId: number,
  error: unknown,
): Promise<unknown> {
  const broken = brokenLink(error)
  if (!broken) return error
  await onFault(cell, centerId, broken)
  return refusal(broken.domain, broken.at, `does not hold: ${broken.reason}`)
}
