/**
 * Mails every administrator that something was stopped, or that a stop was lifted. A mail has no name of an agent or an
 * action type, which callers choose. Webhooks are told in the commit itself.
 */
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Mail } from '../../../mail/mail.ts'
import { adminAddresses } from '../verification/api.ts'
import { centersToMail, noteMailed, unmailed } from './queries.ts'

interface TellFreezesNeeds {
  readonly config: Pick<Config, 'publicUrl'>
  readonly cells: Pick<Cells, 'of'>
  readonly centers: Pick<CenterProfiles, 'profile'>
  readonly directory: Directory
  readonly mail: Pick<Mail, 'queue' | 'canSend'>
}

const job = 'tell-freezes'

/** Noted after the mails are queued: a crash between the two mails twice rather than never. */
export async function tellFreezesJob({ config, cells, centers, directory, mail }: TellFreezesNeeds, cellName: string) {
  if (!mail.canSend) return
  const cell = cells.of(cellName)
  for (const centerId of await cell.asJobs(centersToMail)) {
    const rows = await cell.inTenantJob(centerId, job, unmailed)
    const { name: centerName } = await centers.profile(centerId)
    const caller = { requestId: job, actorId: null, centerId }
    const addresses = await directory.asCenter(caller, adminAddresses, 'read')
    for (const row of rows) {
      await directory.identity({ ...caller, centerId: 0 }, async (tx) => {
        for (const { email: to, domain } of addresses) {
          const facts = {
            centerName,
            at: new Date(row.lifted_at ?? row.made_at).toISOString(),
            url: `${config.publicUrl}/c/${domain}/stop`,
          }
          await mail.queue(tx, { to, centerId, mail: row.lifted_at === null ? 'frozen' : 'resumed', facts })
        }
      })
      await cell.inTenantJob(centerId, job, (tx) => noteMailed(tx, row))
    }
  }
}
