/** Places that were kept and not taken go to the next who waits, and days that are over leave the waiting list. */
import type { Logger } from 'pino'
import type { Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { offerPlace } from './offers.ts'
import { lockPlaces } from './queries.ts'
import { centersWithDueWaits, dropDue } from './wait-queries.ts'

interface PassOnNeeds {
  readonly cells: Pick<Cells, 'of'>
  readonly directory: Directory
  readonly log: Logger
}

const job = 'pass-on-places'

/** A center whose places cannot be passed on now waits for the next run, and no other waits for it. */
export async function passOnPlacesJob({ cells, directory, log }: PassOnNeeds, cellName: string): Promise<void> {
  const cell = cells.of(cellName)
  for (const centerId of await cell.asJobs((db) => centersWithDueWaits(db))) {
    try {
      await cell.inTenantJob(centerId, job, async (tx) => {
        await lockPlaces(tx)
        for (const place of await dropDue(tx)) await offerPlace(directory, tx, place)
      })
    } catch (error) {
      log.error({ err: error, centerId }, 'places of a waiting list could not be passed on')
    }
  }
}
