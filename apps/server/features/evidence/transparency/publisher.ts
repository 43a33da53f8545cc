/** Every worker shows the logs of its cells to whoever watches them, turn after turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../../../config.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import { openService } from '../../../lib/outbound-http.ts'
import type { OpenWatching } from './api.ts'
import { stampLogs } from './stamping.ts'
import { openDoors, showToWitness } from './witnessing.ts'

const showEveryMs = 2000
const stampEveryMs = 10_000

export interface Watch {
  start(): void
  stop(): Promise<void>
}

export function watch(
  cells: Cells,
  watching: OpenWatching,
  { log: { tsaUrl } }: Pick<Config, 'log'>,
  log: Logger,
): Watch {
  const stopping = new AbortController()
  const { signal } = stopping
  const running: Promise<void>[] = []
  const doors = openDoors(watching.policy.witnesses)
  const authority = tsaUrl === null ? null : openService(tsaUrl, { timeoutMs: 10_000, maxBytes: 256 * 1024 })

  /** A turn that fails is tried again with the next: nothing is lost but time. */
  async function again(everyMs: number, cell: Cell, turn: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      await turn().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, cell: cell.name }, 'checkpoints could not be shown; will try again')
      })
      await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  }

  return {
    start() {
      for (const cell of cells.all) {
        for (const door of doors) running.push(again(showEveryMs, cell, () => showToWitness(cell, door, log, signal)))
        if (authority) {
          running.push(again(stampEveryMs, cell, () => stampLogs(cell, authority, watching, log, signal)))
        }
      }
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await Promise.all([...doors.map(({ service }) => service.close()), authority?.close()])
    },
  }
}
