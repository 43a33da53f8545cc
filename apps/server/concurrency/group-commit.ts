/**
 * Group commit, fair between centers. Items that arrive while a batch commits form the next batch; there is no timer.
 * Centers take turns, one item each, so a center with a long queue delays no other center. A batch is bounded in items
 * and bytes. Large items have batches of their own, and so do centers whose rows are locked elsewhere: together at first,
 * and each alone after a timeout.
 */
import { Problem } from '../lib/problem.ts'

export interface Submission<In, Out> {
  readonly centerId: number
  readonly input: In
  /** Corrected when a batch learns that the item is larger than it seemed. */
  bytes: number
  readonly since: number
  resolve(result: Out): void
  reject(error: unknown): void
}

export interface Returned<In, Out> {
  /** Their rows are locked elsewhere: their centers wait for them in batches of their own for a while. */
  readonly locked?: readonly Submission<In, Out>[]
  /** It is another process's turn at their centers: they are tried again after so many milliseconds. */
  readonly elsewhere?: ReadonlyMap<Submission<In, Out>, number>
  /** Their `bytes` were too low and are corrected. */
  readonly larger?: readonly Submission<In, Out>[]
}

/** `waiting` and `alone` batches wait for locked rows; `alone` ones are of one center. */
export type BatchKind = 'small' | 'large' | 'waiting' | 'alone'

export interface GroupCommitOptions<In, Out> {
  /** In the message to a caller that is refused: "Too many … are waiting". */
  readonly what: string
  /** The items of a center are in one batch at a time, and in order of arrival. */
  readonly ordered: boolean
  /** Settles each item, or returns it: then it goes back to the front of its center's queue. */
  readonly commit: (batch: readonly Submission<In, Out>[], kind: BatchKind) => Promise<Returned<In, Out>>
  /** What an error of a batch is about: the data of one of its items, rows that stayed locked, or neither. */
  readonly classify: (error: unknown) => 'data' | 'locked' | null
  /** Two items of a center with the same key are not in one batch. */
  readonly keyOf?: (input: In) => string | null
  /** The error for the caller, where it differs from the one of the database. */
  readonly explain?: (item: Submission<In, Out>, error: unknown) => Promise<unknown>
  readonly limits?: Partial<GroupLimits>
  readonly watch?: GroupWatch
}

/** For metrics. */
export interface GroupWatch {
  /** `depth` is the number of items that wait or are being committed. */
  opened(depth: () => number): void
  /** Called once for each batch. */
  committed(batch: { readonly items: number; readonly oldestWaitMs: number; readonly ms: number }): void
}

export interface GroupLimits {
  readonly batchItems: number
  readonly batchBytes: number
  /** Items above this size are large. */
  readonly largeBytes: number
  /** Batches at a time, by kind. */
  readonly inFlight: Readonly<Record<BatchKind, number>>
  /** Items and bytes of one center that wait or are being committed. Beyond it, that center gets 429. */
  readonly centerItems: number
  readonly centerBytes: number
  /** The same over all centers. Beyond it, a center that has more than its equal share gets 503. */
  readonly totalItems: number
  readonly totalBytes: number
}

const usual: GroupLimits = {
  batchItems: 256,
  batchBytes: 1024 * 1024,
  largeBytes: 16 * 1024,
  inFlight: { small: 1, large: 1, waiting: 1, alone: 4 },
  centerItems: 1024,
  centerBytes: 8 * 1024 * 1024,
  totalItems: 8192,
  totalBytes: 64 * 1024 * 1024,
}

/** How long a center has batches of its own after its rows were locked elsewhere. */
const apartMs = 1000
/** An item that still times out after this long is refused, not tried again. */
const giveUpMs = 20_000

interface CenterQueue<In, Out> {
  readonly id: number
  readonly items: Submission<In, Out>[]
  /** Waiting or in a batch. */
  count: number
  bytes: number
  /** Has a place in the turns of a kind. */
  isQueued: boolean
  isInFlight: boolean
  /** In milliseconds of the monotonic clock. */
  waitingUntil: number
  aloneUntil: number
  /** Until then it is another process's turn. */
  restsUntil: number
}

