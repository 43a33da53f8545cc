/** What the people who run the platform see of all centers: counts, names and alarms, and nothing that a center produced. */
import type { Cells } from '../../../data/cells.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { readBroken } from '../../../integrity/verify-queries.ts'
import { readJobs } from '../../../jobs/standing.ts'
import type { Queues } from '../../../lib/metrics-scanned.ts'
import { acknowledgedInCell } from './alarm-queries.ts'
import { centerCounts, centersPerCell, countPartners, namesOfCenters } from './queries.ts'

type Identity = <T>(work: (tx: IdentityTx) => Promise<T>, mode?: 'read' | 'write') => Promise<T>

export interface OverviewNeeds {
  readonly cells: Cells
  readonly queues: Queues
}

const maxAlarms = 100

export async function readOverview({ cells, queues }: OverviewNeeds, identity: Identity) {
  const [up, broken, said, jobs, webhooks, executions] = await Promise.all([
    cells.up(),
    cells.ofEach((cell) => cell.asJobs((db) => readBroken(db, maxAlarms))),
    cells.ofEach((cell) => cell.asJobs(acknowledgedInCell)),
    cells.ofEach((cell) => cell.asJobs(readJobs)),
    queues.webhooks(),
    queues.executions(),
  ])
  const centerIds = [...broken.values()].flat().map(({ center_id }) => center_id)
  const { counts, partners, perCell, names } = await identity(
    async (tx) => ({
      counts: await centerCounts(tx),
      partners: await countPartners(tx, ''),
      perCell: new Map((await centersPerCell(tx)).map(({ cell, centers }) => [cell, centers])),
      names: new Map((await namesOfCenters(tx, centerIds)).map((row) => [row.id, row])),
    }),
    'read',
  )
  const queuesOf = (cell: string) => {
    const [sent, run] = [webhooks.get(cell), executions.get(cell)]
    if (!sent || !run) return null
    return {
      overdueDeliverySeconds: sent.overdueSeconds,
      heldDeliveries: sent.held,
      failingEndpoints: sent.openBreakers,
      runningExecutions: run.running,
      overdueExecutionSeconds: run.overdueSeconds,
    }
  }
  return {
    centers: counts,
    partners,
    cells: cells.all.map(({ name }) => ({
      name,
      up: up.get(name) ?? false,
      centers: perCell.get(name) ?? 0,
      alarms: (broken.get(name) ?? []).map(({ center_id: centerId, domain, broken_at }) => ({
        centerId,
        centerName: names.get(centerId)?.name ?? '',
        centerDomain: names.get(centerId)?.domain ?? '',
        domain,
        brokenAt: Math.max(0, broken_at),
        acknowledged: said.get(name)?.(centerId, domain) ?? null,
      })),
      queues: queuesOf(name),
      jobs: jobs.get(name) ?? [],
    })),
  }
}
