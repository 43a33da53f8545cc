/** What waits for a partner in its centers, the oldest first. Passkeys, chains and stops have lists of their own. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import type { Cells } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { statedCenters } from './integrity-queries.ts'
import { centerTasks, directoryTasks, membersOfTasks, type Task } from './tasks-queries.ts'

const maxCenters = 1000
const maxOfKind = 100

export async function readTasks(cells: Cells, tx: PartnerTx) {
  const at = now()
  const centers = await statedCenters(tx, maxCenters)
  const tasks: Task[] = await directoryTasks(tx, maxOfKind)
  const homes = Map.groupBy(
    centers.filter(({ status }) => status === 'ACTIVE'),
    ({ cell }) => cell,
  )
  const asked = [...homes].map(async ([cell, residents]) => {
    const ids = residents.map(({ id }) => id)
    tasks.push(...(await cells.of(cell).asCenters(tx.caller, ids, (own) => centerTasks(own, ids, at, maxOfKind))))
  })
  // A cell that is away hides no task elsewhere; its centers are named as unreachable beside their chains.
  await Promise.allSettled(asked)
  const roles = tasks.flatMap(({ kind, about }) => (kind === 'ROLE' && about ? [about] : []))
  const members = new Map((roles.length > 0 ? await membersOfTasks(tx, roles) : []).map((row) => [row.id, row]))
  const names = new Map(centers.map(({ id, name }) => [id, name]))
  return tasks
    .sort((a, b) => +a.since - +b.since)
    .flatMap(({ kind, center_id: centerId, about, since }) => {
      const member = kind === 'ROLE' ? members.get(about ?? '') : undefined
      if (kind === 'ROLE' && !member) return []
      return [
        {
          kind,
          centerId,
          centerName: centerId === null ? null : (names.get(centerId) ?? null),
          since: since.toISOString(),
          membershipId: member ? typedId('membership', member.id) : null,
          memberName: member?.name ?? null,
          role: (member?.role as ActorRole | undefined) ?? null,
          eventId: kind === 'EMERGENCY' && about ? typedId('decisionEvent', about) : null,
          domain: kind === 'DOMAIN' ? about : null,
        },
      ]
    })
}
