/** Evidence as answered: read from the verified proof, so that the two cannot differ. */
import type { getEvidence } from '@countersign/contract/evidence.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import { approvalsIn } from '@countersign/proof/decision-facts.ts'
import type { Receipt } from '../../../sealing/log-keys.ts'
import { type ExportConfig, exportOf, type StoredDpu } from '../dpu/api.ts'

type Evidence = PayloadOf<(typeof getEvidence)['spec'], 200>

export function evidenceOf(stored: StoredDpu, config: ExportConfig, receipt: Receipt | null): Evidence {
  const { evidence } = exportOf(stored, config)
  const {
    id,
    decisionId,
    status,
    evidenceLevel,
    actionDigest,
    actionSalt = null,
    event,
    approval = null,
    policies,
    chain,
    sealedAt,
    control,
  } = evidence as unknown as Evidence
  const prior = approvalsIn(evidence)
    .slice(0, -1)
    .map((given) => ({ ...given.approval, ...(given.control?.void !== undefined && { void: given.control.void }) }))
  return {
    id,
    decisionId,
    status,
    evidenceLevel,
    actionDigest,
    actionSalt,
    event,
    approval,
    ...(prior.length > 0 && { priorApprovals: prior }),
    ...(control && { control }),
    ...(policies && { policies }),
    chain,
    sealedAt,
    createdAt: new Date(stored.record.event?.created_at ?? sealedAt).toISOString(),
    receipt,
    ...(stored.redacted.length > 0 && { redacted: [...stored.redacted] }),
  }
}
