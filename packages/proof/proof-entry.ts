/** Domain `proof`: a decision event, sealed by an approval, a refusal or the completion of an agent's decision. */
import type { Json } from './canonical.ts'
import { type Prepared, prepare } from './chain.ts'
import { type Ahead, commit } from './commitment.ts'
import { type Control, type PriorApproval, priorName } from './control.ts'
import { clearPaths, committedPaths, type ProofEvent, type SealedPath } from './decision-fields.ts'
import type { AnyApprovalStatement, AppliedPolicy } from './passkey-statement.ts'

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
  }
  for (const at of committedPaths) possible[at.path] = valueIn(event, at)
  Object.assign(possible, {
    control: control as Json | undefined,
    country,
    ...Object.fromEntries(
      prior.map((each, position) => [priorName(position), (each ?? undefined) as Json | undefined]),
    ),
    priorApprovals,
    region,
    statement: statement as Json | undefined,
    vertical,
  })
  const values: Record<string, Json> = {}
  for (const path of Object.keys(possible)) {
    const value = possible[path]
    if (value !== undefined) values[path] = value
  }
  return values
}

function valueIn(event: ProofEvent, { field, member }: SealedPath): Json | undefined {
  const value = event[field as keyof ProofEvent] as Json | undefined
  return member === null ? value : (value as Readonly<Record<string, Json>> | undefined)?.[member]
}

/** The members of a decision that are hashed in clear. */
function clearEvent(event: ProofEvent): Record<string, Json> {
  const members: Record<string, Json> = {}
  for (const at of clearPaths) {
    const value = valueIn(event, at)
    if (value === undefined && at.optional) continue
    if (at.member === null) members[at.field] = value as Json
    else members[at.field] = { ...(members[at.field] as Record<string, Json> | undefined), [at.member]: value as Json }
  }
  return members
}

export function proofStatic(input: ProofInput, newSalt: () => string, ahead?: Ahead): Prepared {
  const { id, decisionId, evidenceLevel, event, approval, policies, actionDigest } = input
  return prepare(
    'proof',
    {
      actionDigest,
      id,
      decisionId,
      evidenceLevel,
      event: clearEvent(event),
      ...(policies !== undefined &&
        policies.length > 0 && { policies: policies.map(({ id, version, digest }) => ({ id, version, digest })) }),
    },
    commit(proofValues(input), newSalt, ahead),
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
