/**
 * One query per cell for everything that is due, of all kinds of work: right after a process has written to the cell, every two
 * seconds while something becomes due soon, and otherwise every ten. Without it, an idle worker would query for each kind of lease
 * and for each queue, several times a second.
 */
import type { Logger } from 'pino'
import { type Loop, loop, type Startable } from '../concurrency/loop.ts'
import { type Spaced, spaced } from '../concurrency/spaced.ts'
import type { Cell } from '../data/cells.ts'
import { now, secondsFromNow } from '../lib/clock.ts'
import { dueKinds, type WorkKind } from './queries.ts'
import { spacingMs, type WakeUps } from './wake-ups.ts'

const lookEveryMs = 2000
/** While nothing becomes due by time, and the worker is notified of what others write. */
const restMs = 10_000

export interface DueWork {
  /** While it is started, `wake` is called whenever work of this kind is due. */
  tell(cell: Cell, kind: WorkKind, wake: () => void): Startable
}

interface Look {
  readonly listeners: Map<() => void, WorkKind>
  readonly looking: Loop
  /** Many processes may write at the same time. */
  readonly early: Spaced
}

export function dueWork(log: Logger, wakeUps: Pick<WakeUps, 'listen' | 'heard'>): DueWork {
  const looks = new Map<string, Look>()
  let listening = false

  function look(cell: Cell, listeners: ReadonlyMap<() => void, WorkKind>): Loop {
    let isQuiet = false
    const turn = async () => {
      const { due, soon } = await cell.asJobs((db) => dueKinds(db, now(), secondsFromNow(restMs / 1000)))
      for (const [wake, kind] of listeners) if (due.has(kind)) wake()
      isQuiet = !soon
    }
    const everyMs = () => (isQuiet && wakeUps.heard() ? restMs : lookEveryMs)
    const failure = 'due work is not looked for; workers look by themselves twice a minute'
    return loop({ everyMs, turn, log, failure, fields: { cell: cell.name } })
  }

  function open(cell: Cell): Look {
    const listeners = new Map<() => void, WorkKind>()
    const looking = look(cell, listeners)
    const opened = { listeners, looking, early: spaced(spacingMs, looking.wake) }
    looks.set(cell.name, opened)
    looking.start()
    return opened
  }

  return {
    tell: (cell, kind, wake) => ({
      start() {
        if (!listening) wakeUps.listen((name) => looks.get(name)?.early.ask())
        listening = true
        const found = looks.get(cell.name) ?? open(cell)
        found.listeners.set(wake, kind)
      },
      async stop() {
        const found = looks.get(cell.name)
        if (!found?.listeners.delete(wake) || found.listeners.size > 0) return
        looks.delete(cell.name)
        found.early.stop()
        await found.looking.stop()
      },
    }),
  }
}
