/**
 * Tells every administrator that something was stopped, or that a stop was lifted. A message has no name of an agent or an action
 * type, which callers choose. Webhooks are told in the commit itself.
 */
import type { Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { noteCause } from '../../../mail/causes.ts'
import type { Notifications } from '../../identity/notifications/api.ts'
import { centersToMail, noteMailed, unmailed } from './queries.ts'

interface TellFreezesNeeds {
  readonly cells: Pick<Cells, 'of'>
  readonly directory: Directory
  readonly notifications: Pick<Notifications, 'drain'>
}

const job = 'tell-freezes'

/** A crash between the two notes the same cause again, which tells nobody twice. */
export async function tellFreezesJob({ cells, directory, notifications }: TellFreezesNeeds, cellName: string) {
  const cell = cells.of(cellName)
  for (const centerId of await cell.asJobs(centersToMail)) {
    for (const row of await cell.inTenantJob(centerId, job, unmailed)) {
      const event = row.lifted_at === null ? 'frozen' : 'resumed'
      const facts = { at: new Date(row.lifted_at ?? row.made_at).toISOString() }
      await directory.identity({ requestId: job, actorId: null, centerId: 0 }, (tx) =>
        noteCause(tx, centerId, { id: `${centerId} freeze ${row.id} ${event}`, event, facts }),
      )
      await cell.inTenantJob(centerId, job, (tx) => noteMailed(tx, row))
    }
  }
  await notifications.drain()
}
