/** What the people who run the platform see of all centers: counts, names and alarms, and nothing that a center produced. */
import type { Cells } from '../../../data/cells.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { readBroken } from '../../../integrity/verify-queries.ts'
import { typedId } from '../../../lib/ids.ts'
import { centerCounts, centersPerCell, namesOfCenters, partnerRows } from './overview-queries.ts'

type Identity = <T>(work: (tx: IdentityTx) => Promise<T>, mode?: 'read' | 'write') => Promise<T>

const mostPartners = 200
const mostAlarms = 100

export async function readOverview(cells: Cells, identity: Identity) {
  const [up, broken] = await Promise.all([
    cells.up(),
    cells.ofEach((cell) => cell.asJobs((db) => readBroken(db, mostAlarms))),
  ])
  const centerIds = [...broken.values()].flat().map(({ center_id }) => center_id)
  const { counts, partners, perCell, names } = await identity(
    async (tx) => ({
      counts: await centerCounts(tx),
      partners: await partnerRows(tx, mostPartners),
      perCell: new Map((await centersPerCell(tx)).map(({ cell, centers }) => [cell, centers])),
      names: new Map((await namesOfCenters(tx, centerIds)).map((row) => [row.id, row])),
    }),
    'read',
  )
  return {
    centers: counts,
    partners: partners.map((row) => ({ ...row, id: typedId('partner', row.id) })),
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
      })),
    })),
  }
}
