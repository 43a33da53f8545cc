/** Every worker publishes the checkpoints of its cells' logs to witnesses and to a time-stamping authority. */
import type { Logger } from 'pino'
import { loop, loops, type Startable } from '../../../concurrency/loop.ts'
import { type Spaced, spaced } from '../../../concurrency/spaced.ts'
import type { Config } from '../../../config/config.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { WakeUps } from '../../../jobs/wake-ups.ts'
import { openService } from '../../../lib/outbound-http.ts'
import type { OpenWatching } from './api.ts'
import { growth, waitingLogs } from './grown-logs.ts'
import { stampLogs } from './stamping.ts'
import { openWitnesses, showToWitness } from './witnessing.ts'

const showEveryMs = 2000
/** While the worker is notified of what is written. */
const restMs = 10_000
const stampEveryMs = 10_000

export type Watch = Startable

export function watch(
  cells: Cells,
  watching: OpenWatching,
  { log: { tsaUrl } }: Pick<Config, 'log'>,
  log: Logger,
  wakeUps: Pick<WakeUps, 'listen' | 'heard'>,
): Watch {
  const witnesses = openWitnesses(watching.policy.witnesses)
  const authority = tsaUrl === null ? null : openService(tsaUrl, { timeoutMs: 10_000, maxBytes: 256 * 1024 })
  const grew = new Map<string, Spaced>()
  const repeat = (cell: Cell, everyMs: number | (() => number), turn: (stop: AbortSignal) => Promise<unknown>) =>
    loop({
      everyMs,
      turn,
      log,
      failure: 'checkpoints could not be published; will try again',
      fields: { cell: cell.name },
    })

  function loopsOf(cell: Cell): Startable[] {
    const { book } = watching
    const grown = growth(cell)
    const each = [
      ...witnesses.map((client) => {
        const waiting = waitingLogs()
        return {
          waiting,
          everyMs: showEveryMs,
          turn: (stop: AbortSignal) => showToWitness(cell, client, book, log, stop, waiting),
        }
      }),
      ...(authority ? [authority] : []).map((service) => {
        const waiting = waitingLogs()
        return {
          waiting,
          everyMs: stampEveryMs,
          turn: (stop: AbortSignal) => stampLogs(cell, service, watching, log, stop, waiting),
        }
      }),
    ]
    let following = false
    // A comparison before the first look would miss what grows between the two.
    const asking = each.map(({ everyMs, turn }) =>
      repeat(cell, everyMs, async (stop) => following && (await turn(stop))),
    )
    const pauseMs = () => (wakeUps.heard() ? restMs : showEveryMs)
    const looking = repeat(cell, pauseMs, async () => {
      const logs = await grown()
      for (const { waiting } of each) waiting.add(logs)
      following = true
      if (logs === null || logs.length > 0) for (const one of asking) one.wake()
    })
    if (asking.length === 0) return []
    grew.set(cell.name, spaced(showEveryMs, looking.wake))
    return [looking, ...asking]
  }

  const all = loops(cells.worked.flatMap(loopsOf))
  return {
    start() {
      if (grew.size > 0) wakeUps.listen((cell) => grew.get(cell)?.ask())
      all.start()
    },
    async stop() {
      for (const each of grew.values()) each.stop()
      await all.stop()
      await Promise.all([...witnesses.map(({ service }) => service.close()), authority?.close()])
    },
  }
}
