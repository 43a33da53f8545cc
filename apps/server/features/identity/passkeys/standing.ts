/** How the passkeys of a person stand in the center that they are in, and who can confirm those that do not count. */
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { passkeysOf } from './center-queries.ts'
import { aroundMember, noteCounting } from './confirmer-queries.ts'
import { confirmersAmong, mayApproveAs } from './confirmers.ts'
import { livePasskeys } from './queries.ts'

export async function standingOf(
  { cells, directory }: { readonly cells: Cells; readonly directory: Directory },
  { actorId, entered }: MemberPrincipal,
  caller: Caller,
) {
  const rows = await cells.of(entered.cell).inTenant(caller, (tx) => passkeysOf(tx, [actorId]), 'read')
  const known = new Map(rows.map((row) => [row.id, row]))
  const { live, around } = await directory.identity(
    caller,
    async (tx) => ({
      live: await livePasskeys(tx, actorId),
      around: await aroundMember(tx, caller.centerId, actorId),
    }),
    'read',
  )
  const counting = rows.filter(({ counts, removed }) => counts && !removed)
  if (counting.length > 0) await directory.identity(caller, (tx) => noteCounting(tx, counting))
  const waiting = live.filter(({ id }) => known.get(id)?.counts !== true)
  const isAsked = waiting.length > 0 && around !== undefined && mayApproveAs(entered.role)
  const { by, names } = isAsked ? confirmersAmong(around) : { by: null, names: [] }
  return {
    counts: live.some(({ id }) => known.get(id)?.counts === true),
    waiting: waiting.map(({ id, thumbprint, created_at }) => ({
      id: typedId('passkey', id),
      thumbprint,
      createdAt: created_at.toISOString(),
    })),
    confirmers: by === null ? null : { by, names: [...names] },
  }
}
