/**
 * The digest of an action: an approval, an execution and the record of a decision are about the same action when their
 * digests are equal. The salt makes a dictionary attack on the digest fail after the values are redacted with it.
 */
import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'
import { type DigestedName, decisionFields, digestedNames, type ValuesOf } from './decision-fields.ts'

/** 32 random bytes in base64url, without padding. */
export const actionSaltPattern = /^[A-Za-z0-9_-]{43}$/

/** Objects are compared by their members alone, whatever they are. */
type Loose<Values> = {
  readonly [Name in keyof Values]: Values[Name] extends object | undefined
    ? object | Extract<Values[Name], undefined>
    : Values[Name]
}

/** The values as they were sent: the server adds no defaults, and an absent member stays absent. */
export type DigestedAction = Loose<ValuesOf<DigestedName>>

/** The same where an answer says null for a value that was not sent. */
export type AnsweredAction = {
  readonly [Name in keyof DigestedAction]:
    | DigestedAction[Name]
    | (undefined extends DigestedAction[Name] ? null : never)
}

export const actionDigest = (salt: string, action: DigestedAction): string =>
  `sha256:${sha256Hex(actionText(salt, action))}`

/** The text that is hashed. */
export function actionText(salt: string, action: DigestedAction): string {
  const hashed: Record<string, unknown> = { salt }
  for (const name of digestedNames) {
    // Without a member that every action has there is no canonical form.
    if (action[name] !== undefined || !decisionFields[name].optional) hashed[name] = action[name]
  }
  return canonical(hashed as Json)
}

/** What the digest covers of a decision, without its salt. */
export function digestedOf(decision: AnsweredAction): DigestedAction {
  const covered: Record<string, unknown> = {}
  for (const name of digestedNames) {
    if (decision[name] !== undefined && decision[name] !== null) covered[name] = decision[name]
  }
  return covered as unknown as DigestedAction
}
