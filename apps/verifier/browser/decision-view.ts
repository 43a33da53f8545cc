/** Who decided, by whose word, and what no result proves. */
import type { ApprovalFacts } from '@countersign/proof/decision-facts.ts'
import type { ProofVerdict } from '@countersign/proof/verify-proof.ts'
import { say, type Words } from '../words.ts'
import { make, sign } from './dom.ts'

/** Of an altered file nothing is repeated: it proves nothing about anybody. */
export function approvalsView({ facts, standing }: ProofVerdict, words: Words): HTMLElement | null {
  const { decision } = facts
  if (decision === null || standing === 'altered') return null
  return make(
    'section',
    { class: 'card', id: 'approvals' },
    make('h2', {}, words.approvals),
    decision.result === 'unapproved'
      ? make('p', {}, words.unapproved)
      : make(
          'ol',
          { class: 'verdicts' },
          decision.approvals.map((each) => approvalItem(each, standing === 'holds', words)),
        ),
  )
}

/** Only the sign-in that a trusted log vouches for gets the tick: what a key holder says is a claim. */
function approvalItem(
  { level, result, approver, by, onBehalfOf }: ApprovalFacts,
  isVouched: boolean,
  words: Words,
): HTMLElement {
  const said = say(words[`by ${level}`], { approver: approver ?? words.hiddenName, by: by ?? '–' })
  return make(
    'li',
    { 'data-level': level, 'data-result': result },
    sign(result === 'refused' ? 'no' : level === 'session' && isVouched ? 'yes' : 'unknown'),
    make(
      'div',
      {},
      make('h3', {}, result === 'refused' ? words.refusedBy : words.approvedBy),
      make('p', {}, said),
      onBehalfOf !== null && make('p', {}, say(words.onBehalf, { name: onBehalfOf })),
    ),
  )
}

export function asOfInWords({ facts }: ProofVerdict, words: Words): string {
  const { change, size } = facts.asOf
  return size === null ? say(words.asOfAlone, { change }) : say(words.asOfSize, { change, size })
}

export const limitsView = (verdict: ProofVerdict, words: Words): HTMLElement =>
  make(
    'section',
    { class: 'card', id: 'limits' },
    make('h2', {}, words.limits),
    make(
      'ul',
      { class: 'paths' },
      verdict.limits.map((limit) =>
        make('li', {}, say(words[`limit ${limit}`], { asOf: asOfInWords(verdict, words) })),
      ),
    ),
  )
