/**
 * One sentence about what happened, made from the values of a file: what was asked, by which agent, who approved it and how, and
 * what was reported of its execution. It claims no more than the verdict on the file, and whatever a value says, it stays one
 * value: what could be read as our words stands in quotes.
 */
import en from '@countersign/words/en/summary.json' with { type: 'json' }
import ko from '@countersign/words/ko/summary.json' with { type: 'json' }
import { type Language, type Say, saying } from '@countersign/words/say.ts'
import type { Json } from './canonical.ts'
import { type ApprovalFacts, approvalsIn, type ExecutionFacts } from './decision-facts.ts'
import { decisionView, type ShownValue, type ViewedDecision } from './decision-view.ts'
import { sayView } from './decision-view-words.ts'
import { valueAt } from './json-pointer.ts'
import { marksOf } from './look-alikes.ts'
import { shown } from './shown.ts'
import { isObject } from './verify-entry.ts'
import type { ProofVerdict } from './verify-proof.ts'

type Members = Readonly<Record<string, unknown>>
type Word = keyof typeof ko

export interface Summary {
  readonly text: string
  /** Values in the sentence that are easily read as others, each with the reason. */
  readonly warnings: readonly string[]
}

export interface SummaryOptions {
  /** How a time is written; as in the file unless given. */
  readonly time?: (written: string) => string
}

interface Telling {
  readonly say: Say<Word>
  readonly time: (written: string) => string
  /** A value for the sentence. */
  readonly value: (text: string) => string
}

const longest = 60
const mostValues = 3
/** Nothing in it can be taken for a part of the sentence. */
const token = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._:@/+-]*$/u

/** `document` is the file that the verdict is about. */
export function summaryOf(
  document: unknown,
  verdict: ProofVerdict,
  language: Language,
  { time = String }: SummaryOptions = {},
): Summary {
  const say = saying<Word>({ ko, en }, language)
  const { standing } = verdict
  if (standing === 'newer') return { text: say('newer'), warnings: [] }
  if (standing === 'not-a-proof' && isWaiting(document)) return { text: say('waiting'), warnings: [] }
  if (standing === 'altered' || standing === 'not-a-proof') return { text: say('altered'), warnings: [] }
  const warnings = new Set<string>()
  const value = (text: string): string => {
    const said = quoted(text, say)
    for (const mark of marksOf(text)) warnings.add(say('warning', { value: said, why: sayView(language, mark) }))
    return said
  }
  const telling = { say, time, value }
  const evidence = isObject(document) && isObject(document.evidence) ? document.evidence : {}
  const said = verdict.facts.decision
    ? say('whole', { asked: askedIn(evidence, language, telling), rest: decidedIn(evidence, verdict, telling) })
    : `${unitIn(evidence, telling)}.`
  return { text: qualified(said, verdict, say), warnings: [...warnings] }
}

/** What the file is, before what it says. */
function qualified(said: string, { standing, sandbox }: ProofVerdict, say: Say<Word>): string {
  const inside = standing === 'lost' || standing === 'unvouched' ? say(standing, { said }) : said
  return sandbox ? say('sandbox', { said: inside }) : inside
}

/** What the API answers about a decision that waits, which somebody may take for its proof. */
export function isWaiting(document: unknown): boolean {
  const inside = isObject(document) && isObject(document.data) ? document.data : document
  return isObject(inside) && (isObject(inside.waiting) || inside.outcome === 'approval_required')
}

