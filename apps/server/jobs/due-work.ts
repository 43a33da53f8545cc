/**
 * One look every two seconds and cell at what is due, for all kinds of work of the process. A worker that has nothing to do would
 * otherwise ask for each kind of lease and for each queue, several times a second.
 */
import type { Logger } from 'pino'
import { type Loop, loop, type Startable } from '../concurrency/loop.ts'
import type { Cell } from '../data/cells.ts'
import { now } from '../lib/clock.ts'
import { dueKinds, type WorkKind } from './queries.ts'

const lookEveryMs = 2000

export interface DueWork {
  /** While it is started, `wake` is called whenever work of this kind is due. */
  tell(cell: Cell, kind: WorkKind, wake: () => void): Startable
}

export function dueWork(log: Logger): DueWork {
  const looks = new Map<string, { readonly told: Map<() => void, WorkKind>; readonly looking: Loop }>()

  function look(cell: Cell, told: ReadonlyMap<() => void, WorkKind>): Loop {
    const turn = async () => {
      const due = new Set(await cell.asJobs((db) => dueKinds(db, now())))
      for (const [wake, kind] of told) if (due.has(kind)) wake()
    }
    const failure = 'due work is not looked for; workers look by themselves twice a minute'
    return loop({ everyMs: lookEveryMs, turn, log, failure, fields: { cell: cell.name } })
  }

  return {
    tell: (cell, kind, wake) => ({
      start() {
        let found = looks.get(cell.name)
        if (!found) {
          const told = new Map<() => void, WorkKind>()
          found = { told, looking: look(cell, told) }
          looks.set(cell.name, found)
          found.looking.start()
        }
        found.told.set(wake, kind)
      },
      async stop() {
        const found = looks.get(cell.name)
        if (!found?.told.delete(wake) || found.told.size > 0) return
        looks.delete(cell.name)
        await found.looking.stop()
      },
    }),
  }
}
