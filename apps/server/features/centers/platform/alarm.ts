/** The place at which a chain is broken: hashes of two entries and verdicts, and nothing that the entries say. */
import type { getAlarm } from '@countersign/contract/console-operator.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Context } from '../../../http/route.ts'
import { readChecks, readHeads } from '../../../integrity/verify-queries.ts'
import { Problem } from '../../../lib/problem.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { acknowledgedIn } from './alarm-queries.ts'
import { type HashRow, hashesAt, namesOfCenters } from './queries.ts'

export interface AlarmNeeds {
  readonly cells: Cells
  readonly logBook: LogBook
}

export const noAlarm = () =>
  new Problem('NOT_FOUND', "This chain isn't marked as broken. The list of alarms shows the chains that are.")

const shownEntry = ({ idx, hash, previous_hash, computed, sealed_at }: HashRow) => ({
  index: idx,
  hash,
  previousHash: previous_hash,
  computedHash: computed,
  sealedAt: sealed_at,
})

export async function readAlarm(
  { cells, logBook }: AlarmNeeds,
  { params, principal, requestId, identity }: Context<typeof getAlarm.spec>,
) {
  const { centerId, domain } = params
  const [center] = await identity((tx) => namesOfCenters(tx, [centerId]), 'read')
  if (!center) throw noAlarm()
  const caller = { requestId, actorId: principal.actorId, centerId }
  return cells.of(center.cell).inTenant(
    caller,
    async (tx) => {
      const head = (await readHeads(tx)).find((each) => each.domain === domain)
      if (head?.broken_at == null) throw noAlarm()
      const brokenAt = Math.max(0, head.broken_at)
      const [checks, entries] = [await readChecks(tx), await hashesAt(tx, domain, brokenAt)]
      const at = (index: number) => {
        const found = entries.find(({ idx }) => idx === index)
        return found ? shownEntry(found) : null
      }
      return {
        centerId,
        centerName: center.name,
        centerDomain: center.domain,
        domain,
        brokenAt,
        acknowledged: await acknowledgedIn(tx, domain),
        cell: center.cell,
        log: logBook.nameOf({ center_id: centerId, domain, generation: Math.max(1, head.generation) }),
        length: Math.max(0, head.next_index),
        checks: checks.filter((each) => each.domain === domain),
        before: at(brokenAt - 1),
        entry: at(brokenAt),
      }
    },
    'read',
  )
}
