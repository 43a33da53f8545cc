/** The fences of the cells, each with its own store. */
import type { Logger } from 'pino'
import { type Config, ConfigError, type FencePlace } from '../../config/config.ts'
import { isDatabase } from '../../config/setting-values.ts'
import type { Cells } from '../../data/cells.ts'
import { type Fence, processFence } from './fence.ts'
import { openPostgresStore } from './postgres-store.ts'
import { openSqliteStore } from './sqlite-client.ts'
import type { FenceStore } from './store.ts'
import { storeFence } from './store-fence.ts'

export interface Fences {
  of(cell: string): Fence
  /** Null without a store. */
  storeOf(cell: string): FenceStore | null
  close(): Promise<void>
}

export function openFences(settings: Config['log']['fence'], cells: Pick<Cells, 'of' | 'all'>, log: Logger): Fences {
  function open(name: string) {
    cells.of(name)
    if (settings === null) return { fence: processFence(), store: null }
    const store = openStoreAt(settings, name)
    return { fence: storeFence(cells.of(name), store, log), store }
  }
  const fences = new Map(cells.all.map(({ name }) => [name, open(name)]))
  const entry = (name: string) => {
    const known = fences.get(name) ?? open(name)
    fences.set(name, known)
    return known
  }
  return {
    of: (name) => entry(name).fence,
    storeOf: (name) => entry(name).store,
    close: async () => {
      await Promise.all([...fences.values()].map(({ fence }) => fence.close()))
    },
  }
}

export function openStoreAt({ at, copy }: FencePlace, cell: string): FenceStore {
  if (isDatabase(at)) return openPostgresStore(at, cell)
  try {
    return openSqliteStore({ folder: at, copy, cell })
  } catch (error) {
    throw new ConfigError(`setting TLOG_FENCE or TLOG_FENCE_COPY: ${(error as Error).message}`)
  }
}
