/** The fences of the cells, each with its own store. */
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../config.ts'
import type { Cells } from '../../data/cells.ts'
import { type Fence, processFence } from './fence.ts'
import { openStoreClient, type StoreClient } from './store-client.ts'
import { storeFence } from './store-fence.ts'

export interface Fences {
  of(cell: string): Fence
  /** Null without a store. */
  storeOf(cell: string): StoreClient | null
  close(): Promise<void>
}

export function openFences(settings: Config['log']['fence'], cells: Pick<Cells, 'of' | 'all'>, log: Logger): Fences {
  function open(name: string) {
    if (settings === null) return { fence: processFence(), store: null }
    const store = openStoreAt(settings, name)
    return { fence: storeFence(cells.of(name), store, log), store }
  }
  const fences = new Map(cells.all.map(({ name }) => [name, open(name)]))
  const entry = (name: string) => {
    const known = fences.get(name)
    if (!known) throw new Error(`there is no cell "${name}"`)
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

function openStoreAt({ folder, copy }: NonNullable<Config['log']['fence']>, cell: string): StoreClient {
  try {
    return openStoreClient({ folder, copy, cell })
  } catch (error) {
    throw new ConfigError(`setting TLOG_FENCE or TLOG_FENCE_COPY: ${(error as Error).message}`)
  }
}
