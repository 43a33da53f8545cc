/** Raises the alarm about what sealing finds. */
import type { Logger } from 'pino'
import type { OnFault } from '../sealing/batch.ts'
import { raiseAlarm } from './alarm.ts'

export const alarmOfSealing =
  (log: Logger): OnFault =>
  async (cell, centerId, found) => {
    try {
      await cell.inTenantJob(centerId, 'sequencer', (tx) => raiseAlarm(tx, log, 'chain', found.domain, found))
    } catch (error) {
      log.error({ err: error, centerId, ...found }, 'an alarm could not be raised')
    }
  }
