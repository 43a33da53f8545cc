/** The template with which a decision is shown. */
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { actionTypeInForce, findActionType, keyOfType, type StandingRow } from '../action-types/api.ts'

/** `read` is what was read with the decision; a type in another spelling is looked up by a second read. */
export async function templateOf(tx: TenantTx, centers: CenterProfiles, type: string, read?: StandingRow | null) {
  const { vertical } = await centers.profile(tx.caller.centerId as number)
  const key = keyOfType(type)
  const isRead = read !== undefined && key === type.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const inForce = actionTypeInForce(isRead ? read : await findActionType(tx, key), key, vertical)
  if (!inForce) return null
  const { createdAt: _, ...template } = inForce
  return template
}

export type Template = NonNullable<Awaited<ReturnType<typeof templateOf>>>