export interface GroupCommit<In, Out> {
  submit(centerId: number, bytes: number, input: In): Promise<Out>
}

export function groupCommit<In, Out>(options: GroupCommitOptions<In, Out>): GroupCommit<In, Out> {
  type Item = Submission<In, Out>
  type Center = CenterQueue<In, Out>
  const { what, ordered, commit, classify, keyOf = () => null, explain = async (_, error) => error, watch } = options
  const limits = { ...usual, ...options.limits }
  const centers = new Map<number, Center>()
  const ready: Record<BatchKind, Center[]> = { small: [], large: [], waiting: [], alone: [] }
  const inFlight: Record<BatchKind, number> = { small: 0, large: 0, waiting: 0, alone: 0 }
  const total = { items: 0, bytes: 0 }
  watch?.opened(() => total.items)

  function refusal({ count, bytes: held }: Center, bytes: number): Problem | null {
    if (count > 0 && (count >= limits.centerItems || held + bytes > limits.centerBytes))
      return refused('RATE_LIMITED', `Too many ${what} from this center are waiting.`)
    const isFull = total.items >= limits.totalItems || total.bytes + bytes > limits.totalBytes
    const share = Math.max(1, centers.size)
    if (isFull && (count + 1 > limits.totalItems / share || held + bytes > limits.totalBytes / share))
      return refused('SERVICE_UNAVAILABLE', `Too many ${what} are waiting.`)
    return null
  }

  const kindOf = (center: Center): BatchKind => {
    const at = performance.now()
    if (center.aloneUntil > at) return 'alone'
    if (center.waitingUntil > at) return 'waiting'
    return (center.items[0] as Item).bytes > limits.largeBytes ? 'large' : 'small'
  }

  /** Gives a center with waiting items a place in the turns of the kind that its first item needs. */
  function enqueue(center: Center): void {
    if (center.count === 0) centers.delete(center.id)
    if (center.items.length === 0 || center.isQueued || (ordered && center.isInFlight)) return
    if (center.restsUntil > performance.now()) return
    const kind = kindOf(center)
    center.isQueued = true
    ready[kind].push(center)
    start(kind)
  }

  function start(kind: BatchKind): void {
    if (ready[kind].length === 0 || inFlight[kind] >= limits.inFlight[kind]) return
    inFlight[kind]++
    // Starts after this turn of the event loop, so that requests read in the same turn share the first batch.
    setImmediate(() => void drain(kind))
  }

  async function drain(kind: BatchKind): Promise<void> {
    while (ready[kind].length > 0) {
      const { batch, from } = take(kind)
      start(kind)
      await run(batch, kind)
      for (const center of from) {
        center.isInFlight = false
        enqueue(center)
      }
    }
    inFlight[kind]--
  }

  /** The next batch. Each center gives one item per turn, until the batch is full or no item fits. */
  function take(kind: BatchKind): { batch: Item[]; from: ReadonlySet<Center> } {
    const turns = ready[kind].splice(0, kind === 'alone' ? 1 : ready[kind].length)
    const batch: Item[] = []
    const from = new Set<Center>()
    const keys = new Set<string>()
    const passed: Center[] = []
    let bytes = 0
    let at = 0
    for (; at < turns.length && batch.length < limits.batchItems; at++) {
      const center = turns[at] as Center
      const item = center.items[0] as Item
      const key = keyOf(item.input)
      const name = `${center.id} ${key}`
      if ((batch.length > 0 && bytes + item.bytes > limits.batchBytes) || (key !== null && keys.has(name))) {
        passed.push(center)
        continue
      }
      if (key !== null) keys.add(name)
      center.items.shift()
      batch.push(item)
      bytes += item.bytes
      from.add(center)
      center.isQueued = center.items.length > 0 && kindOf(center) === kind
      if (center.isQueued) turns.push(center)
    }
    // Centers that were passed over come first in the next batch, those that had a turn last.
    for (const center of [...passed, ...turns.slice(at)].reverse()) {
      center.isQueued = !(ordered && from.has(center))
      if (center.isQueued) ready[kind].unshift(center)
    }
    for (const center of from) {
      center.isInFlight = true
      if (!ordered) enqueue(center)
    }
    return { batch, from }
  }

  /** Every item is settled afterwards, or waits in the queue of its center. */
  async function run(batch: readonly Item[], kind: BatchKind): Promise<void> {
    const began = performance.now()
    const oldestWaitMs = began - batch.reduce((since, item) => Math.min(since, item.since), began)
    try {
      const { locked = [], larger = [], elsewhere = new Map() } = await commit(batch, kind)
      watch?.committed({ items: batch.length, oldestWaitMs, ms: performance.now() - began })
      rest(elsewhere)
      putBack(larger)
      putBack(locked, kind === 'small' || kind === 'large' ? 'waitingUntil' : 'aloneUntil')
    } catch (error) {
      const isOld = (item: Item) => performance.now() - item.since > giveUpMs
      const about = classify(error)
      if (batch.length === 1 || about === null || batch.every(isOld)) {
        for (const item of batch) item.reject(await explain(item, error))
      } else if (about === 'locked' && kind !== 'alone') {
        // One of the centers has a slow item or a locked row: each center commits alone, and only that one waits.
        putBack(batch, 'aloneUntil')
      } else {
        // One of the items cannot be stored, or takes too long. Each is tried alone, so that only that one fails.
        for (const item of batch) await run([item], kind)
      }
    }
  }

  function putBack(items: readonly Item[], apart?: 'waitingUntil' | 'aloneUntil'): void {
    const centerOf = ({ centerId }: Item) => centers.get(centerId) as Center
    for (const item of items.toReversed()) {
      centerOf(item).items.unshift(item)
      if (apart) centerOf(item)[apart] = performance.now() + apartMs
    }
    for (const item of items) enqueue(centerOf(item))
  }

  function rest(elsewhere: ReadonlyMap<Item, number>): void {
    const until = new Map<number, Center[]>()
    for (const [item, ms] of [...elsewhere].toReversed()) {
      const center = centers.get(item.centerId) as Center
      center.items.unshift(item)
      center.restsUntil = performance.now() + ms
      until.set(ms, [...(until.get(ms) ?? []), center])
    }
    for (const [ms, resting] of until) {
      setTimeout(() => {
        for (const center of new Set(resting)) {
          center.restsUntil = 0
          enqueue(center)
        }
      }, ms)
    }
  }

  return {
    submit: (id, bytes, input) =>
      new Promise<Out>((resolve, reject) => {
        const center: Center = centers.get(id) ?? { id, ...emptyQueue(), items: [] }
        const problem = refusal(center, bytes)
        if (problem) return reject(problem)
        centers.set(id, center)
        const count = (change: 1 | -1) => {
          for (const counter of [center, total]) counter.bytes += change * bytes
          center.count += change
          total.items += change
        }
        const settling =
          <V>(settle: (value: V) => void) =>
          (value: V) => {
            if (isSettled) return
            isSettled = true
            count(-1)
            settle(value)
          }
        let isSettled = false
        count(1)
        const since = performance.now()
        center.items.push({
          ...{ centerId: id, bytes, input, since },
          ...{ resolve: settling(resolve), reject: settling(reject) },
        })
        enqueue(center)
      }),
  }
}

const emptyQueue = () => ({
  count: 0,
  bytes: 0,
  isQueued: false,
  isInFlight: false,
  waitingUntil: 0,
  aloneUntil: 0,
  restsUntil: 0,
})

const refused = (code: 'RATE_LIMITED' | 'SERVICE_UNAVAILABLE', message: string): Problem =>
  new Problem(code, `${message} Try again in a second.`, { retryAfter: 1 })
