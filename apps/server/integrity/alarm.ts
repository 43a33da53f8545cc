/** What follows when a chain is found broken, and how an operator takes the mark away again. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { Logger } from 'pino'
import { audit } from '../audit/audit.ts'
import type { TenantTx } from '../data/cells.ts'
import type { Finding } from './scan.ts'
import { markBroken, unmark, type VerificationMode } from './verify-queries.ts'

/** Marks the chain, so that nothing is sealed onto it, and says so once: a finding that is known already is not news. */
export async function raiseAlarm(
  tx: TenantTx,
  log: Logger,
  mode: VerificationMode,
  domain: Domain,
  { at, reason }: Finding,
): Promise<void> {
  const { centerId } = tx.caller
  if (!(await markBroken(tx, domain, at))) return
  await audit(tx, {
    type: 'integrity.alarm',
    action: 'found',
    target: { type: 'chain', id: domain },
    details: { brokenAt: at, reason, mode },
  })
  tx.afterCommit(() =>
    log.error(
      { centerId, domain, brokenAt: at, reason, mode },
      `The chain "${domain}" of center ${centerId} is broken at entry ${at + 1} (index ${at}): ${reason}. Nothing is sealed onto it any more. Keep the database as it is and follow "A chain is broken" in docs/runbook.md.`,
    ),
  )
}

/**
 * For the operator, who has looked and knows why. A verification that finds nothing does not do this by itself: that the
 * rows agree again does not say who changed them. False when the chain was not marked. To be run as a job's transaction.
 */
export async function clearBroken(tx: TenantTx, domain: Domain): Promise<boolean> {
  const brokenAt = await unmark(tx, domain)
  if (brokenAt === null) return false
  await audit(tx, {
    type: 'integrity.alarm',
    action: 'cleared',
    target: { type: 'chain', id: domain },
    details: { brokenAt },
  })
  return true
}
