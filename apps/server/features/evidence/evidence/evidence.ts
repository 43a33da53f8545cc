/** Evidence as answered: read from the verified proof, so that the two cannot differ. */
import type { getEvidence } from '@countersign/contract/evidence.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import type { Receipt } from '../../../sealing/receipt.ts'
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
    priorApprovals,
    policies,
    chain,
    sealedAt,
  } = evidence as unknown as Evidence
  return {
    id,
    decisionId,
    status,
    evidenceLevel,
    actionDigest,
    actionSalt,
    event,
    approval,
    ...(priorApprovals && { priorApprovals }),
    ...(policies && { policies }),
    chain,
    sealedAt,
    createdAt: new Date(stored.record.event?.created_at ?? sealedAt).toISOString(),
    receipt,
    ...(stored.redacted.length > 0 && { redacted: [...stored.redacted] }),
  }
}
