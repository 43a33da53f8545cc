/** Faults that sealing finds. The chain is marked before any caller is answered. */
import type { Logger } from 'pino'
import type { Cell } from '../data/cells.ts'
import { raiseAlarm } from '../integrity/alarm.ts'
import type { Finding } from '../integrity/scan.ts'
import { type BrokenLink, brokenLink } from './broken-link.ts'
import type { HeadRow } from './head-row.ts'
import { refusal } from './heads.ts'

interface FaultTools {
  readonly cell: Cell
  readonly log: Logger
}

/** A caller who gets CHAIN_BROKEN finds the chain marked. */
export async function reportFaults(tools: FaultTools, faults: ReadonlyMap<HeadRow, string>): Promise<void> {
  for (const [{ center_id, domain, generation, next_index }, reason] of faults)
    await report(tools, center_id, { domain, generation, at: Math.max(0, next_index - 1), reason })
}

const report = ({ cell, log }: FaultTools, centerId: number, found: BrokenLink & Finding) =>
  cell
    .inTenantJob(centerId, 'sequencer', (tx) => raiseAlarm(tx, log, 'chain', found.domain, found))
    .catch((error: unknown) => log.error({ err: error, centerId, ...found }, 'an alarm could not be raised'))

/** The database refused an entry because of the stored entry before it: marks the chain and refuses the item. */
export async function explainBrokenLink(tools: FaultTools, centerId: number, error: unknown): Promise<unknown> {
  const broken = brokenLink(error)
  if (!broken) return error
  await report(tools, centerId, broken)
  return refusal(broken.domain, broken.at, `does not hold: ${broken.reason}`)
}
