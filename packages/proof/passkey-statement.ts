/**
 * What a passkey signs: the challenge of WebAuthn is SHA-256 over the canonical form of a statement. The types
 * differ in `type`, so that an assertion over one is never one over another.
 */
import { sha256Bytes, sha256Hex } from '#sha256'
import { fromBase64Url } from './base64.ts'
import { canonical, type Json } from './canonical.ts'
import type { Shown } from './control.ts'

/** A policy in force when the decision was sealed; the digest is SHA-256 over the canonical form of the policy. */
export interface AppliedPolicy {
  readonly id: string
  readonly version: number
  readonly digest: string
}

interface Asked {
  readonly rpId: string
  /** 32 random bytes in base64url. */
  readonly nonce: string
  /** ISO 8601 with milliseconds and Z. */
  readonly issuedAt: string
}

interface ApprovalMembers extends Asked {
  /** The log of the domain `proof` of the center. */
  readonly log: string
  readonly eventId: string
  readonly decisionId: string
  readonly actionDigest: string
  readonly result: string
  /** Null without a reason. */
  readonly reasonDigest: string | null
  readonly approverId: string
  readonly policies: readonly AppliedPolicy[]
  readonly onBehalfOf: string | null
}

/** Made by 0.1.0, and verified for ever. */
export interface FirstApprovalStatement extends ApprovalMembers {
  readonly type: 'countersign-approval-v1'
}

export interface ApprovalStatement extends ApprovalMembers {
  readonly type: 'countersign-approval-v2'
  /** Reserved: null. */
  readonly approvedActionDigest: string | null
  /** True for an approval in an emergency; null for any other. */
  readonly emergency: boolean | null
  /** Null where no page of ours showed the decision. */
  readonly shown: Shown | null
  /** `priorDigest` of the earlier approvals that the approver knew of. */
  readonly prior: string
}

export type AnyApprovalStatement = FirstApprovalStatement | ApprovalStatement

/** A person raises the level of a record in the state that `previous` names. */
export interface RaiseStatement extends Asked {
  readonly type: 'countersign-raise-v1'
  /** The log of the domain `history` of the center. */
  readonly log: string
  readonly dpuId: string
  readonly evidenceLevel: string
  /** The hash of the newest entry about the record: a change in between voids the signature. */
  readonly previous: string
  readonly approverId: string
  readonly policies: readonly AppliedPolicy[]
}

/** A new key signs it and shows that somebody holds the key; an older key of the same person confirms it. */
export interface RegisterStatement extends Asked {
  readonly type: 'countersign-passkey-v1'
  readonly actorId: string
  readonly thumbprint: string
}

export interface ConfirmStatement extends Asked {
  readonly type: 'countersign-passkey-confirm-v1'
  /** The log of the domain `history` of the center. */
  readonly log: string
  readonly actorId: string
  readonly thumbprint: string
  readonly confirmerId: string
}

/** Confirms an approval that was given in an emergency, or objects to it. */
export interface ConfirmationStatement extends Asked {
  readonly type: 'countersign-confirm-v1'
  /** The log of the domain `history` of the center. */
  readonly log: string
  readonly eventId: string
  /** The hash of the seal of the decision. */
  readonly chainHash: string
  readonly result: string
  /** Null without a reason. */
  readonly reasonDigest: string | null
  readonly approverId: string
}

/** Repeats that the person is there, for what a session alone may not do. */
export interface StepUpStatement extends Asked {
  readonly type: 'countersign-step-up-v1'
  readonly actorId: string
  /** The id of the session. */
  readonly sid: string
}

export type PasskeyStatement =
  | FirstApprovalStatement
  | ApprovalStatement
  | RaiseStatement
  | RegisterStatement
  | ConfirmStatement
  | ConfirmationStatement
  | StepUpStatement

const members: Readonly<Record<PasskeyStatement['type'], string>> = {
  'countersign-approval-v1':
    'actionDigest,approverId,decisionId,eventId,issuedAt,log,nonce,onBehalfOf,policies,reasonDigest,result,rpId,type',
  'countersign-approval-v2':
    'actionDigest,approvedActionDigest,approverId,decisionId,emergency,eventId,issuedAt,log,nonce,onBehalfOf,policies,prior,reasonDigest,result,rpId,shown,type',
  'countersign-raise-v1': 'approverId,dpuId,evidenceLevel,issuedAt,log,nonce,policies,previous,rpId,type',
  'countersign-passkey-v1': 'actorId,issuedAt,nonce,rpId,thumbprint,type',
  'countersign-passkey-confirm-v1': 'actorId,confirmerId,issuedAt,log,nonce,rpId,thumbprint,type',
  'countersign-confirm-v1': 'approverId,chainHash,eventId,issuedAt,log,nonce,reasonDigest,result,rpId,type',
  'countersign-step-up-v1': 'actorId,issuedAt,nonce,rpId,sid,type',
}

/** A statement of a type that this version does not know: a newer one made it. */
export const isUnknownStatement = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { type } = value as { readonly type?: unknown }
  return typeof type === 'string' && !Object.hasOwn(members, type)
}

/** Exactly the members of this type, each in its form. A member more would be something that the person signed too. */
export function isStatement(type: PasskeyStatement['type'], value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const said = value as Readonly<Record<string, unknown>>
  const { nonce, issuedAt, policies = [], shown = null, emergency = null, ...rest } = said
  return (
    said.type === type &&
    Object.keys(said).sort().join() === members[type] &&
    fromBase64Url(nonce)?.length === 32 &&
    typeof issuedAt === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(issuedAt) &&
    Array.isArray(policies) &&
    (shown === null || typeof shown === 'object') &&
    (emergency === null || emergency === true) &&
    Object.entries(rest).every(
      ([name, each]) => typeof each === 'string' || (each === null && mayBeNull.includes(name)),
    )
  )
}

const mayBeNull = ['approvedActionDigest', 'onBehalfOf', 'reasonDigest']

export const challengeOf = (statement: PasskeyStatement): Uint8Array =>
  sha256Bytes(new TextEncoder().encode(canonical(statement as unknown as Json)))

/** `salt` is 32 random bytes in base64url, deleted with the reason. */
export const reasonDigest = (salt: string, reason: string): string => `sha256:${sha256Hex(canonical({ salt, reason }))}`
