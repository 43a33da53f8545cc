/** Policies in force by words of their name and description. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { reaches } from '../../../governance/policies.ts'
import { typedId } from '../../../lib/ids.ts'
import { standingPolicies } from '../policies/api.ts'
import { normalized } from './tokens.ts'

export async function policiesNamed(tx: TenantTx, centers: CenterProfiles, question: string, limit: number) {
  const center = await centers.profile(tx.caller.centerId as number)
  const words = normalized(question).split(/\s+/).filter(Boolean)
  return (await standingPolicies(tx))
    .map(({ id, policy }) => ({ id, body: JSON.parse(policy) as PolicyBody }))
    .filter(({ body }) => reaches(body as never, center))
    .filter(({ body }) => {
      const text = normalized(`${body.name} ${body.description ?? ''}`)
      return words.every((word) => text.includes(word))
    })
    .slice(0, limit)
    .map(({ id, body }) => ({ id: typedId('policy', id), name: body.name, active: body.active ?? true }))
}
