/** Decisions, their approvals, their proof units and the policies over them, as a batch reads and writes them. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import type { ApprovalControl, Control } from '@countersign/proof/control.ts'
import type { FieldColumns } from '@countersign/proof/decision-fields.ts'
import type {
  AnyApprovalStatement,
  ApprovalStatement,
  ConfirmationStatement,
  RaiseStatement,
} from '@countersign/proof/passkey.ts'
import type { IdentityLevel, SignedByPasskey } from '@countersign/proof/proof-entry.ts'
import type { RoleSince } from './line.ts'

/** The fields of a decision, and what the service adds to them. */
export interface EventRow extends FieldColumns {
  readonly center_id: number
  readonly id: string
  readonly decision_id: string
  readonly status: string
  /** In hex, after `\\x`. */
  readonly fingerprint: string | null
  readonly action_digest: string
  /** Null once one of the digested values is redacted. */
  readonly action_salt: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** What is sealed beside an approval, and what only the judging of later ones needs. */
export interface GivenControl extends ApprovalControl {
  /** The names of all lines that there were when it was given. */
  readonly seen?: readonly string[]
  /** The roles of its person that counted; null where an API key named them. */
  readonly roles?: readonly ActorRole[] | null
  readonly roleSince?: RoleSince
}

export interface ApprovalRow {
  readonly center_id: number
  readonly id: string
  readonly event_id: string
  readonly position: number
  readonly approver: { readonly id: string; readonly type: string; readonly name?: string }
  readonly result: string
  readonly reason: string | null
  readonly submitted_by: string
  readonly identity_level: IdentityLevel
  /** The API key or the member that vouches for the approver. */
  readonly identity_by: string
  readonly channel: 'api' | 'page' | 'console' | null
  readonly opened_at: string | null
  readonly decided_at: string | null
  /** The member whose deputy approved. */
  readonly on_behalf_of: string | null
  /** With the level `passkey` only: the binding of the key and the assertion, as received. */
  readonly passkey: SignedByPasskey | null
  /** The key, by which its binding is found; not sealed. */
  readonly passkey_id: string | null
  /** What the passkey signed; null once it is redacted. */
  readonly passkey_statement: AnyApprovalStatement | null
  readonly reason_salt: string | null
  /** How the session began and what the page showed; null in approvals of 0.1.0. */
  readonly control: GivenControl | null
  /** Of the hash that later approvals sign; null once it is redacted. */
  readonly salt: string | null
  /** When its person took it back, while the decision waits. */
  readonly taken_back_at?: string | null
  readonly created_at: string
}

/** A statement that a passkey may sign, once. */
export interface ChallengeRow {
  readonly center_id: number
  /** SHA-256 of the statement, base64url. */
  readonly challenge: string
  /** The decision that is approved, or whose emergency approval is confirmed; or null. */
  readonly event_id: string | null
  /** The record whose level is raised, or null. */
  readonly dpu_id: string | null
  readonly actor_id: string
  readonly statement: ApprovalStatement | RaiseStatement | ConfirmationStatement
  readonly reason_salt: string | null
  readonly expires_at: string
}

export interface DpuRow {
  readonly center_id: number
  readonly id: string
  readonly domain: 'dpu' | 'proof'
  readonly chain_index: number
  readonly vertical: string
  readonly country: string | null
  readonly region: string | null
  readonly content: string | null
  readonly reference_type: string | null
  readonly reference_id: string | null
  readonly tags: readonly string[] | null
  readonly created_by: {
    readonly id: string
    readonly name: string
    readonly role: string
    readonly type: string
  } | null
  readonly origin: object | null
  readonly evidence_level: string
  readonly metadata: Record<string, unknown>
  readonly policies: readonly object[] | null
  /** Of a decision, those that `packed_salts` doesn't hold. */
  readonly salts: Readonly<Record<string, string>>
  /** In hex, after `\\x`. */
  readonly packed_salts: string | null
  readonly sealed_at: string | null
  readonly updated_at: string
  /** The hash of the newest history entry about it; absent while the record is being created. */
  readonly last_change?: string | null
  readonly metadata_commitment: string | null
  /** What is sealed beside a decision, and beside each earlier approval; null in records of 0.1.0 and of other units. */
  readonly control?: Control | null
  readonly prior_controls?: readonly ApprovalControl[] | null
  /** What became of the decision; null of other units. */
  readonly event_status?: 'sealed' | 'rejected' | null
  /** The id of the actor who last raised its level. */
  readonly raised_by?: string | null
  /** The hash of its own entry; absent while the record is being created. */
  readonly chain_hash?: string
}

export interface PolicyRow {
  /** Null for shared policies, which belong to no center. */
  readonly center_id: number | null
  readonly id: string
  readonly version: number
  /** Canonical JSON, the text that `digest` covers. */
  readonly policy: string
  readonly digest: string
  readonly deleted?: boolean
  /** The hash of its history entry; absent for shared policies, which have none. */
  readonly change_hash?: string
}
