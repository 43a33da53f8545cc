/** Who decided, by whose word, and what no result proves. */
import { sealDrawing } from '@countersign/design/seal.ts'
import type { ApprovalFacts, RaiseFacts } from '@countersign/proof/decision-facts.ts'
import { provedLevel } from '@countersign/proof/proved-level.ts'
import type { ProofVerdict } from '@countersign/proof/verify-proof.ts'
import { approvalInWords, emergencyInWords, executionInWords, lineInWords } from '../approval-words.ts'
import { nameToCarve } from '../seal-level.ts'
import { type Language, languages, say, type Words } from '../words.ts'
import { drawn, make, sign } from './dom.ts'
import { inWords } from './facts-view.ts'

/** Of these nothing is repeated: they prove nothing about anybody, or only a newer version knows what they say. */
const silent: readonly ProofVerdict['standing'][] = ['altered', 'newer']

export function approvalsView({ facts, standing }: ProofVerdict, language: Language): HTMLElement | null {
  const words = languages[language]
  const { decision, raises } = facts
  const reviews = [...(decision?.approvals ?? []), ...raises]
  if ((decision === null && raises.length === 0) || silent.includes(standing)) return null
  return make(
    'section',
    { class: 'part', id: 'approvals' },
    make('h2', {}, words.approvals),
    decision?.result === 'unapproved' && make('p', {}, words.unapproved),
    reviews.length > 0 &&
      make(
        'ol',
        { class: 'who' },
        reviews.map((each) => approvalItem(each, standing === 'holds', language)),
      ),
    lineInWords(facts, words).map((said) => make('p', { id: 'line' }, said)),
    emergencyInWords(facts, words, (time) => inWords(time, language)).map((said) =>
      make('p', { id: 'emergency' }, said),
    ),
    executionInWords(facts, words, (time) => inWords(time, language)).map((said) => make('p', {}, said)),
  )
}

/** A passkey that signed and a sign-in that a trusted log vouches for get the tick: what a key holder says is a claim. */
function approvalItem(approval: ApprovalFacts | RaiseFacts, isVouched: boolean, language: Language): HTMLElement {
  const words = languages[language]
  const { level, result, hidden } = approval
  const isVoid = approval.void !== null
  const head = 'to' in approval ? say(words.raisedTo, { to: approval.to ?? '–' }) : words.approvedBy
  const isShown = !hidden && !isVoid && (approval.passkey?.status === 'holds' || (level === 'session' && isVouched))
  return make(
    'li',
    { 'data-level': hidden ? 'hidden' : isVoid ? 'void' : level, 'data-result': result },
    sign(result === 'refused' ? 'no' : isShown ? 'yes' : 'unknown'),
    make(
      'div',
      {},
      make('h3', {}, isVoid ? words.voided : result === 'refused' ? words.refusedBy : head),
      approvalInWords(approval, words, (time) => inWords(time, language)).map((said) => make('p', {}, said)),
    ),
  )
}

const sealSize = 72

/** The box for seals: one for each approval. Silent, because the list of approvals says the same in sentences. */
export function sealBoxView({ facts, standing }: ProofVerdict, words: Words): HTMLElement | null {
  const { decision, hash } = facts
  if (decision === null || decision.approvals.length === 0 || silent.includes(standing)) return null
  return make(
    'div',
    { class: 'sealbox', 'aria-hidden': 'true' },
    decision.approvals.map((each, at) => {
      const level = provedLevel(each, standing)
      const absent = each.hidden ? words.sealHidden : words.voided
      const foot = level === 'empty' ? absent : words[`seal ${level}`]
      const name = nameToCarve(each.approver)
      const drawing = sealDrawing({ level, name, hash: `${hash}${at}`, size: sealSize, label: '' })
      return make(
        'div',
        { class: each.result, 'data-seal': level },
        make('span', { class: 'role' }, each.result === 'refused' ? words.refusedBy : words.approvedBy),
        make('span', { class: 'cell' }, drawn(drawing)),
        make('span', { class: 'foot' }, foot),
      )
    }),
  )
}

export function asOfInWords({ facts }: ProofVerdict, words: Words): string {
  const { change, size } = facts.asOf
  return size === null ? say(words.asOfAlone, { change }) : say(words.asOfSize, { change, size })
}

export const limitsView = (verdict: ProofVerdict, words: Words): HTMLElement =>
  make(
    'section',
    { class: 'part', id: 'limits' },
    make('h2', {}, words.limits),
    make(
      'ul',
      { class: 'paths' },
      verdict.limits.map((limit) =>
        make('li', {}, say(words[`limit ${limit}`], { asOf: asOfInWords(verdict, words) })),
      ),
    ),
  )
