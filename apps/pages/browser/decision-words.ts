/** A decision in sentences. Pure: the parts of a record stay values, and are shown as text. */
import { type Language, languages, say } from '../words.ts'
import { dateTime, duration, endsInConsonant, josa, number } from './format.ts'
import type { Decision, Given, Waiting } from './types.ts'

export interface Part {
  readonly text: string
  readonly fact: boolean
}

export const actorName = ({ actor }: Decision): string => actor.name || actor.id || actor.type
export const whatOf = ({ action }: Decision): string => action.description || action.type
export const nameOf = ({ approver, identity }: Given): string => approver.name || approver.id || identity.by

/** A description that is a sentence already, or not in Korean, takes no particle. */
const takesParticle = (text: string): boolean => endsInConsonant(text) !== null && !/[다요까]$/.test(text.trim())

export function sentenceOf(decision: Decision, language: Language): readonly Part[] {
  const [actor, what] = [actorName(decision), whatOf(decision)]
  const korean = endsInConsonant(actor) !== null
  const form = !korean ? 'sentencePlain' : takesParticle(what) ? 'sentenceNoun' : 'sentenceFull'
  const values = { subject: josa(actor, '이', '가'), object: josa(what, '을', '를') }
  // Values of the record are put in last: a bar in them divides nothing.
  return languages[language][form].split('|').flatMap((piece) => {
    if (piece === '') return []
    const fact = piece === '{what}'
    return [{ text: fact ? what : say(say(piece, values), { actor }), fact }]
  })
}

export function sealedSentence(decision: Decision, result: Given['result'], language: Language): string {
  const what = whatOf(decision)
  const form = takesParticle(what) ? 'Noun' : 'Plain'
  const key = result === 'approved' ? (`sealed${form}` as const) : (`refused${form}` as const)
  return say(languages[language][key], { what })
}

export interface Fact {
  readonly name: string
  readonly value: string
}

/** A value of one line; null for what has parts of its own. */
function shortValue(value: unknown, language: Language): string | null {
  if (typeof value === 'number') return number(value, language)
  if (typeof value === 'string') return value.length <= 200 ? value : `${value.slice(0, 199)}…`
  if (typeof value === 'boolean' || value === null) return String(value)
  if (!Array.isArray(value) || value.length > 5) return null
  const parts = value.map((each) => (typeof each === 'object' && each !== null ? null : shortValue(each, language)))
  return parts.includes(null) ? null : parts.join(', ')
}

const mostFacts = 4

/** The values that a rule reads come first, then the others in the order in which they were sent. */
export function factsOf(decision: Decision, language: Language): readonly Fact[] {
  const words = languages[language]
  const { input = {} } = decision.action
  const read = (decision.waiting?.rules ?? [])
    .flatMap(({ pointers }) => pointers)
    .flatMap((pointer) => /^\/action\/input\/([^/]+)$/.exec(pointer)?.[1] ?? [])
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  const names = [...new Set([...read, ...Object.keys(input)])].filter((name) => Object.hasOwn(input, name))
  const data = names.flatMap((name): Fact[] => {
    const value = shortValue((input as Record<string, unknown>)[name], language)
    return value === null ? [] : [{ name, value }]
  })
  const { reason, riskScore, aiContext } = decision
  const { confidence, reasoning } = aiContext ?? {}
  const sure = [
    confidence === undefined ? '' : number(confidence, language),
    shortValue(reasoning ?? '', language) ?? '',
  ]
  return [
    ...(reason ? [{ name: words.why, value: reason }] : []),
    ...data.slice(0, mostFacts),
    ...(sure.some(Boolean) ? [{ name: words.confidence, value: sure.filter(Boolean).join(' · ') }] : []),
    ...(riskScore === null ? [] : [{ name: words.risk, value: number(riskScore, language) }]),
  ]
}

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
