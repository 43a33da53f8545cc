/**
 * What a seal says beside the decision and its approvals: under which rules it was made, what the page stated to have shown,
 * and which earlier approvals no longer count. One value for all of it, which names no person and holds no value of the
 * action, and is never redacted.
 */

import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'
import type { AdmittedBy } from './line.ts'

/** As the page states it: which form of the view, in which language, and the template of its headline. */
export interface Shown {
  readonly view: string
  readonly language: string
  readonly template: { readonly version: number; readonly digest: string } | null
}

/** The rules that were in force when the batch of the seal was judged. */
export interface Rules {
  /** The index in `history` of the newest entry about rules of the center; null before the first one. */
  readonly index: number | null
  /** SHA-256 over the canonical list of id, version and digest of all policies in force. */
  readonly digest: string
}

/** Why an earlier approval fills no place any more. */
export const voidReasons = ['role', 'member', 'key', 'takenBack', 'order', 'policy'] as const
export type VoidReason = (typeof voidReasons)[number]

/** A place in an approval line that an approval fills, and what admitted its person, as the service stated it. */
export interface Admitted {
  readonly policyId: string
  readonly version: number
  /** The step of the policy, from 0. */
  readonly step: number
  readonly by: AdmittedBy
  /** The index in `history` of the entry by which the right of a member counts; absent for a claim. */
  readonly since?: number | undefined
}

/** The right alone: of a member without a place, and in seals that were made before there were lines. */
export interface EarlierAdmitted {
  readonly since: number
}

/** Of one approval. */
export interface ApprovalControl {
  /** One for each place. */
  readonly admitted?: readonly (Admitted | EarlierAdmitted)[] | undefined
  /** How the session of the approver began. */
  readonly via?: string | undefined
  /** Absent where no page of ours showed the decision. */
  readonly shown?: Shown | undefined
  /** The member who asked for a change of rules approved it, because nobody else could. */
  readonly fallback?: 'alone' | undefined
  /** Of an earlier approval that was given in an emergency. The one that sealed says it by its places. */
  readonly emergency?: true | undefined
  /** Of an earlier approval only. */
  readonly void?: VoidReason | undefined
}

/** Somebody stood for a whole line, which has to confirm it until then. */
export interface Emergency {
  readonly confirmBy: string
}

export interface Control extends Omit<ApprovalControl, 'void' | 'emergency'> {
  readonly rules: Rules
  /** The last time at which the approval can be used; absent where no policy asked for one. */
  readonly usableUntil?: string | undefined
  /** Present where an approval that counts was given in an emergency. */
  readonly emergency?: Emergency | undefined
  /** What a verifier must understand to judge the seal. */
  readonly needs?: readonly string[] | undefined
}

/** An earlier approval as one value, so that one person can be redacted. The members have the names of the record's own. */
export interface PriorApproval {
  readonly approval: Json
  readonly control: ApprovalControl
  /** With the level `passkey` only. */
  readonly statement?: Json | undefined
  /** 32 random bytes in base64url, made with the approval. */
  readonly salt: string
}

/** The needs that this version understands. */
export const understood: readonly string[] = ['shown', 'lines', 'emergency']

/** Sixteen approvals at most for a decision: the last one is `approval`. */
export const mostPrior = 15
export const priorName = (position: number): string => `prior${position}`
export const priorPattern = /^prior(\d|1[0-4])$/

const digest = (value: Json): string => `sha256:${sha256Hex(canonical(value))}`

export const approvalHash = (salt: string, approval: Json): string => digest({ salt, approval })

/** What a passkey signs about the approvals before its own, oldest first. */
export const priorDigest = (hashes: readonly string[]): string => digest(hashes)

/** `policies`: all in force, in any order. */
export const rulesDigest = (
  policies: readonly { readonly id: string; readonly version: number; readonly digest: string }[],
): string =>
  digest(
    policies
      .map(({ id, version, digest }) => ({ id, version, digest }))
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.version - b.version)),
  )
