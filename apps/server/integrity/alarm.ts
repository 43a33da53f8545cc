/** The alarm for a broken chain, and how an operator clears its mark. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { Logger } from 'pino'
import { audit } from '../audit/audit.ts'
import type { TenantTx } from '../data/cells.ts'
import type { Finding } from './scan.ts'
import { markBroken, unmark, type VerificationMode } from './verify-queries.ts'

/** Marks the chain as broken, which stops sealing onto it. Logs and audits a finding only the first time. */
export async function raiseAlarm(
  tx: TenantTx,
  log: Logger,
  mode: VerificationMode,
  domain: Domain,
  { at, reason, generation }: Finding,
): Promise<void> {
  const { centerId } = tx.caller
  if (!(await markBroken(tx, domain, at, generation))) return
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
 * Clears the mark, for an operator who knows the cause. A verification that finds no fault does not clear it, because
 * consistent rows do not show who changed them. Returns false when the chain was not marked. Runs in a job's
 * transaction.
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
