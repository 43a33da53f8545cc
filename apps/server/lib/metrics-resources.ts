/** Figures of one process: its version, connections, queues and jobs. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { nowMs } from './clock.ts'

interface PoolFigures {
  readonly pool: string
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

export interface ResourceSources {
  readonly version: string
  /** Null where no Redis is configured. */
  redisUp(): boolean | null
  /** By database: `directory`, or the name of a cell. */
  pools(): Iterable<readonly [string, readonly PoolFigures[]]>
  /** The key that signs checkpoints, and whether it was stolen, so that the process signs nothing. */
  logKey(): { readonly vkey: string; readonly refuses: boolean }
  /** Milliseconds that the clock is ahead of the directory's; null before it was measured. */
  clockSkewMs(): number | null
  /** By database: settings that let it lose what it acknowledged. */
  durabilityFaults(): ReadonlyMap<string, number>
  /** By cell. */
  fences(): Iterable<readonly [string, { readonly refuses: boolean; readonly failures: number }]>
}

/** Calls of a queue that commits in batches; see concurrency/group-commit.ts. */
interface BatchWatch {
  opened(depth: () => number): void
  committed(batch: { readonly items: number; readonly oldestWaitMs: number; readonly ms: number }): void
}

export interface ResourceMetrics {
  batches(queue: 'seals' | 'events', cell: string): BatchWatch
  jobEnded(cell: string, job: string, outcome: 'success' | 'failure'): void
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export function resourceMetrics(registry: Registry, sources: ResourceSources): ResourceMetrics {
  const registers = [registry]
  const labelNames = ['queue', 'cell']
  new Gauge({
    name: 'countersign_build_info',
    help: '1, with the version of Countersign and of Node',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: sources.version, node: process.versions.node }, 1)
  new Gauge({
    name: 'countersign_redis_up',
    help: '1 if Redis answers this process, 0 while the process counts on its own; absent without REDIS_URL',
    registers,
    collect() {
      const up = sources.redisUp()
      if (up === null) this.remove()
      else this.set(up ? 1 : 0)
    },
  })
  new Gauge({
    name: 'countersign_pool_connections',
    help: 'Database connections of this process, by database, pool and state: used or idle',
    labelNames: ['database', 'pool', 'state'],
    registers,
    collect() {
      for (const [database, pools] of sources.pools()) {
        for (const { pool, used, idle, waiting } of pools) {
          this.set({ database, pool, state: 'used' }, used)
          this.set({ database, pool, state: 'idle' }, idle)
          waitingCallers.set({ database, pool }, waiting)
        }
      }
    },
  })
  // Set by the collection of the gauge above, which is registered first.
  const waitingCallers = new Gauge({
    name: 'countersign_pool_waiting',
    help: 'Callers that wait for a database connection',
    labelNames: ['database', 'pool'],
    registers,
  })
  new Gauge({
    name: 'countersign_log_key_info',
    help: '1, with the ID of the key that this process signs checkpoints with',
    labelNames: ['key'],
    registers,
    collect() {
      this.reset()
      // `<host>+<id>+<key>`: the id is what operators compare.
      this.set({ key: sources.logKey().vkey.split('+')[1] ?? '' }, 1)
    },
  })
  new Gauge({
    name: 'countersign_log_key_refused',
    help: '1 if the key of this process was stolen, so that it signs nothing until it has the new key file',
    registers,
    collect() {
      this.set(sources.logKey().refuses ? 1 : 0)
    },
  })
  new Gauge({
    name: 'countersign_clock_skew_seconds',
    help: 'How far the clock of this process is ahead of that of the directory; beyond 30 either way it changes nothing',
    registers,
    collect() {
      const skew = sources.clockSkewMs()
      if (skew === null) this.remove()
      else this.set(skew / 1000)
    },
  })
  new Gauge({
    name: 'countersign_durability_faults',
    help: 'Settings of a database that let it lose what it has acknowledged; absent with DURABILITY=off',
    labelNames: ['database'],
    registers,
    collect() {
      for (const [database, count] of sources.durabilityFaults()) this.set({ database }, count)
    },
  })
  new Gauge({
    name: 'countersign_fence_refuses',
    help: '1 if the fence has refused the database of the cell within the last minute',
    labelNames: ['cell'],
    registers,
    collect() {
      for (const [cell, { refuses }] of sources.fences()) this.set({ cell }, refuses ? 1 : 0)
    },
  })
  const storeFailures = new Counter({
    name: 'countersign_store_failures_total',
    help: 'Calls of the fence store that failed or took too long',
    labelNames: ['cell'],
    registers,
    collect() {
      this.reset()
      for (const [cell, { failures }] of sources.fences()) storeFailures.inc({ cell }, failures)
    },
  })
  const depths = new Map<string, () => number>()
  new Gauge({
    name: 'countersign_queue_depth',
    help: 'Items that wait for a batch or are in one: seals, and events to record',
    labelNames,
    registers,
    collect() {
      for (const [name, depth] of depths) {
        const [queue = '', cell = ''] = name.split(' ')
        this.set({ queue, cell }, depth())
      }
    },
  })
  const items = new Counter({
    name: 'countersign_batch_items_total',
    help: 'Items that batches have committed, by queue',
    labelNames,
    registers,
  })
  const sizes = new Histogram({
    name: 'countersign_batch_size',
    help: 'Items of a batch',
    labelNames,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  const waits = new Histogram({
    name: 'countersign_batch_wait_seconds',
    help: 'How long the oldest item of a batch has waited for it',
    labelNames,
    buckets: seconds,
    registers,
  })
  const commits = new Histogram({
    name: 'countersign_batch_commit_seconds',
    help: 'Time from the start of a batch to the answers to its callers',
    labelNames,
    buckets: seconds,
    registers,
  })
  const succeeded = new Gauge({
    name: 'countersign_job_last_success_timestamp_seconds',
    help: 'When this process last completed the job, in seconds since 1970; take the largest of all processes',
    labelNames: ['job_name', 'cell'],
    registers,
  })
  const jobs = new Counter({
    name: 'countersign_jobs_total',
    help: 'Runs of jobs that ended in this process, by outcome: success or failure',
    labelNames: ['job_name', 'cell', 'outcome'],
    registers,
  })
  return {
    batches(queue, cell) {
      const labels = { queue, cell }
      return {
        opened: (depth) => depths.set(`${queue} ${cell}`, depth),
        committed({ items: count, oldestWaitMs, ms }) {
          items.inc(labels, count)
          sizes.observe(labels, count)
          waits.observe(labels, oldestWaitMs / 1000)
          commits.observe(labels, ms / 1000)
        },
      }
    },
    // Not `job`: Prometheus renames a label of that name, which is its own.
    jobEnded(cell, job_name, outcome) {
      jobs.inc({ job_name, cell, outcome })
      if (outcome === 'success') succeeded.set({ job_name, cell }, nowMs() / 1000)
    },
  }
}
