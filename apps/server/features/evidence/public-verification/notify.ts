/**
 * Notifies the center of a public verification with `dpu.verified`: at most once a minute for each record. The time and
 * the message are one commit. A failure does not change the answer to the caller.
 */
import type { Logger } from 'pino'
import type { Cell } from '../../../data/cells.ts'
import type { Caller } from '../../../data/directory.ts'
import { raiseAlarm } from '../../../integrity/alarm.ts'
import { typedId } from '../../../lib/ids.ts'
import { publish } from '../../automation/webhooks/api.ts'
import type { LinkCheck } from './link.ts'
import { claimTelling, type SealedStanding } from './queries.ts'

const onceInMs = 60_000

export interface Asked {
  readonly uuid: string
  readonly standing: SealedStanding
  readonly verified: LinkCheck
  readonly at: Date
}

export async function tell(log: Logger, cell: Cell, caller: Caller, asked: Asked): Promise<void> {
  const { uuid, standing, verified, at } = asked
  const notSince = new Date(at.getTime() - onceInMs)
  if (standing.told_at !== null && standing.told_at > notSince) return
  try {
    await cell.inTenant(caller, async (tx) => {
      if (!(await claimTelling(tx, uuid, at, notSince))) return
      // A fault found by a public verification raises the same alarm as one found by the verifier.
      if (!verified.valid && verified.chain)
        await raiseAlarm(tx, log, 'chain', standing.domain, { at: standing.index, reason: verified.message })
      const dpuId = typedId('dpu', uuid)
      await publish(tx, 'dpu.verified', { dpuId, valid: verified.valid, verifiedAt: at.toISOString() })
    })
  } catch (error) {
    log.warn({ err: error, requestId: caller.requestId }, 'the message of a public verification could not be written')
  }
}
