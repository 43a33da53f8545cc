/** Faults that sealing finds. The chain is marked before any caller is answered. */
import { type Domain, domains } from '@countersign/proof/chain.ts'
import type { Cell } from '../data/cells.ts'
import { Problem } from '../lib/problem.ts'
import type { HeadRow } from './head-row.ts'
import { refusal } from './heads.ts'

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
