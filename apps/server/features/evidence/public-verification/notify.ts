/**
 * The center hears that somebody outside asked, with `dpu.verified`: at most once a minute for each record, however many
 * ask. That it was told and what it is told are committed together. Whoever asked is answered whatever comes of it.
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
      // A fault that a stranger came upon is as real as one that we were looking for.
      if (!verified.valid && verified.chain)
        await raiseAlarm(tx, log, 'chain', standing.domain, { at: standing.index, reason: verified.message })
      const dpuId = typedId('dpu', uuid)
      await publish(tx, 'dpu.verified', { dpuId, valid: verified.valid, verifiedAt: at.toISOString() })
    })
  } catch (error) {
    log.warn({ err: error, requestId: caller.requestId }, 'a public verification could not be told to its center')
  }
}
