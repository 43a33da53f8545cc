/**
 * The digest of an action: an approval, an execution and the record of a decision are about the same action when their
 * digests are equal. The salt makes a dictionary attack on the digest fail after the values are redacted with it.
 */
import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'

/** 32 random bytes in base64url, without padding. */
export const actionSaltPattern = /^[A-Za-z0-9_-]{43}$/

/** The values as they were sent: the server adds no defaults, and an absent member stays absent. */
export interface DigestedAction {
  readonly type: string
  readonly actor: object
  readonly action: object
  readonly aiContext?: object | undefined
  readonly riskScore?: number | undefined
  readonly reason?: string | undefined
}

export function actionDigest(
  salt: string,
  { type, actor, action, aiContext, riskScore, reason }: DigestedAction,
): string {
  const hashed: Record<string, unknown> = { salt, type, actor, action }
  if (aiContext !== undefined) hashed.aiContext = aiContext
  if (riskScore !== undefined) hashed.riskScore = riskScore
  if (reason !== undefined) hashed.reason = reason
  return `sha256:${sha256Hex(canonical(hashed as Json))}`
}
