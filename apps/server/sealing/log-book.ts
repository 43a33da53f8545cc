/** The names, keys and fences of this host's logs, opened once for the life of the process. */
import { logName } from '@countersign/proof/chain.ts'
import { generationName } from '@countersign/proof/generations.ts'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config/config.ts'
import type { Cells } from '../data/cells.ts'
import { type Fences, openFences } from './fence/open.ts'
import { type KeyRing, openKeyRing } from './key-ring.ts'
import { restingLogs } from './resting-logs.ts'
import type { LogBook } from './trees.ts'

export interface OpenLogBook extends LogBook {
  readonly keys: KeyRing
  readonly fences: Fences
  /** Before the cells are closed: it writes signatures there. */
  close(): Promise<void>
}

type LogConfig = Pick<Config, 'log' | 'logHost'>

export function openLogBook(
  { log: settings, logHost }: LogConfig,
  cells: Pick<Cells, 'of' | 'all'>,
  log: Logger,
): OpenLogBook {
  const keys = openKeys(settings.keys, logHost)
  const fences = openFences(settings.fence, cells, log)
  const resting = restingLogs(cells.of, log)
  return {
    nameOf: ({ center_id, domain, generation }) => generationName(logName(logHost, center_id, domain), generation),
    keys,
    fenceOf: fences.of,
    resting,
    fences,
    async close() {
      await resting.close()
      await fences.close()
    },
  }
}

function openKeys(read: () => string, host: string): KeyRing {
  try {
    return openKeyRing(read, host)
  } catch (error) {
    throw new ConfigError(`setting TLOG_KEY or TLOG_KEY_FILE: ${(error as Error).message}`)
  }
}
