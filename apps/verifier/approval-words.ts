/** What the page says about one approval. */
import { voidReasons } from '@countersign/proof/control.ts'
import { type ApprovalFacts, lineToSay, reasonToSay } from '@countersign/proof/decision-facts.ts'
import type { ProofFacts } from '@countersign/proof/verify-proof.ts'
import { say, type Words } from './words.ts'

/** A key is named with its date and confirmation: whoever holds the log can bind another one later. */
export function approvalInWords(
  approval: ApprovalFacts,
  words: Words,
  inWords: (time: string) => string,
): readonly string[] {
  const { level, approver, by, onBehalfOf, passkey } = approval
  if (approval.hidden) return [words.hiddenApproval]
  if (approval.void !== null) {
    const why = words[`void ${voidReasons.find((each) => each === approval.void) ?? 'other'}`]
    return [say(words.voidApproval, { approver: approver ?? words.hiddenName }), say(why, { reason: approval.void })]
  }
  if (approval.refusal !== null) return [words[`refused ${approval.refusal}`]]
  const why = passkey && reasonToSay(passkey)
  const word = why ? (`by passkey ${why}` as const) : (`by ${level}` as const)
  const { thumbprint, boundAt, confirmation, confirmedAt, backupEligible, rpId } = passkey ?? {}
  const said = [say(words[word], { approver: approver ?? words.hiddenName, by: by ?? '–', rpId: rpId ?? '–' })]
  if (onBehalfOf !== null) said.push(say(words.onBehalf, { name: onBehalfOf }))
  if (thumbprint && boundAt && confirmation && confirmedAt) {
    const times = { boundAt: inWords(boundAt), confirmedAt: inWords(confirmedAt) }
    said.push(say(words.passkeyKey, { ...times, how: words[`how ${confirmation}`], thumbprint }))
  }
  if (backupEligible) said.push(words.passkeySynced)
  return [...said, ...givenInWords(approval, words)]
}

const ways = ['password', 'passkey', 'oidc', 'domain'] as const

/** How the session began, and what the page stated: the words of the service and of the page, and no more. */
function givenInWords({ via, shown, noPage }: ApprovalFacts, words: Words): readonly string[] {
  const way = ways.find((each) => each === via) ?? 'other'
  const { view, language, template } = shown ?? {}
  const values = { view: view ?? '', language: language ?? '', ...template }
  return [
    ...(via === null ? [] : [say(words[`via ${way}`], { via })]),
    ...(shown === null ? [] : [say(template ? words.pageTemplate : words.pageStated, values)]),
    ...(noPage ? [words.noPage] : []),
  ]
}

/** Whether the approvals fit the approval lines; nothing where no policy asked. */
export const lineInWords = ({ decision }: Pick<ProofFacts, 'decision'>, words: Words): readonly string[] =>
  decision?.line ? [words[`line ${lineToSay(decision.line)}`]] : []

/** What was approved in an emergency, and what became of it, as far as the file shows it. */
export function emergencyInWords(
  { decision }: Pick<ProofFacts, 'decision'>,
  words: Words,
  inWords: (time: string) => string,
): readonly string[] {
  if (!decision?.emergency) return []
  const { state, confirmBy, confirmations } = decision.emergency
  const people = confirmations.flatMap(({ by, result }) => (result === state ? [by ?? '–'] : [])).join(', ')
  return [say(words[`emergency ${state}`], { until: inWords(confirmBy), people })]
}

const outcomes = ['succeeded', 'failed', 'unknown'] as const

/** Until when the approval could be used, and what an executor reported: that it happened is not proved. */
export function executionInWords(
  { decision, execution }: Pick<ProofFacts, 'decision' | 'execution'>,
  words: Words,
  inWords: (time: string) => string,
): readonly string[] {
  const until = decision?.usableUntil ?? null
  const said = until === null ? [] : [say(words.usableUntil, { until: inWords(until) })]
  if (execution === null) return said
  const word = `execution${outcomes.find((each) => each === execution.outcome) ?? 'Taken'}` as const
  return [
    ...said,
    say(words[word], { at: inWords(execution.consumedAt) }),
    ...(execution.late ? [words['warning late']] : []),
    ...(execution.unconfirmed ? [words['warning unconfirmed']] : []),
  ]
}
