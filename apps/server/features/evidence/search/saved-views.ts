/** Searches that members have named. An owner's are theirs alone; those without an owner are the center's, and only ADMINs change them. */
import type { BodyOf, PayloadOf } from '@countersign/contract/operation.ts'
import { type listViews, mostViewBytes, type putView } from '@countersign/contract/saved-views.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { deleteOwnNamesake, lockView, removeView, upsertView, type ViewRow, viewsFor } from './saved-view-queries.ts'

type NewView = BodyOf<(typeof putView)['spec']>
type SavedView = PayloadOf<(typeof listViews)['spec'], 200>[number]
type Row = ViewRow<SavedView['filters']>

export interface ViewUser {
  readonly actorId: string
  readonly entered: { readonly roles: readonly string[] }
}

const shown = ({ id, owner_id, name, filters, updated_at }: Row): SavedView => ({
  id: typedId('savedView', id),
  name,
  filters,
  shared: owner_id === null,
  updatedAt: updated_at.toISOString(),
})

const requireAdmin = ({ entered }: ViewUser): void => {
  if (entered.roles.includes('ADMIN')) return
  throw new Problem('FORBIDDEN', 'Only an ADMIN of the center can change views that its staff shares.', {
    details: { reason: 'sharedViews' },
  })
}

const noteShared = (tx: DirectoryTx, action: 'view_shared' | 'view_changed' | 'view_removed', name: string) =>
  audit(tx, {
    type: 'settings.updated',
    action,
    target: { type: 'center', id: String(tx.caller.centerId) },
    details: { name },
  })

const tooMany = () =>
  new Problem('CONFLICT', 'There are already 50 saved views here. Delete one that nobody needs, then save again.', {
    details: { reason: 'maxViews' },
  })

export const viewsListed = async (tx: DirectoryTx, { actorId }: ViewUser): Promise<SavedView[]> =>
  (await viewsFor<SavedView['filters']>(tx, actorId)).map(shown)

export async function saveView(tx: DirectoryTx, user: ViewUser, view: NewView): Promise<SavedView> {
  const { filters, shared = false } = view
  if (shared) requireAdmin(user)
  // Invisible characters alone are no name, in the database either.
  const name = view.name.trim().replaceAll(/\s+/g, ' ')
  if (name.replaceAll(/[\p{Cf}\s]/gu, '') === '') {
    throw new Problem('VALIDATION_ERROR', '"name" has no visible character. Send a name that people can read.', {
      details: { reason: 'blank', field: 'name' },
    })
  }
  if (Buffer.byteLength(JSON.stringify(filters)) > mostViewBytes) {
    throw new Problem('VALIDATION_ERROR', '"filters" are longer than 2 KB as JSON. Send shorter ones.', {
      details: { reason: 'longFilters', field: 'filters' },
    })
  }
  const owner_id = shared ? null : user.actorId
  const row = await upsertView(tx, { id: newUuid(), owner_id, name, filters }).catch(
    meaning({ saved_views_limit: tooMany }),
  )
  if (shared) {
    await deleteOwnNamesake(tx, row.id, user.actorId)
    await noteShared(tx, row.isNew ? 'view_shared' : 'view_changed', name)
  }
  return shown(row)
}

export async function deleteView(tx: DirectoryTx, user: ViewUser, id: string): Promise<void> {
  const uuid = uuidOf('savedView', id)
  const view = uuid === null ? undefined : await lockView(tx, uuid, user.actorId)
  if (uuid === null || !view) {
    throw new Problem(
      'NOT_FOUND',
      'There is no view with this ID among yours and the shared ones. List them to find it.',
    )
  }
  if (view.owner_id === null) {
    requireAdmin(user)
    await noteShared(tx, 'view_removed', view.name)
  }
  await removeView(tx, uuid)
}
