/** Domain `proof`: a decision event, sealed by an approval, a refusal or the completion of an agent's decision. */
import type { Json } from './canonical.ts'
import { type Prepared, prepare } from './chain.ts'
import { commit } from './commitment.ts'
import { type Control, type PriorApproval, priorName } from './control.ts'
import type { AnyApprovalStatement, AppliedPolicy } from './passkey-statement.ts'

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
        readonly modelVersion?: string | undefined
        readonly agentVersion?: string | undefined
        readonly toolCallId?: string | undefined
        readonly traceId?: string | undefined
        readonly spanId?: string | undefined
        readonly promptDigest?: string | undefined
      }
    | undefined
  readonly tags?: readonly string[] | undefined
  /** Reason and risk, where the caller submitted them. */
  readonly reason?: string | undefined
  readonly riskScore?: number | undefined
  /** The id of the API key that recorded it. */
  readonly recordedBy?: string | undefined
  /** The id of the decision event that this one replaces. */
  readonly replaces?: string | undefined
}

/** How sure the server is of the approver; docs/formats/dpu-chain-v1.md says what each level proves. */
export const identityLevels = ['claim', 'session', 'passkey', 'system'] as const
export type IdentityLevel = (typeof identityLevels)[number]

export interface ProofApproval {
  readonly approver: { readonly id: string; readonly type: string; readonly name?: string | undefined }
  readonly result: string
  readonly reason?: string | undefined
  /** The id of the API key or of the member that submitted it. */
  readonly submittedBy?: string | undefined
  /** `by`: the id of the API key or of the member that vouches for the approver. */
  readonly identity: { readonly level: IdentityLevel; readonly by?: string | undefined }
  readonly channel?: string | undefined
  /** When the approver opened the decision, and when the server received the answer, by the clock of the server. */
  readonly openedAt?: string | undefined
  readonly decidedAt?: string | undefined
  /** The member whose deputy approved. */
  readonly onBehalfOf?: string | undefined
  /** With the level `passkey` only. Records of 0.1.0 have the statement here, later ones beside the approval. */
  readonly passkey?: (SignedByPasskey & { readonly statement?: AnyApprovalStatement | undefined }) | undefined
  /** The salt of the statement's `reasonDigest`; deleted with the reason. */
  readonly reasonSalt?: string | undefined
}

/** The assertion of a passkey as received, and where the history binds its key to the approver. */
export interface SignedByPasskey {
  /** The hash of the newest history entry about the key when the approval was judged. */
  readonly binding: string
  /** The number of history entries before the batch of the approval; a removal among them makes it invalid. */
  readonly historySize: number
  readonly authenticatorData: string
  readonly clientDataJSON: string
  readonly signature: string
}

export interface ProofInput {
  /** Evidence id. */
  readonly id: string
  readonly decisionId: string
  readonly evidenceLevel: string
  readonly event: ProofEvent
  /** Absent when an agent's decision was completed without an approval. */
  readonly approval?: ProofApproval | undefined
  /** Of records of 0.1.0 only. */
  readonly priorApprovals?: Json | undefined
  /** The earlier approvals, oldest first; null where one is redacted. */
  readonly prior?: readonly (PriorApproval | null)[] | undefined
  readonly control?: Control | undefined
  /** What a passkey signed; deleted when the person whom it names is redacted. */
  readonly statement?: AnyApprovalStatement | undefined
  readonly policies?: readonly AppliedPolicy[] | undefined
  /** The industry, country and region of the center when the decision was sealed. */
  readonly vertical?: string | undefined
  readonly country?: string | undefined
  readonly region?: string | undefined
  readonly actionDigest: string
  /** Deleted with the first of the values that `actionDigest` covers. */
  readonly actionSalt?: string | undefined
}

type CommittedInput = Pick<
  ProofInput,
  | 'event'
  | 'approval'
  | 'priorApprovals'
  | 'prior'
  | 'control'
  | 'statement'
  | 'vertical'
  | 'country'
  | 'region'
  | 'actionSalt'
>

/** Values that the chain holds only as commitments, by their paths in the export. */
export function proofValues({
  event,
  approval,
  priorApprovals,
  prior = [],
  control,
  statement,
  vertical,
  country,
  region,
  actionSalt,
}: CommittedInput): Record<string, Json> {
  const ai = event.aiContext
  const possible: Record<string, Json | undefined> = {
    actionSalt,
    'approval.approver.id': approval?.approver.id,
    'approval.approver.name': approval?.approver.name,
    'approval.identity.by': approval?.identity.by,
    'approval.onBehalfOf': approval?.onBehalfOf,
    'approval.passkey.statement': approval?.passkey?.statement as Json | undefined,
    'approval.reason': approval?.reason,
    'approval.reasonSalt': approval?.reasonSalt,
    'approval.submittedBy': approval?.submittedBy,
    'event.action.description': event.action.description,
    'event.action.input': event.action.input,
    'event.action.output': event.action.output,
    'event.actor.id': event.actor.id,
    'event.actor.name': event.actor.name,
    'event.aiContext.agentVersion': ai?.agentVersion,
    'event.aiContext.confidence': ai?.confidence,
    'event.aiContext.model': ai?.model,
    'event.aiContext.modelVersion': ai?.modelVersion,
    'event.aiContext.promptDigest': ai?.promptDigest,
    'event.aiContext.provider': ai?.provider,
    'event.aiContext.reasoning': ai?.reasoning,
    'event.aiContext.spanId': ai?.spanId,
    'event.aiContext.toolCallId': ai?.toolCallId,
    'event.aiContext.traceId': ai?.traceId,
    'event.reason': event.reason,
    'event.recordedBy': event.recordedBy,
    'event.riskScore': event.riskScore,
    'event.tags': event.tags,
    control: control as Json | undefined,
    country,
    ...Object.fromEntries(
      prior.map((each, position) => [priorName(position), (each ?? undefined) as Json | undefined]),
    ),
    priorApprovals,
    region,
    statement: statement as Json | undefined,
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
  const { id, decisionId, evidenceLevel, event, approval, policies, actionDigest } = input
  return prepare(
    'proof',
    {
      actionDigest,
      id,
      decisionId,
      evidenceLevel,
      event: {
        type: event.type,
        occurredAt: event.occurredAt,
        actor: { type: event.actor.type },
        action: { type: event.action.type },
        ...(event.replaces !== undefined && { replaces: event.replaces }),
      },
      ...(policies !== undefined &&
        policies.length > 0 && { policies: policies.map(({ id, version, digest }) => ({ id, version, digest })) }),
    },
    commit(proofValues(input), newSalt),
    approval && clearOf(approval),
  )
}

/** The members of an approval that are hashed in clear: none of them names a person. */
const clearOf = ({ approver, identity, result, channel, openedAt, decidedAt, passkey }: ProofApproval) => ({
  approver: { type: approver.type },
  identity: { level: identity.level },
  result,
  ...(channel !== undefined && { channel }),
  ...(openedAt !== undefined && { openedAt }),
  ...(decidedAt !== undefined && { decidedAt }),
  ...(passkey !== undefined && { passkey: signedOf(passkey) }),
})

const signedOf = ({ binding, historySize, authenticatorData, clientDataJSON, signature }: SignedByPasskey) => ({
  binding,
  historySize,
  authenticatorData,
  clientDataJSON,
  signature,
})
