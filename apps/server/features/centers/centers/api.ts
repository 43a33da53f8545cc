/** The API of this feature: a center as other features answer with it, and its moves. */
import type { Center } from '@countersign/contract/centers.ts'
import type { CenterStatus } from '@countersign/contract/enums.ts'
import { centerMoves, moveBetween, noMove } from '@countersign/contract/moves.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { Static } from 'typebox'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx, OperatorTx } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings, stillInherited } from '../../../verticals/defaults.ts'
import type { Settings } from '../../../verticals/vertical.ts'
import {
  type CenterRow,
  findCenter,
  lockCenterStatus,
  lockPlace,
  lockSandboxesOf,
  ownCenter,
  setCenterStatus,
  setPlace,
} from './queries.ts'

export { changeInheritedBranding } from './inherited-branding.ts'
export { activeInstructors, findCenter, type InstructorRow, ownCenter, renameCenter } from './queries.ts'
export type { CenterRow }

export const settingsOf = ({ vertical, settings, country, region }: CenterRow): Settings => ({
  ...completeSettings(vertical, settings),
  country,
  region,
  inherited: stillInherited(vertical, settings),
})

export const centerOf = (row: CenterRow): Static<typeof Center> => ({
  id: row.id,
  name: row.name,
  centerDomain: row.domain,
  tenantType: row.tenant_type,
  status: row.status,
  sandbox: isSandboxCenter(row.id),
  hasPartner: row.partner_id !== null,
  vertical: row.vertical,
  memberCount: row.member_count,
  settings: settingsOf(row),
})

export const readCenter = async (tx: DirectoryTx): Promise<Static<typeof Center>> => centerOf(await ownCenter(tx))

/** The center with this id or slug. */
export async function requireCenter(tx: OperatorTx, center: string) {
  const found = await findCenter(tx, center)
  if (!found) {
    throw new Problem('CENTER_NOT_FOUND', `No center matches "${center}". Send its ID or its exact subdomain.`)
  }
  return found
}

export interface Place {
  readonly country: string
  readonly region: string | null
}

/** Refuses a region of another country. */
export function requirePlace({ country, region }: Place): void {
  if (region === null || region.startsWith(`${country}-`)) return
  throw new Problem(
    'VALIDATION_ERROR',
    `"${region}" isn't a region of ${country}. Send a code that starts with "${country}-".`,
    { details: { reason: 'region', field: 'region' } },
  )
}

/** Changes what decides which policies apply, and audits both values. The caller checks authorization. */
export async function relocateCenter(
  tx: DirectoryTx | OperatorTx,
  centerId: number,
  change: { readonly country?: string; readonly region?: string | null },
): Promise<{ readonly from: Place; readonly to: Place }> {
  const from = await lockPlace(tx, centerId)
  if (!from) throw new Problem('CENTER_NOT_FOUND', `There's no center with the ID ${centerId}. Check the ID.`)
  const country = change.country ?? from.country
  const region = change.region === undefined ? (country === from.country ? from.region : null) : change.region
  const to = { country, region }
  requirePlace(to)
  if (from.country === country && from.region === region) return { from, to }
  await setPlace(tx, centerId, to)
  await audit(tx, {
    type: 'center.updated',
    action: 'relocate',
    target: { type: 'center', id: String(centerId) },
    details: { fromCountry: from.country, fromRegion: from.region, toCountry: country, toRegion: region },
    centerId,
  })
  return { from, to }
}

/** Of a center that its partner has suspended: from then on only the operator reinstates it. */
export async function imposeSuspension(tx: DirectoryTx, centerId: number, reason: string): Promise<void> {
  const center = await lockCenterStatus(tx, centerId)
  if (center?.suspended_by !== 'partner')
    throw new Problem('CONFLICT', noMove('center', centerMoves, 'SUSPENDED', 'SUSPENDED'), {
      details: { reason: 'centerStatus' },
    })
  await setCenterStatus(tx, centerId, 'SUSPENDED')
  await audit(tx, {
    ...{ type: 'center.updated', action: 'suspend', centerId },
    target: { type: 'center', id: String(centerId) },
    details: { from: 'SUSPENDED', to: 'SUSPENDED', reason },
  })
}

/**
 * One move of the table in packages/contract/moves.ts, with its audit entry; returns the previous state. A center that ends takes
 * its sandboxes along. The caller checks authorization. A process that serves requests forgets `center:<id>` after the commit; all others notice within a second.
 */
export async function moveCenter(
  tx: DirectoryTx | OperatorTx,
  centerId: number,
  to: CenterStatus,
  reason?: string,
): Promise<CenterStatus> {
  const center = await lockCenterStatus(tx, centerId)
  if (!center) throw new Problem('CENTER_NOT_FOUND', `There's no center with the ID ${centerId}. Check the ID.`)
  const { status: from } = center
  const move = moveBetween(centerMoves, from, to)
  if (!move)
    throw new Problem('CONFLICT', noMove('center', centerMoves, from, to), { details: { reason: 'centerStatus' } })
  await setCenterStatus(tx, centerId, to)
  await audit(tx, {
    type: 'center.updated',
    action: move,
    target: { type: 'center', id: String(centerId) },
    details: { from, to, ...(reason !== undefined && { reason }) },
    centerId,
  })
  // The caller holds the row of the center, which a new sandbox of it waits for.
  const sandboxes = to === 'INACTIVE' ? await lockSandboxesOf(tx, centerId) : []
  for (const { id } of sandboxes) await moveCenter(tx, id, to)
  return from
}
