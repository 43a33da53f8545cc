/** pg-boss, in each cell beside the data that causes the jobs. */
import { type Job, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type Loop, loop, type Startable } from '../concurrency/loop.ts'
import type { Config } from '../config/config.ts'
import { type Cells, requireAdmitted } from '../data/cells.ts'
import { connectionOptions } from '../data/pool.ts'
import type { QueueName } from '../data/queues.ts'
import { isTransient } from '../data/transaction.ts'
import type { Metrics } from '../lib/metrics.ts'
import { Problem } from '../lib/problem.ts'
import type { Tracing } from '../lib/tracing.ts'
import type { DueWork } from './due-work.ts'
import type { WakeUps } from './wake-ups.ts'

/** `stop` is for long jobs: when it aborts, the job ends after its current step. */
export type JobHandler = (cell: string, data: never, stop: AbortSignal) => Promise<void>

interface Work {
  readonly handlers: Record<QueueName, JobHandler>
  readonly schedules: Partial<Record<QueueName, string>>
}

export interface Jobs {
  /** Connects so that jobs can be sent; with work, also runs jobs. A cell that is away is started when it answers. */
  start(work: null | Work): Promise<void>
  /** Connects to a cell that was added, so that jobs can be sent there. */
  add(cell: string, url: string): Promise<void>
  /** Sends a job without waiting for it, at most one per center and queue. Never throws. */
  wake(cell: string, queue: QueueName, data: { centerId: number }): void
  stop(): Promise<void>
}

const retryMs = 1000
/** A worker is notified of waiting jobs (due-work.ts), so it rarely needs to poll. */
const pollingIntervalSeconds = 600
/** What pg-boss does by itself: scheduled jobs begin up to this much later; flows of jobs are not used. */
const cronWorkerIntervalSeconds = 30
const flowIntervalSeconds = 600

interface JobsNeeds {
  readonly config: Config
  readonly cells: Pick<Cells, 'excluded' | 'of'>
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'jobEnded'>
  readonly tracing: Tracing
  readonly due: DueWork
  readonly wakeUps: Pick<WakeUps, 'wrote'>
}

export function openJobs({ config, cells, log, metrics, tracing, due, wakeUps }: JobsNeeds): Jobs {
  const bosses = new Map<string, PgBoss>()
  const waiting = new Set<Loop>()
  const dueListeners: Startable[] = []
  const stopping = new AbortController()

  function make(cell: string, url: string, working: boolean): PgBoss {
    const admit = () => requireAdmitted(cells.excluded, cell)
    const boss = new PgBoss({
      ...(connectionOptions({ url, role: 'cs_jobs', logins: config.logins, log, admit }) as object),
      application_name: 'countersign jobs',
      schema: 'pgboss',
      max: 2,
      // The schema belongs to its owner and is changed by `npm run db:migrate` only.
      migrate: false,
      createSchema: false,
      supervise: working,
      schedule: working,
      cronWorkerIntervalSeconds,
      flowIntervalSeconds,
      reindex: false,
    })
    boss.on('error', (error) => log.warn({ err: error, cell }, 'job engine'))
    return boss
  }

  async function open(cell: string, url: string, work: null | Work): Promise<void> {
    const boss = make(cell, url, work !== null)
    try {
      await boss.start()
      for (const [queue, handler] of Object.entries(work?.handlers ?? {})) {
        const worker = await boss.work(queue, { pollingIntervalSeconds }, async (jobs: Job<unknown>[]) => {
          for (const job of jobs) await run(cell, queue, () => handler(cell, job.data as never, stopping.signal))
        })
        const listener = due.tell(cells.of(cell), `job ${queue}`, () => boss.notifyWorker(worker))
        listener.start()
        dueListeners.push(listener)
      }
      for (const [queue, cron] of Object.entries(work?.schedules ?? {})) await boss.schedule(queue, cron)
      bosses.set(cell, boss)
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {})
      throw error
    }
  }

  function openLater(cell: string, url: string, work: null | Work): void {
    const failure = 'the job engine of a cell did not start; trying again every second'
    const opening = loop({
      everyMs: retryMs,
      async turn() {
        await open(cell, url, work)
        // Not awaited: it resolves when this turn has ended.
        void opening.stop()
      },
      log,
      failure,
      fields: { cell },
    })
    waiting.add(opening)
    opening.start()
  }

  return {
    async start(work) {
      await Promise.all(
        Array.from(config.cells, ([cell, url]) => {
          const given = config.workerCells.has(cell) ? work : null
          return open(cell, url, given).catch((error: unknown) => {
            if (!(error instanceof Problem || isTransient(error))) throw error
            openLater(cell, url, given)
          })
        }),
      )
    },
    add: (cell, url) => open(cell, url, null),
    wake(cell, queue, data) {
      bosses
        .get(cell)
        ?.send(queue, data, { singletonKey: String(data.centerId) })
        .then(() => wakeUps.wrote(cell))
        .catch((error: unknown) => log.warn({ err: error, queue }, 'job was not sent; its schedule will catch up'))
    },
    async stop() {
      stopping.abort()
      await Promise.all([...waiting, ...dueListeners].map((each) => each.stop()))
      await Promise.all([...bosses.values()].map((boss) => boss.stop({ graceful: true, timeout: 5000 })))
      bosses.clear()
    },
  }

  async function run(cell: string, queue: string, work: () => Promise<void>): Promise<void> {
    const span = tracing.start('internal', `job ${queue}`, { 'countersign.cell': cell })
    try {
      await work()
      span?.end()
      metrics.jobEnded(cell, queue, 'success')
    } catch (error) {
      span?.end({}, (error as Error).name)
      metrics.jobEnded(cell, queue, 'failure')
      log.error({ err: error, queue }, 'job failed; it will be tried again')
      throw error
    }
  }
}
