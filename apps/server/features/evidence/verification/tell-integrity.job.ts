/** Tells centers that a chain of theirs is broken, or that entries were lost: by webhook, and by mail to every ADMIN. */
import type { Config } from '../../../config/config.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { type Cause, noteCause } from '../../../mail/causes.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { publish } from '../../automation/webhooks/api.ts'
import type { Notifications } from '../../identity/notifications/api.ts'
import {
  centersToTell,
  forgetCleared,
  settleMailed,
  takeAlarms,
  takeLosses,
  type Unmailed,
  unmailed,
} from './notice-queries.ts'

interface TellIntegrityNeeds {
  readonly config: Pick<Config, 'publicUrl'>
  readonly cells: Pick<Cells, 'of'>
  readonly directory: Directory
  readonly logBook: Pick<LogBook, 'nameOf'>
  readonly notifications: Pick<Notifications, 'drain'>
}

const job = 'tell-integrity'

export async function tellIntegrityJob(needs: TellIntegrityNeeds, cellName: string): Promise<void> {
  const cell = needs.cells.of(cellName)
  for (const centerId of await cell.asJobs(centersToTell)) {
    await announce(needs, cell, centerId)
    await tellAdmins(needs, cell, centerId)
  }
  await needs.notifications.drain()
}

/** The notice and the event are one transaction: each alarm and each loss is announced once. */
async function announce({ config, logBook }: TellIntegrityNeeds, cell: Cell, centerId: number): Promise<void> {
  await cell.inTenantJob(centerId, job, async (tx) => {
    await forgetCleared(tx)
    for (const { domain, broken_at } of await takeAlarms(tx)) {
      await publish(tx, 'integrity.alarm', {
        domain,
        chainIndex: broken_at,
        affected: 'chain',
        foundAt: now().toISOString(),
        readOn: `${config.publicUrl}/api/v1/chains/${domain}/entries`,
      })
    }
    for (const row of await takeLosses(tx)) {
      const { domain, generation, restored_size, lost_size } = row
      await publish(tx, 'integrity.loss', {
        domain,
        log: logBook.nameOf({ center_id: centerId, domain, generation }),
        generation,
        restoredSize: restored_size,
        lostSize: lost_size,
        lostFrom: restored_size,
        lostTo: lost_size - 1,
        reason: row.reason,
        declaredBy: row.declared_by,
        declaredAt: row.declared_at.toISOString(),
        readOn: `${config.publicUrl}/api/v1/chains/${domain}/generations`,
      })
    }
  })
}

/** A crash between the two notes the same cause again, which tells nobody twice. */
async function tellAdmins({ directory }: TellIntegrityNeeds, cell: Cell, centerId: number): Promise<void> {
  for (const notice of await cell.inTenantJob(centerId, job, unmailed)) {
    await directory.identity({ requestId: job, actorId: null, centerId: 0 }, (tx) =>
      noteCause(tx, centerId, causeOf(notice, centerId)),
    )
    await cell.inTenantJob(centerId, job, (tx) => settleMailed(tx, notice))
  }
}

function causeOf({ domain, kind, number, told_at, restored_size, lost_size }: Unmailed, centerId: number): Cause {
  const id = `${centerId} ${kind} ${domain} ${number} ${told_at.getTime()}`
  if (kind === 'alarm') return { id, event: 'chainBroken', facts: { of: { domain, entry: number + 1 } } }
  const [from, to] = [(restored_size ?? 0) + 1, lost_size ?? 1]
  return { id, event: 'lossDeclared', facts: { of: { domain, from, to } } }
}
