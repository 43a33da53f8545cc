/** How the passkeys of a person stand in the center that they are in, and who can confirm those that do not count. */

import type { MemberPrincipal } from '../../../access/principal.ts'
import { familyOf } from '../../../access/queries.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { passkeysOf, unconfirmedPasskeys } from './center-queries.ts'
import { aroundMember, noteCounting } from './confirmer-queries.ts'
import { confirmersAmong, mayApproveAs } from './confirmers.ts'
import { approversOf } from './member-queries.ts'
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

const mostCounted = 100

/** For the first lines of a page: one's own keys while none of them counts, and those of others that one can confirm. */
export async function waitingPasskeys(
  tx: TenantTx,
  { directory }: { readonly directory: Directory },
  { actorId, entered }: MemberPrincipal,
) {
  const { caller } = tx
  const isAdmin = entered.roles.includes('ADMIN')
  const { live, around, own, people } = await directory.identity(
    caller,
    async (identity) => ({
      live: await livePasskeys(identity, actorId),
      around: await aroundMember(identity, caller.centerId, actorId),
      own: await familyOf(identity, actorId),
      people: isAdmin ? await approversOf(identity, caller.centerId) : new Map<string, unknown>(),
    }),
    'read',
  )
  const rows = await passkeysOf(tx, [actorId])
  const counting = new Set(rows.filter(({ counts, removed }) => counts && !removed).map(({ id }) => id))
  const counts = live.some(({ id }) => counting.has(id))
  const waiting = counts ? 0 : live.length
  const { by, names } = waiting > 0 && around ? confirmersAmong(around) : { by: null, names: [] }
  const others = [...people.keys()].filter((id) => !own.includes(id))
  const toConfirm = others.length === 0 ? [] : await unconfirmedPasskeys(tx, others, mostCounted)
  return { waiting, confirmers: by === null ? null : { by, names: [...names] }, toConfirm: toConfirm.length }
}
