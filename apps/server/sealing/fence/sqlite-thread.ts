/** The thread that writes a fence store, so that waiting for the disk or for another process blocks no request. */
import { parentPort, workerData } from 'node:worker_threads'
import { instant, type StoreAnswer, type StoreRequest } from './sqlite-client.ts'
import { openStore, type StorePlace } from './sqlite-store.ts'

const store = openStore(workerData as StorePlace)
const port = parentPort as NonNullable<typeof parentPort>

port.on('message', (request: StoreRequest | null) => {
  if (request === null) {
    store.close()
    port.close()
    return
  }
  const { id, call, given, until } = request
  const answer = (rest: Omit<StoreAnswer, 'id'>) => port.postMessage({ id, ...rest } satisfies StoreAnswer)
  try {
    const isLate = () => instant() > until
    const work = () => (store[call] as (...all: readonly unknown[]) => string | null)(...given)
    answer({ refusal: isLate() ? 'late' : store.transaction(work, until - instant(), isLate) })
  } catch (error) {
    answer({ error: (error as Error).message })
  }
})

port.postMessage({ id: 0 } satisfies StoreAnswer)
