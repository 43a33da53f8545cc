/** A fence store in a file, as a process uses it: lookups on its own thread, in microseconds, and writes on another. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openStore, type StorePlace } from './sqlite-store.ts'
import { type FenceStore, type Refusal, type StoreCall, StoreFailure } from './store.ts'

export interface StoreRequest {
  readonly id: number
  readonly call: StoreCall
  readonly given: readonly unknown[]
  /** The instant after which the write must not begin. */
  readonly until: number
}

export interface StoreAnswer {
  readonly id: number
  readonly refusal?: Refusal
  readonly error?: string
}

/** In milliseconds, the same on every thread. */
export const instant = (): number => performance.timeOrigin + performance.now()

/**
 * A write begins this much before the caller gives up, or not at all. So a reservation that begins late is still ordered
 * before those of the next holder of the chain heads.
 */
const marginMs = 50

/** Longer than any write waits. */
const closeMs = 2000

export function openSqliteStore(place: StorePlace): FenceStore {
  const store = openStore(place)
  const waiting = new Map<number, (answer: StoreAnswer) => void>()
  let thread: Worker | null = null
  let requests = 0

  function start(): Worker {
    const started = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: place })
    const failAll = (error: string) => {
      if (thread === started) thread = null
      for (const [id, settle] of waiting) settle({ id, error })
    }
    started.on('message', (answer: StoreAnswer) => (answer.id === 0 ? opened() : waiting.get(answer.id)?.(answer)))
    started.on('error', (error: Error) => failAll(error.message))
    started.on('exit', () => {
      failAll('the thread of the store has ended')
      opened()
    })
    started.unref()
    thread = started
    return started
  }

  const { promise: whenOpened, resolve: opened } = Promise.withResolvers<void>()
  start()
  return {
    opened: whenOpened,
    async read(names) {
      // Before the state: a former identity never returns, so the logs belong to the state that follows.
      const logs = new Map(names.flatMap((name) => [store.of(name) ?? []].flat().map((log) => [name, log] as const)))
      return { state: store.state(), logs }
    },
    isRetired: async (identity) => store.isRetired(identity),
    hasLogs: async () => store.hasLogs(),
    page: async (after, most) => store.page(after, most),
    write(call, waitMs, ...given) {
      const id = ++requests
      const { promise, resolve, reject } = Promise.withResolvers<Refusal>()
      const settle = ({ refusal = null, error }: Omit<StoreAnswer, 'id'>) => {
        clearTimeout(timer)
        waiting.delete(id)
        if (error !== undefined) reject(new StoreFailure(error))
        else if (refusal === 'late') reject(new StoreFailure('another process has locked the store'))
        else resolve(refusal)
      }
      const timer = setTimeout(() => settle({ error: `no answer within ${waitMs} ms` }), waitMs)
      waiting.set(id, settle)
      ;(thread ?? start()).postMessage({ id, call, given, until: instant() + waitMs - marginMs } satisfies StoreRequest)
      return promise
    },
    async close() {
      const ending = thread
      if (ending) {
        ending.ref()
        ending.postMessage(null)
        const timer = setTimeout(() => void ending.terminate(), closeMs)
        await once(ending, 'exit')
        clearTimeout(timer)
      }
      store.close()
    },
  }
}
