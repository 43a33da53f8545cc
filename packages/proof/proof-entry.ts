/** Domain `proof`: a decision event, sealed by an approval, a refusal or the completion of an agent's decision. */
import type { Json } from './canonical.ts'
import { type Prepared, prepare } from './chain.ts'

export interface ProofEvent {
  readonly type: string
  readonly occurredAt: string
  readonly actor: { readonly id: string; readonly type: string; readonly name?: string | undefined }
  readonly action: {
    readonly type: string
    readonly description?: string | undefined
    readonly input?: Json | undefined
    readonly output?: Json | undefined
  }
  readonly aiContext?:
    | {
        readonly model?: string | undefined
        readonly provider?: string | undefined
        readonly confidence?: number | undefined
        readonly reasoning?: string | undefined
      }
    | undefined
  readonly tags?: readonly string[] | undefined
  /** Reason and risk, where an agent submitted them. */
  readonly reason?: string | undefined
  readonly riskScore?: number | undefined
}

export interface ProofApproval {
  readonly approver: { readonly id: string; readonly type: string; readonly name?: string | undefined }
  readonly result: string
  readonly reason?: string | undefined
  /** The id of the API key that submitted it. */
  readonly submittedBy?: string | undefined
}

/** A policy in force when the decision was sealed; the digest is SHA-256 over the canonical form of the policy. */
export interface AppliedPolicy {
  readonly id: string
  readonly version: number
  readonly digest: string
}

export interface ProofInput {
  /** Evidence id. */
  readonly id: string
  readonly decisionId: string
  readonly evidenceLevel: string
  readonly event: ProofEvent
  /** Absent when an agent's decision was completed without an approval. */
  readonly approval?: ProofApproval | undefined
  readonly priorApprovals?: Json | undefined
  readonly policies?: readonly AppliedPolicy[] | undefined
  /** The industry of the center when the decision was sealed. */
  readonly vertical?: string | undefined
}

/** Values that the chain holds only as commitments, by their paths in the export. */
export function proofValues({
  event,
  approval,
  priorApprovals,
  vertical,
}: Pick<ProofInput, 'event' | 'approval' | 'priorApprovals' | 'vertical'>): Record<string, Json> {
  const possible: Record<string, Json | undefined> = {
    'approval.approver.id': approval?.approver.id,
    'approval.approver.name': approval?.approver.name,
    'approval.reason': approval?.reason,
    'approval.submittedBy': approval?.submittedBy,
    'event.action.description': event.action.description,
    'event.action.input': event.action.input,
    'event.action.output': event.action.output,
    'event.actor.id': event.actor.id,
    'event.actor.name': event.actor.name,
    'event.aiContext.confidence': event.aiContext?.confidence,
    'event.aiContext.model': event.aiContext?.model,
    'event.aiContext.provider': event.aiContext?.provider,
    'event.aiContext.reasoning': event.aiContext?.reasoning,
    'event.reason': event.reason,
    'event.riskScore': event.riskScore,
    'event.tags': event.tags,
    priorApprovals,
    vertical,
  }
  const values: Record<string, Json> = {}
  for (const path of Object.keys(possible)) {
    const value = possible[path]
    if (value !== undefined) values[path] = value
  }
  return values
}

export function proofStatic(input: ProofInput, newSalt: () => string): Prepared {
  const { id, decisionId, evidenceLevel, event, approval, policies } = input
  return prepare(
    'proof',
    {
      id,
      decisionId,
      evidenceLevel,
      event: {
        type: event.type,
        occurredAt: event.occurredAt,
        actor: { type: event.actor.type },
        action: { type: event.action.type },
      },
      ...(policies !== undefined &&
        policies.length > 0 && { policies: policies.map(({ id, version, digest }) => ({ id, version, digest })) }),
    },
    proofValues(input),
    newSalt,
    approval && { approver: { type: approval.approver.type }, result: approval.result },
  )
}
