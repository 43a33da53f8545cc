/** The names, keys and remembered checkpoints of this host's logs, opened once for the life of the process. */
import { logName } from '@countersign/proof/chain.ts'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { readLogKeys } from './log-keys.ts'
import { openLogMemory } from './seen-checkpoints.ts'
import type { LogBook } from './trees.ts'

export interface OpenLogBook extends LogBook {
  close(): void
}

export function openLogBook({ log: { keys, memoryDir }, logHost }: Pick<Config, 'log' | 'logHost'>, log: Logger) {
  const memory = openLogMemory(memoryDir, log)
  const book: OpenLogBook = {
    nameOf: ({ center_id, domain }) => logName(logHost, center_id, domain),
    keys: readKeys(keys(), logHost),
    memory,
    close: () => memory.close(),
  }
  return book
}

function readKeys(text: string, host: string) {
  try {
    return readLogKeys(text, host)
  } catch (error) {
    throw new ConfigError(`setting TLOG_KEY or TLOG_KEY_FILE: ${(error as Error).message}`)
  }
}
