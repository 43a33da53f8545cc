/** A decision in sentences. Pure: the parts of a record stay values, and are shown as text. */
import { decisionView } from '@countersign/proof/decision-view.ts'
import { headlineText } from '@countersign/proof/view-tree.ts'
import { type Language, languages, say } from '../words.ts'
import { dateTime, duration } from './format.ts'
import type { Decision, Given, Waiting } from './types.ts'

export const nameOf = ({ approver, identity }: Given): string => approver.name || approver.id || identity.by

/** Made of values: what an agent says about a decision is no heading. */
export const headlineOf = (decision: Decision, language: Language): string =>
  headlineText(decisionView(decision, language))

export const sealedSentence = (decision: Decision, result: Given['result'], language: Language): string =>
  say(languages[language][result === 'approved' ? 'sealedWhat' : 'refusedWhat'], {
    what: headlineOf(decision, language),
  })

/** A policy as an approver has to know it. */
export function ruleSentences(rule: Waiting['rules'][number], language: Language): string {
  const words = languages[language]
  const roles = rule.roles?.map((role) => words[`role ${role}`]).join(', ')
  return [
    ...rule.guards.map((guard) => words[`guard ${guard}`]),
    ...(roles ? [say(words['by roles'], { roles })] : []),
    ...(rule.identity === 'passkey' ? [words.byPasskey] : []),
    ...(rule.expiresAfterSeconds === null
      ? []
      : [say(words.within, { time: duration(rule.expiresAfterSeconds * 1000, language) })]),
  ].join(' ')
}

export const at = (iso: string, language: Language): string => dateTime(iso, language)

/** Groups of four, the middle left out. */
export const shortHash = (hash: string): string => {
  const hex = hash.replace(/^sha256:/, '')
  return hex.length < 16 ? hex : `${hex.slice(0, 4)} ${hex.slice(4, 8)} … ${hex.slice(-4)}`
}
