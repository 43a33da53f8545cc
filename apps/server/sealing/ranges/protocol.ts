/**
 * Which process seals the chains of a range of centers, where several processes run on one cell. Pure: the state of the
 * database and of the processes, and each step that changes it. A step that changes `owner`, `isOver` or `chain` is one
 * transaction, or its end.
 *
 * The owner of a range keeps it for a turn; then whoever has items may take it. A batch begins by locking the head of the chain,
 * and asks after that whose turn it is. The lock alone keeps the chain whole: `courtesies` are what may fail without harm.
 */

export type Item = number

/** Its transaction holds the lock of the head. */
export interface Batch {
  /** Null once its process has ended. A process that starts again is another one. */
  readonly by: number | null
  /** Its commit was sent before its process ended, and arrives all the same. */
  readonly isOnItsWay?: boolean
  /** The index of its first entry. */
  readonly from: number
  readonly items: readonly Item[]
}

export interface Process {
  readonly alive: boolean
  /** Callers of these wait for an answer. */
  readonly queue: readonly Item[]
  /** What it believes. */
  readonly owns: boolean
  /** The size of the chain when it last saw it. */
  readonly head: number | null
  /** Committed, and not yet answered. */
  readonly sealed: readonly Item[]
}

export interface State {
  readonly owner: number | null
  readonly isOver: boolean
  /** Entries with the index at which they were written: two at one index are a fork. */
  readonly chain: readonly { readonly index: number; readonly item: Item }[]
  readonly processes: readonly Process[]
  /** At most one per process. */
  readonly batches: readonly Batch[]
  readonly answered: readonly Item[]
  /** Their callers lost the connection: what became of them is not known, and they may be sent again. */
  readonly lost: readonly Item[]
}

export type Step =
  | { readonly do: 'send'; readonly by: number; readonly item: Item }
  | { readonly do: 'take' | 'begin' | 'commit' | 'answer' | 'start'; readonly by: number }
  | { readonly do: 'crash'; readonly by: number; readonly isCommitSent: boolean }
  | { readonly do: 'turnEnds' }
  /** Of a batch whose process has ended: the commit arrives, or the database ends the transaction. */
  | { readonly do: 'arrive' }
  | { readonly do: 'rollBack' }

/** What keeps the chain whole and callers from waiting for ever. */
export const safeguards = [
  'a batch locks the head until it ends',
  'a head is read under its lock',
  'a batch leaves out what is sealed',
  'an answer follows the commit',
  'a turn ends',
  'the database ends the batch of a process that is gone',
] as const
/** What only keeps processes out of each other's way. */
export const courtesies = ['a batch asks whose turn it is', 'a range is taken before it is used'] as const
export type Rule = (typeof safeguards)[number] | (typeof courtesies)[number]

const idle: Process = { alive: true, queue: [], owns: false, head: null, sealed: [] }

export const firstState = (processes: number): State => ({
  owner: null,
  isOver: false,
  chain: [],
  processes: Array.from({ length: processes }, () => idle),
  batches: [],
  answered: [],
  lost: [],
})

const joined = (...all: readonly (readonly Item[])[]) => [...new Set(all.flat())].sort((a, b) => a - b)

/** The state after a step; null where the step is not possible. */
export function after(state: State, step: Step, left: ReadonlySet<Rule> = new Set()): State | null {
  const { owner, isOver, chain, batches } = state
  const isOn = (rule: Rule) => !left.has(rule)
  const isSealed = (item: Item) => chain.some((entry) => entry.item === item)
  const written = (batch: Batch): Partial<State> => {
    const added = isOn('a batch leaves out what is sealed')
      ? batch.items.filter((item) => !isSealed(item))
      : batch.items
    return {
      chain: [...chain, ...added.map((item, at) => ({ index: batch.from + at, item }))],
      batches: batches.filter((each) => each !== batch),
    }
  }
  if (step.do === 'turnEnds')
    return owner === null || isOver || !isOn('a turn ends') ? null : { ...state, isOver: true }
  if (step.do === 'arrive' || step.do === 'rollBack') {
    const orphan = batches.find(({ by }) => by === null)
    if (!orphan) return null
    if (step.do === 'arrive') return orphan.isOnItsWay ? { ...state, ...written(orphan) } : null
    const ends = isOn('the database ends the batch of a process that is gone')
    return ends ? { ...state, batches: batches.filter((each) => each !== orphan) } : null
  }
  const { by } = step
  const process = state.processes[by]
  if (!process || process.alive === (step.do === 'start')) return null
  const batch = batches.find((each) => each.by === by)
  const withProcess = (changed: Partial<Process>, more: Partial<State> = {}): State => ({
    ...state,
    ...more,
    processes: state.processes.map((each, at) => (at === by ? { ...each, ...changed } : each)),
  })
  switch (step.do) {
    case 'start':
      return withProcess(idle)
    case 'crash': {
      const lost = joined(state.lost, process.queue, process.sealed, batch?.items ?? [])
      if (step.isCommitSent && !batch) return null
      const orphaned = batches.map((each) =>
        each === batch ? { ...each, by: null, isOnItsWay: step.isCommitSent } : each,
      )
      return withProcess({ ...idle, alive: false }, { lost, batches: orphaned })
    }
    case 'send': {
      const { item } = step
      const isPending = state.processes.some(({ queue, sealed }) => [...queue, ...sealed].includes(item))
      const isInBatch = batches.some((each) => each.by !== null && each.items.includes(item))
      if (isPending || isInBatch || state.answered.includes(item)) return null
      return withProcess({ queue: joined(process.queue, [item]) })
    }
    case 'take':
      if (owner === by || (owner !== null && !isOver)) return null
      return withProcess({ owns: true }, { owner: by, isOver: false })
    case 'begin': {
      const mayTry = process.owns || !isOn('a range is taken before it is used')
      const isLocked = batches.length > 0 && isOn('a batch locks the head until it ends')
      if (!mayTry || batch || process.queue.length === 0 || isLocked) return null
      if (owner !== by && isOn('a batch asks whose turn it is'))
        return process.owns ? withProcess({ owns: false }) : null
      const from = isOn('a head is read under its lock') ? chain.length : (process.head ?? chain.length)
      return withProcess(
        { queue: [], head: from },
        {
          batches: [...batches, { by, from, items: process.queue }],
          ...(!isOn('an answer follows the commit') && { answered: joined(state.answered, process.queue) }),
        },
      )
    }
    case 'commit': {
      if (!batch) return null
      const more = written(batch)
      const head = batch.from + (more.chain?.length ?? 0) - chain.length
      return withProcess({ head, sealed: joined(process.sealed, batch.items) }, more)
    }
    case 'answer':
      if (process.sealed.length === 0) return null
      return withProcess({ sealed: [] }, { answered: joined(state.answered, process.sealed) })
  }
}

/** Why a state must not be; null where it may. */
export function faultIn({ chain, answered }: State): string | null {
  if (chain.some(({ index }, at) => index !== at)) return 'a fork'
  const items = chain.map(({ item }) => item)
  if (new Set(items).size < items.length) return 'an item is sealed twice'
  if (answered.some((item) => !items.includes(item))) return 'an answer without a seal'
  return null
}

/** Nobody waits for an answer. */
export const isSettled = ({ processes, batches }: State): boolean =>
  batches.length === 0 && processes.every(({ queue, sealed }) => queue.length + sealed.length === 0)
