/** Applies the same load to a Countersign server and to its bare reference, in alternating windows. */
import autocannon from 'autocannon'
import type { BenchOptions } from './options.ts'
import { median, type Running, say } from './place.ts'

interface Load {
  readonly connections: number
  readonly requests: autocannon.Request[]
}

interface Window {
  readonly perSecond: number
  readonly p99: number
  /** CPU time of the server per answered request. */
  readonly cpuMicros: number
}

async function put({ url, cpuSeconds }: Running, load: Load, seconds: number): Promise<Window> {
  const cpuBefore = cpuSeconds()
  const result = await autocannon({ url, duration: seconds, ...load })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused requests and ${result.errors} errors: the measurement is invalid`)
  const cpuMicros = (1e6 * (cpuSeconds() - cpuBefore)) / result['2xx']
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99, cpuMicros }
}

interface Comparison {
  readonly value: number
  readonly bare: number
  readonly ratio: number
  readonly ratios: readonly number[]
  readonly p99Ms: number
  readonly cpuMicros: number
  readonly bareCpuMicros: number
  readonly connections: number
  /** The same next to a second reference. */
  readonly engine?: number
  readonly ratioEngine?: number
}

export async function sideBySide(
  server: Running,
  bare: Running,
  load: Load,
  { seconds, windows }: Pick<BenchOptions, 'seconds' | 'windows'>,
  engine?: Running,
): Promise<Comparison> {
  for (const each of [server, bare, engine]) if (each) await put(each, load, 2)
  const ours: Window[] = []
  const theirs: Window[] = []
  const engines: Window[] = []
  for (let window = 0; window < windows; window++) {
    theirs.push(await put(bare, load, seconds))
    if (engine) engines.push(await put(engine, load, seconds))
    ours.push(await put(server, load, seconds))
    say(
      `window ${window + 1}: bare ${Math.round(theirs.at(-1)?.perSecond ?? 0)}/s, ours ${Math.round(ours.at(-1)?.perSecond ?? 0)}/s`,
    )
  }
  const ratiosTo = (others: readonly Window[]) =>
    ours.map((own, index) => own.perSecond / (others[index] as Window).perSecond)
  const ratios = ratiosTo(theirs)
  const middle = (side: readonly Window[], figure: keyof Window) => Math.round(median(side.map((each) => each[figure])))
  return {
    value: middle(ours, 'perSecond'),
    bare: middle(theirs, 'perSecond'),
    ratio: Number(median(ratios).toFixed(3)),
    ratios: ratios.map((ratio) => Number(ratio.toFixed(3))),
    p99Ms: middle(ours, 'p99'),
    cpuMicros: middle(ours, 'cpuMicros'),
    bareCpuMicros: middle(theirs, 'cpuMicros'),
    connections: load.connections,
    ...(engine && {
      engine: middle(engines, 'perSecond'),
      ratioEngine: Number(median(ratiosTo(engines)).toFixed(3)),
    }),
  }
}
