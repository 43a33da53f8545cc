/** What the page says about one approval. */
import type { ApprovalFacts } from '@countersign/proof/decision-facts.ts'
import { say, type Words } from './words.ts'

/** A key is named with its date and confirmation: whoever holds the log can bind another one later. */
export function approvalInWords(
  { level, approver, by, onBehalfOf, passkey }: ApprovalFacts,
  words: Words,
  inWords: (time: string) => string,
): readonly string[] {
  const word = passkey?.why ? (`by passkey ${passkey.why}` as const) : (`by ${level}` as const)
  const { thumbprint, boundAt, confirmation, confirmedAt, backupEligible, rpId } = passkey ?? {}
  const said = [say(words[word], { approver: approver ?? words.hiddenName, by: by ?? '–', rpId: rpId ?? '–' })]
  if (onBehalfOf !== null) said.push(say(words.onBehalf, { name: onBehalfOf }))
  if (thumbprint && boundAt && confirmation && confirmedAt) {
    const times = { boundAt: inWords(boundAt), confirmedAt: inWords(confirmedAt) }
    said.push(say(words.passkeyKey, { ...times, how: words[`how ${confirmation}`], thumbprint }))
  }
  if (backupEligible) said.push(words.passkeySynced)
  return said
}
