/** All states that several processes reach, in all orders of their steps. */
import { after, faultIn, firstState, isSettled, type Rule, type State, type Step } from '../ranges/protocol.ts'

const writers = [0, 1]

const stepsFor = (items: readonly number[]): readonly Step[] => [
  ...writers.flatMap((by): Step[] => [
    ...(['take', 'begin', 'commit', 'answer', 'start'] as const).map((each) => ({ do: each, by })),
    ...[true, false].map((isCommitSent): Step => ({ do: 'crash', by, isCommitSent })),
    ...items.map((item): Step => ({ do: 'send', by, item })),
  ]),
  ...(['turnEnds', 'arrive', 'rollBack'] as const).map((each): Step => ({ do: each })),
]

export interface Limits {
  readonly items: number
  readonly crashes: number
  /** Whether a process that has ended starts again, as another one. */
  readonly restarts: boolean
}

/** Items are alike, and so are processes: the first item goes to the first process, and no item is sent before the one before it. */
function isMirrored({ processes, batches, chain, lost }: State, { item, by }: Step & { do: 'send' }): boolean {
  if (item === 0 && !lost.includes(0)) return by !== 0
  const known = [
    ...processes.flatMap(({ queue, sealed }) => [...queue, ...sealed]),
    ...batches.flatMap(({ items }) => items),
    ...chain.map((entry) => entry.item),
    ...lost,
  ]
  return item > 0 && !known.includes(item - 1)
}

export interface Explored {
  readonly states: number
  readonly transitions: number
  readonly sealedAll: number
  readonly fault: { readonly what: string; readonly path: readonly Step[] } | null
}

interface Node {
  readonly state: State
  readonly crashes: number
  readonly from: readonly [string, Step] | null
}

export function explore({ items, crashes, restarts }: Limits, left: ReadonlySet<Rule> = new Set()): Explored {
  const steps = stepsFor(Array.from({ length: items }, (_, item) => item))
  const first: Node = { state: firstState(writers.length), crashes: 0, from: null }
  const keyOf = ({ state, crashes: used }: Node) => `${used}${JSON.stringify(state)}`
  const seen = new Map<string, Node>([[keyOf(first), first]])
  const before = new Map<string, string[]>()
  const settled: string[] = []
  let [transitions, sealedAll] = [0, 0]
  const pathTo = (key: string): Step[] => {
    const { from } = seen.get(key) as Node
    return from ? [...pathTo(from[0]), from[1]] : []
  }
  const found = (what: string, key: string): Explored => ({
    ...{ states: seen.size, transitions, sealedAll },
    fault: { what, path: pathTo(key) },
  })
  // A map is walked in the order of insertion, with what is added meanwhile.
  for (const [key, node] of seen) {
    const fault = faultIn(node.state)
    if (fault) return found(fault, key)
    if (isSettled(node.state)) {
      settled.push(key)
      if (node.state.chain.length === items) sealedAll++
    }
    for (const step of steps) {
      if (step.do === 'crash' && node.crashes === crashes) continue
      if (step.do === 'start' && !restarts) continue
      if (step.do === 'send' && isMirrored(node.state, step)) continue
      const state = after(node.state, step, left)
      if (!state) continue
      transitions++
      const reached = { state, crashes: node.crashes + (step.do === 'crash' ? 1 : 0), from: [key, step] as const }
      const name = keyOf(reached)
      if (!seen.has(name)) seen.set(name, reached)
      const sources = before.get(name) ?? []
      sources.push(key)
      before.set(name, sources)
    }
  }
  // From every state, one in which nobody waits must be reachable.
  const ends = new Set(settled)
  const queue = [...settled]
  for (const key of queue) {
    for (const source of before.get(key) ?? []) {
      if (ends.has(source)) continue
      ends.add(source)
      queue.push(source)
    }
  }
  for (const key of seen.keys()) if (!ends.has(key)) return found('callers wait for ever', key)
  return { states: seen.size, transitions, sealedAll, fault: null }
}
