/** Every worker publishes the checkpoints of its cells' logs to witnesses and to a time-stamping authority. */
import type { Logger } from 'pino'
import { loop, loops, type Startable } from '../../../concurrency/loop.ts'
import type { Config } from '../../../config.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { openService } from '../../../lib/outbound-http.ts'
import type { OpenWatching } from './api.ts'
import { stampLogs } from './stamping.ts'
import { openWitnesses, showToWitness } from './witnessing.ts'

const showEveryMs = 2000
const stampEveryMs = 10_000

export type Watch = Startable

export function watch(
  cells: Cells,
  watching: OpenWatching,
  { log: { tsaUrl } }: Pick<Config, 'log'>,
  log: Logger,
): Watch {
  const witnesses = openWitnesses(watching.policy.witnesses)
  const authority = tsaUrl === null ? null : openService(tsaUrl, { timeoutMs: 10_000, maxBytes: 256 * 1024 })
  const repeat = (cell: Cell, everyMs: number, turn: (stop: AbortSignal) => Promise<unknown>) =>
    loop({
      everyMs,
      turn,
      log,
      failure: 'checkpoints could not be published; will try again',
      fields: { cell: cell.name },
    })
  const all = loops(
    cells.all.flatMap((cell) => [
      ...witnesses.map((client) =>
        repeat(cell, showEveryMs, (stop) => showToWitness(cell, client, watching.book, log, stop)),
      ),
      ...(authority ? [repeat(cell, stampEveryMs, (stop) => stampLogs(cell, authority, watching, log, stop))] : []),
    ]),
  )
  return {
    start: all.start,
    async stop() {
      await all.stop()
      await Promise.all([...witnesses.map(({ service }) => service.close()), authority?.close()])
    },
  }
}