function quoted(text: string, say: Say<Word>): string {
  const characters = Array.from(text)
  if (characters.length <= longest && token.test(text) && shown(text) === text) return text
  const cut = characters.slice(0, longest).join('')
  const more = characters.length > longest ? `… (${say('length', { count: characters.length })})` : ''
  return `"${shown(cut.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"${more}`
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A name and an ID, each a value of its own. */
function nameOf(name: string | null, id: string | null, { value }: Telling): string | null {
  if (name === null || id === null) return name === null && id === null ? null : value((name ?? id) as string)
  return `${value(name)} (${value(id)})`
}

function askedIn({ event, commitments }: Members, language: Language, telling: Telling): string {
  const { say } = telling
  const { actor, action } = event as { readonly actor?: unknown; readonly action?: unknown }
  const { id, name, type } = isObject(actor) ? actor : {}
  const named = nameOf(text(name), text(id), telling)
  const who = named === null ? say('unnamed') : say(type === 'human' ? 'person' : 'agent', { name: named })
  const isCommitted = isObject(commitments) && Object.hasOwn(commitments, 'event.action.input')
  const isHidden = isCommitted && (!isObject(action) || action.input === undefined)
  return say(isHidden ? 'askedHidden' : 'asked', { who, what: whatIn(event as ViewedDecision, language, telling) })
}

const shortKinds: readonly ShownValue['kind'][] = ['amount', 'number', 'text', 'boolean']
const plainPath = /^[\p{L}\p{N}_.]+$/u

/** The type and the values that matter most, as an approver sees them first. */
function whatIn(event: ViewedDecision, language: Language, { value }: Telling): string {
  const { type, input } = event.action as { readonly type: string; readonly input?: Json }
  const values = decisionView(event, language).others.filter(({ pointer }) => pointer.startsWith('/action/input'))
  const told = values.filter(({ kind }) => shortKinds.includes(kind)).slice(0, mostValues)
  const said = told.map(({ path, label, kind, text: written, pointer }) => {
    const found = kind === 'text' ? valueAt(pointer.slice('/action/input'.length), input) : null
    return `${plainPath.test(path) ? label.join(' › ') : value(path)} ${typeof found === 'string' ? value(found) : written}`
  })
  if (said.length < values.length) said.push('…')
  return said.length === 0 ? value(type) : `${value(type)} (${said.join(', ')})`
}

/** Null where the passkey's signature is verified, or none is stated. */
const doubt = ({ level, passkey }: ApprovalFacts): ' unknown' | '' =>
  level === 'passkey' && passkey?.status !== 'holds' ? ' unknown' : ''

function decidedIn(evidence: Members, { facts }: ProofVerdict, telling: Telling): string {
  const { say } = telling
  const given = approvalsIn(evidence)
  const approvals = (facts.decision?.approvals ?? []).map((each, at) => ({ facts: each, given: given[at] }))
  const last = approvals.at(-1)
  const execution = executedIn(evidence, facts.execution, telling)
  if (last === undefined) return say('unapproved', { execution })
  const whoIn = ({ facts: each, given: from }: (typeof approvals)[number]): string => {
    const approver = from?.approval.approver
    const { id, name } = isObject(approver) ? approver : {}
    const who = nameOf(text(name), text(id), telling) ?? say('someone')
    return each.onBehalfOf === null ? who : say('deputy', { who, other: telling.value(each.onBehalfOf) })
  }
  const wayOf = ({ facts: each }: (typeof approvals)[number]) =>
    each.level === 'passkey' ? (`passkey${doubt(each)}` as const) : each.level
  if (last.facts.result === 'refused') {
    const { refusal } = last.facts
    if (refusal !== null) return say(`refused ${refusal}`)
    return say(`refused ${wayOf(last)}`, { who: whoIn(last) })
  }
  const counting = approvals.filter(({ facts: each }) => each.void === null)
  if (counting.length === 1) return say('approved', { by: say(`by ${wayOf(last)}`, { who: whoIn(last) }), execution })
  const said = counting.map((each) => {
    if (each.facts.hidden) return say('each hidden')
    const step = stepIn(each.given?.control ?? null)
    const way = say(`each ${wayOf(each)}`, { who: whoIn(each) })
    return step === null ? way : say('step', { step, said: way })
  })
  return say('approved', { by: say('list', { count: said.length, each: said.join(', ') }), execution })
}

/** The step that it filled, counted from one; null where it filled places of several lines, or states none. */
function stepIn(control: Members | null): number | null {
  const admitted = Array.isArray(control?.admitted) ? control.admitted : []
  const [first] = admitted
  return admitted.length === 1 && isObject(first) && typeof first.step === 'number' ? first.step + 1 : null
}

const outcomes = ['succeeded', 'failed', 'unknown'] as const

/** That it was reported, never that it happened. */
function executedIn(evidence: Members, execution: ExecutionFacts | null, { say, time }: Telling): string {
  if (execution === null) return say('ran none')
  const history = Array.isArray(evidence.history) ? evidence.history.filter(isObject) : []
  const count = history.filter(({ type, action }) => type === 'execution' && action === 'consumed').length
  if (count !== 1) return say('ran again', { count })
  const outcome = outcomes.find((each) => each === execution.outcome) ?? 'Taken'
  return say(`ran ${outcome}`, { at: time(execution.consumedAt) })
}

function unitIn({ id, referenceType, sealedAt, evidenceLevel }: Members, { say, time, value }: Telling): string {
  const level = text(evidenceLevel)
  return say('unit', {
    id: value(text(id) ?? '–'),
    type: value(text(referenceType) ?? '–'),
    at: time(text(sealedAt) ?? '–'),
    level: level && value(level),
  })
}
