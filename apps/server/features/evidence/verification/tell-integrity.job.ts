/** Tells centers that a chain of theirs is broken, or that entries were lost: by webhook, and by mail to every ADMIN. */
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import type { Mail } from '../../../mail/mail.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { publish } from '../../automation/webhooks/api.ts'
import {
  adminAddresses,
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
  readonly centers: Pick<CenterProfiles, 'profile'>
  readonly directory: Directory
  readonly logBook: Pick<LogBook, 'nameOf'>
  readonly mail: Pick<Mail, 'queue' | 'canSend'>
}

const job = 'tell-integrity'

export async function tellIntegrityJob(needs: TellIntegrityNeeds, cellName: string): Promise<void> {
  const cell = needs.cells.of(cellName)
  for (const centerId of await cell.asJobs(centersToTell)) {
    await announce(needs, cell, centerId)
    await mailAdmins(needs, cell, centerId)
  }
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

/** Settled after the mails are queued: a crash between the two mails twice rather than never. */
async function mailAdmins(needs: TellIntegrityNeeds, cell: Cell, centerId: number): Promise<void> {
  const { directory, mail, centers } = needs
  if (!mail.canSend) return
  const notices = await cell.inTenantJob(centerId, job, unmailed)
  if (notices.length === 0) return
  const { name: centerName } = await centers.profile(centerId)
  const caller = { requestId: job, actorId: null, centerId }
  const addresses = await directory.asCenter(caller, adminAddresses, 'read')
  for (const notice of notices) {
    await directory.identity({ ...caller, centerId: 0 }, async (tx) => {
      for (const { email: to, domain } of addresses) {
        const url = `${needs.config.publicUrl}/c/${domain}/chain`
        await mail.queue(tx, { to, centerId, ...mailOf(notice, centerName, url) })
      }
    })
    await cell.inTenantJob(centerId, job, (tx) => settleMailed(tx, notice))
  }
}

function mailOf({ domain, kind, number, restored_size, lost_size }: Unmailed, centerName: string, url: string) {
  if (kind === 'alarm')
    return { mail: 'integrityAlarm', facts: { centerName, domain, entry: number + 1, url } } as const
  const [from, to] = [(restored_size ?? 0) + 1, lost_size ?? 1]
  return { mail: 'integrityLoss', facts: { centerName, domain, from, to, url } } as const
}
