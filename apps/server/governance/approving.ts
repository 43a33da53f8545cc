/** An approval that is being judged: who gives it, who vouches for them, and what was approved before. */
import type { ActorRole } from '@countersign/contract/enums.ts'
import type { Candidate, RoleSince } from './line.ts'
import type { ApprovalRow, EventRow } from './rows.ts'

/** An API key that names the approver. */
export interface KeyVoucher {
  readonly level: 'claim'
  /** The id of the key. */
  readonly by: string
  /** The ids of all keys of its line of replacements. */
  readonly line: readonly string[]
  /** Whether it has the scope `proof:approve`; `proof:write` alone vouches for nobody. */
  readonly maySpeak: boolean
  readonly boundTo: { readonly id: string } | null
}

export interface VouchedMember {
  readonly actorId: string
  /** The highest first. */
  readonly roles: readonly ActorRole[]
  /** The ids of all actors who share a verified address with this one, itself included. */
  readonly family: readonly string[]
}

/** A member by one of whose roles a place is filled. */
export interface ApprovingMember extends VouchedMember {
  readonly membershipId: string
  /** Of those that count, once a batch has looked: `roles` are then these alone. */
  readonly roleSince?: RoleSince
}

/** A member who approves under their own account, and the member whose deputy they are. */
export interface MemberVoucher extends ApprovingMember {
  readonly level: 'session' | 'passkey'
  readonly onBehalfOf: ApprovingMember | null
  /** The members whose deputy they are now, and their own deputy: where two must approve, all of them count as one. */
  readonly together?: readonly string[]
  /** The provider or the domain of a center began the session, and its person has not shown with us that it is them. */
  readonly borrowed?: boolean
  /** When the last of these roles begins to count: nothing is approved by them before. */
  readonly countsFrom?: string
}

export type Voucher = KeyVoucher | MemberVoucher

/** What is sealed as the one who vouches. */
export const vouchedBy = (voucher: Voucher): string => (voucher.level === 'claim' ? voucher.by : voucher.actorId)

export interface Approving {
  readonly approver: { readonly id: string; readonly type: string }
  readonly voucher: Voucher
  readonly event: Pick<EventRow, 'actor' | 'recorded_by' | 'risk_score'>
  readonly earlier: readonly EarlierApproval[]
  /** Who of the earlier approvers is still who they were; null where an approval is not weighed beside those of members. */
  readonly standing: Standing | null
  /** The approver is the actor, and the service lets them fill the places that none of these people can. */
  readonly alone?: readonly Candidate[] | null
  /** Given in an emergency. */
  readonly emergency?: boolean
  /** When the decision began to wait, in milliseconds; 0 where only the time since then is known. */
  readonly since?: number
  /** For how many seconds the decision has waited. */
  readonly waited: number
}

export type EarlierApproval = Pick<
  ApprovalRow,
  | 'position'
  | 'approver'
  | 'result'
  | 'identity_level'
  | 'identity_by'
  | 'on_behalf_of'
  | 'passkey_id'
  | 'taken_back_at'
> & { readonly control?: ApprovalRow['control']; readonly created_at?: string }

/** What is known now of the people whose approvals stand, read at most a second before. */
export interface Standing {
  /** The roles of ACTIVE members who may approve; absent: no longer one. */
  readonly members: ReadonlyMap<string, readonly ActorRole[]>
  /** The positions of approvals whose deputyship was withdrawn, or never covered them. */
  readonly withdrawn: ReadonlySet<number>
  /** Whether a passkey is still bound to its person in this center. */
  readonly isBound: (passkeyId: string) => boolean
  /** The ids of the family of each of them. */
  readonly families?: ReadonlyMap<string, readonly string[]>
  /** Everybody who may approve by their role, with their groups; read only where a policy has steps. */
  readonly people?: readonly Candidate[]
}
