/**
 * The passkeys that wait for the partner or the operator: those of sole ADMINs. The directory says which may wait, and the cells
 * say which do.
 */
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { passkeysOf } from './center-queries.ts'
import { noteCounting, type SoleAdminKey, soleAdminKeys } from './confirmer-queries.ts'
import type { PasskeyRow } from './signed.ts'

/** Each takes a read of its cell. */
const most = 50

export interface WaitingKey extends SoleAdminKey {
  readonly row: PasskeyRow
}

export async function waitingOfSoleAdmins(
  { cells, directory }: { readonly cells: Cells; readonly directory: Directory },
  caller: Caller,
  viewer: { readonly actorId: string; readonly partnerId: string | null },
): Promise<readonly WaitingKey[]> {
  const sought = { viewer: viewer.actorId, partnerId: viewer.partnerId, most }
  const found = await directory.identity(caller, (tx) => soleAdminKeys(tx, sought), 'read')
  const rows = new Map<string, PasskeyRow>()
  const asked = [...Map.groupBy(found, ({ cell }) => cell)].map(async ([cell, keys]) => {
    for (const { center_id: centerId, actor_id: actorId } of keys) {
      const own = await cells.of(cell).inTenant({ ...caller, centerId }, (tx) => passkeysOf(tx, [actorId]), 'read')
      for (const row of own) rows.set(`${centerId} ${row.id}`, row)
    }
  })
  // A cell that is away hides its own centers and no other.
  await Promise.allSettled(asked)
  const read = found.flatMap((key) => {
    const row = rows.get(`${key.center_id} ${key.id}`)
    return row ? [{ ...key, row }] : []
  })
  const learnt = read.filter(({ row }) => row.counts)
  if (learnt.length > 0) await directory.identity(caller, (tx) => noteCounting(tx, learnt))
  return read.filter(({ row }) => !row.counts && !row.removed)
}
