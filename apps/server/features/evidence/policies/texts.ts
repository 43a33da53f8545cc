/** The texts of the policies that a seal names, exactly as they were digested. */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import type { NamedPolicy } from '@countersign/proof/policy-text.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { ownLine } from '../../../governance/policies.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { versionTexts } from './queries.ts'

/** Each once. The line of the service itself is in no table. */
export async function policyTexts(tx: TenantTx, policies: readonly NamedPolicy[]): Promise<readonly string[]> {
  const stored = policies.flatMap(({ id, version }) => {
    const uuid = uuidOf('policy', id)
    return uuid === null ? [] : [{ id: uuid, version }]
  })
  const own = policies.some(({ id }) => id === ownLine.id) ? [canonical(ownLine.body as unknown as Json)] : []
  return [...new Set([...own, ...(stored.length > 0 ? await versionTexts(tx, stored) : [])])]
}
