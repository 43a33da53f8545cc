/** What the seal of a decision says of its lines, with the texts of the versions of policies that it names. */
import type { Admitted } from '@countersign/proof/control.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { appliedOf, ownLine } from '../../../governance/policies.ts'
import { digestOfPolicy } from '../../../governance/rules.ts'
import { typedId } from '../../../lib/ids.ts'
import type { SealedDecision } from '../decision-events/api.ts'
import { policyTexts, type StoredDpu } from '../dpu/api.ts'

interface Named {
  readonly id: string
  readonly version: number
  readonly digest: string
}

/** A text that is not the sealed one says nothing about who may confirm. */
export async function sealedDecision(tx: TenantTx, { proof, record }: StoredDpu): Promise<SealedDecision> {
  const { policies = [] } = JSON.parse(proof.content) as { policies?: readonly Named[] }
  const nameOf = ({ id, version, digest }: Named) => `${id} ${version} ${digest}`
  const named = new Set(policies.map(nameOf))
  const texts = (await policyTexts(tx, policies)).filter(
    (row) =>
      Boolean(row.policy) &&
      digestOfPolicy(row.policy) === row.digest &&
      named.has(nameOf({ ...row, id: typedId('policy', row.id) })),
  )
  const { control, prior_controls: prior } = record.dpu
  const given = [...(prior ?? []).filter((each) => each.void === undefined), ...(control ? [control] : [])]
  return {
    chainHash: proof.hash,
    sealedAt: proof.sealedAt,
    policies: [...texts.map(appliedOf), ...(named.has(nameOf(ownLine)) ? [ownLine] : [])],
    places: given.flatMap(({ admitted = [] }) => admitted.filter((each): each is Admitted => 'policyId' in each)),
    confirmBy: control?.emergency?.confirmBy ?? null,
  }
}
