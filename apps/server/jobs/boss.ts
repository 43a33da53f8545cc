/** pg-boss, in each cell beside the data that causes the jobs. */
import { type Job, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { sessionOptions } from '../data/pool.ts'
import type { QueueName } from './queues.ts'

/** `stop` is for long jobs: when it aborts, the job ends after its current step. */
export type JobHandler = (cell: string, data: never, stop: AbortSignal) => Promise<void>

export interface Jobs {
  /** Connects so that jobs can be sent; with handlers, also runs jobs. */
  start(
    work: null | { handlers: Record<QueueName, JobHandler>; schedules: Partial<Record<QueueName, string>> },
  ): Promise<void>
  /** Sends a job without waiting for it, at most one per center and queue. Never throws. */
  wake(cell: string, queue: QueueName, data: { centerId: number }): void
  stop(): Promise<void>
}

export function openJobs(config: Config, log: Logger): Jobs {
  const bosses = new Map<string, PgBoss>()
  const stopping = new AbortController()

  async function open(cell: string, url: string, working: boolean): Promise<PgBoss> {
    const boss = new PgBoss({
      connectionString: url,
      options: sessionOptions('cs_jobs'),
      application_name: 'countersign jobs',
      schema: 'pgboss',
      max: 2,
      // The schema belongs to its owner and is changed by `npm run db:migrate` only.
      migrate: false,
      createSchema: false,
      supervise: working,
      schedule: working,
      reindex: false,
    })
    boss.on('error', (error) => log.warn({ err: error, cell }, 'job engine'))
    await boss.start()
    bosses.set(cell, boss)
    return boss
  }

  return {
    async start(work) {
      for (const [cell, url] of config.cells) {
        const boss = await open(cell, url, work !== null)
        if (!work) continue
        for (const [queue, handler] of Object.entries(work.handlers)) {
          await boss.work(queue, { pollingIntervalSeconds: 1 }, async (jobs: Job<unknown>[]) => {
            for (const job of jobs) await run(queue, () => handler(cell, job.data as never, stopping.signal))
          })
        }
        for (const [queue, cron] of Object.entries(work.schedules)) await boss.schedule(queue, cron)
      }
    },
    wake(cell, queue, data) {
      bosses
        .get(cell)
        ?.send(queue, data, { singletonKey: String(data.centerId) })
        .catch((error: unknown) => log.warn({ err: error, queue }, 'job was not sent; its schedule will catch up'))
    },
    async stop() {
      stopping.abort()
      await Promise.all([...bosses.values()].map((boss) => boss.stop({ graceful: true, timeout: 5000 })))
      bosses.clear()
    },
  }

  async function run(queue: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.error({ err: error, queue }, 'job failed; it will be tried again')
      throw error
    }
  }
}
