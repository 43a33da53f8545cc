/**
 * One look and cell at what is due, for all kinds of work of the process: as soon as a process has written to the cell, every two
 * seconds while something becomes due soon, and otherwise every ten. A worker that has nothing to do would otherwise ask for each kind
 * of lease and for each queue, several times a second.
 */
import type { Logger } from 'pino'
import { type Loop, loop, type Startable } from '../concurrency/loop.ts'
import { type Spaced, spaced } from '../concurrency/spaced.ts'
import type { Cell } from '../data/cells.ts'
import { now, secondsFromNow } from '../lib/clock.ts'
import { dueKinds, type WorkKind } from './queries.ts'
import { spacingMs, type WakeUps } from './wake-ups.ts'

const lookEveryMs = 2000
/** While nothing becomes due by itself, and the worker hears of what others write. */
const restMs = 10_000

export interface DueWork {
  /** While it is started, `wake` is called whenever work of this kind is due. */
  tell(cell: Cell, kind: WorkKind, wake: () => void): Startable
}

interface Look {
  readonly told: Map<() => void, WorkKind>
  readonly looking: Loop
  /** Many processes may write at the same time. */
  readonly early: Spaced
}

export function dueWork(log: Logger, wakeUps: Pick<WakeUps, 'listen' | 'heard'>): DueWork {
  const looks = new Map<string, Look>()
  let listening = false

  function look(cell: Cell, told: ReadonlyMap<() => void, WorkKind>): Loop {
    let isQuiet = false
    const turn = async () => {
      const { due, soon } = await cell.asJobs((db) => dueKinds(db, now(), secondsFromNow(restMs / 1000)))
      for (const [wake, kind] of told) if (due.has(kind)) wake()
      isQuiet = !soon
    }
    const everyMs = () => (isQuiet && wakeUps.heard() ? restMs : lookEveryMs)
    const failure = 'due work is not looked for; workers look by themselves twice a minute'
    return loop({ everyMs, turn, log, failure, fields: { cell: cell.name } })
  }

  function open(cell: Cell): Look {
    const told = new Map<() => void, WorkKind>()
    const looking = look(cell, told)
    const opened = { told, looking, early: spaced(spacingMs, looking.wake) }
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
        found.told.set(wake, kind)
      },
      async stop() {
        const found = looks.get(cell.name)
        if (!found?.told.delete(wake) || found.told.size > 0) return
        looks.delete(cell.name)
        found.early.stop()
        await found.looking.stop()
      },
    }),
  }
}
