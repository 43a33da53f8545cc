/** What a sealed decision says to the gateway that asked: read from the proof that is sent with it, so that the two can't differ. */
import { approvalOutcomes } from '@countersign/contract/webhook-events.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { anchoredExport, brokenRecord, type ExportNeeds, findWhole } from '../dpu/api.ts'

interface Shown {
  readonly approval?: {
    readonly result: 'approved' | 'rejected'
    readonly reason?: string
    readonly approver: { readonly id?: string }
    readonly identity: { readonly level: string }
  }
  readonly control?: { readonly usableUntil?: string }
}

/** The hashed text is included: a verifier needs no layout of the entry to compare the hash. */
export async function verdictOf(tx: TenantTx, needs: ExportNeeds, eventId: string) {
  const stored = await findWhole(tx, eventId, needs.config)
  if (!stored) throw brokenRecord('its entry is missing')
  const proof = await anchoredExport(tx, needs, stored, true)
  const { approval, control } = proof.evidence as Shown
  if (!approval) throw brokenRecord('it is sealed without an approval')
  const { result, reason = '', approver, identity } = approval
  const approved = result === 'approved'
  const own = identity.level === 'system' ? approvalOutcomes.find((each) => each === reason) : undefined
  return {
    status: approved ? ('approved' as const) : (own ?? ('refused' as const)),
    approved,
    approver: approver.id ?? null,
    reason,
    usable_until: (approved && control?.usableUntil) || null,
    proof,
  }
}
