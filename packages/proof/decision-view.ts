/**
 * What an approver is shown: every value that `actionDigest` covers, in the order in which it matters, with the limits of the
 * policies that read it. One function for the approval page, the console, batches and the verifier. Pure.
 */
import { type AnsweredAction, digestedOf } from './action-digest.ts'
import { type ActionTemplate, inLanguage, type LocalizedText, sentenceParts } from './action-template.ts'
import { canonical, type Json } from './canonical.ts'
import { type ViewLanguage, type ViewWord, viewWords } from './decision-view-words.ts'
import { marksOf, type TextMark } from './look-alikes.ts'
import { isAmountName, isInput, isPartyName, isSaid, labelOf, placeOf } from './view-labels.ts'
import { isAt, type Limit, limitsOf, pointersRead, type ViewRule } from './view-limits.ts'
import { type Leaf, leavesOf, pointerOf, type Step, stepsOf, textOf } from './view-values.ts'

/** Which view this is. An approval states it: another order or other texts get another name. */
export const viewName = 'countersign-view-1'

/** A decision with more than this cannot be approved: nobody reads it. */
export const viewBound = { values: 200, bytes: 32_768 } as const

/** What the center calls this type of action and its values, in a version that its history has. */
export interface ViewActionType extends ActionTemplate {
  readonly version: number
  readonly digest: string
}

/** The members of a decision, as the API answers with it. */
export interface ViewedDecision extends AnsweredAction {
  /** Not covered by the digest; a policy can read them. */
  readonly tags?: readonly string[]
  readonly waiting?: { readonly rules: readonly ViewRule[] } | null
  readonly actionType?: ViewActionType | null
}

export interface ShownValue {
  readonly pointer: string
  /** One text for one place, beside every label. */
  readonly path: string
  /** From the outermost name to the innermost. */
  readonly label: readonly string[]
  readonly text: string
  /** Says in words what a text such as `true` or `[]` means. */
  readonly gloss: string | null
  readonly kind: 'amount' | 'number' | 'text' | 'long' | 'boolean' | 'null' | 'empty' | 'absent'
  /** Of a text, in characters. */
  readonly length: number
  /** `agent`: an assertion of whoever recorded the decision. */
  readonly words: 'agent' | 'value'
  /** What policies read it for, in words. */
  readonly limits: readonly string[]
  readonly scale: Limit['scale']
  /** Letters that deceive, and the same in words. */
  readonly marks: readonly TextMark[]
  readonly warnings: readonly string[]
  /** The items of a list of short values have the path of the list. */
  readonly list: string | null
}

export interface HeadlinePart {
  readonly text: string
  /** It is a value, not a word of ours. */
  readonly fact: boolean
}

export interface ViewSize {
  readonly values: number
  readonly bytes: number
  readonly fits: boolean
}

export interface DecisionView {
  readonly name: typeof viewName
  readonly language: ViewLanguage
  /** Made of values, never of what an agent wrote about them. */
  readonly headline: readonly HeadlinePart[]
  readonly template: { readonly version: number; readonly digest: string } | null
  /** What a policy reads. */
  readonly read: readonly ShownValue[]
  /** Amounts, names and recipients, then all others. */
  readonly others: readonly ShownValue[]
  /** What the agent says about them. */
  readonly said: readonly ShownValue[]
  /** What the digest does not cover: tags, and what a policy reads although it was not sent. */
  readonly beside: readonly ShownValue[]
  readonly size: ViewSize
}

const covered = (decision: ViewedDecision) => digestedOf(decision) as unknown as Json

/** How much an approver has to read. */
export function viewSize(decision: ViewedDecision): ViewSize {
  const content = covered(decision)
  const [values, bytes] = [leavesOf(content).length, new TextEncoder().encode(canonical(content)).length]
  return { values, bytes, fits: values <= viewBound.values && bytes <= viewBound.bytes }
}

export function decisionView(decision: ViewedDecision, language: ViewLanguage): DecisionView {
  const rules = decision.waiting?.rules ?? []
  const template = decision.actionType ?? null
  const content = covered(decision)
  const leaves = leavesOf(content).map((leaf) => ({
    leaf,
    limits: limitsOf(rules, pointerOf(leaf.steps), leaf.value, language),
    parent: pointerOf(leaf.steps.slice(0, -1)),
  }))
  // The items of a list are numbered where they stand, so they stand together or each by itself.
  const apart = new Set(leaves.filter(({ limits }) => limits.length > 0).map(({ parent }) => parent))
  const lists = new Map([...shortLists(content)].filter(([pointer]) => !apart.has(pointer)))
  const mainLists = new Set(leaves.filter(({ leaf }) => isMain(leaf)).map(({ parent }) => parent))
  const seen = leaves.map(({ leaf, limits, parent }) => {
    const list = lists.get(parent) ?? null
    const isFirst = isMain(leaf) || (list !== null && mainLists.has(parent))
    const place =
      limits.length > 0 ? 'read' : isSaid(leaf.steps) ? 'said' : isFirst ? 'main' : isSent(leaf) ? 'rest' : 'types'
    return { place, value: { ...shownLeaf(leaf, limits, template, language), list } } as const
  })
  const at = (place: (typeof seen)[number]['place']) =>
    seen.filter((each) => each.place === place).map(({ value }) => value)
  const order = pointersRead(rules)
  const placeIn = ({ pointer }: ShownValue) => order.findIndex((each) => isAt(pointer, each))
  const read = at('read').toSorted((one, other) => placeIn(one) - placeIn(other))
  const others = [...at('main'), ...at('rest'), ...at('types')]
  const isThere = (pointer: string) => seen.some(({ value }) => isAt(value.pointer, pointer))
  return {
    name: viewName,
    language,
    headline: headlineOf(decision, [...read, ...others], language),
    template: template && { version: template.version, digest: template.digest },
    read,
    others,
    said: at('said'),
    beside: besideOf(
      decision,
      order.filter((pointer) => !isThere(pointer)),
      language,
    ),
    size: viewSize(decision),
  }
}

/** Whoever reads finds them here by their value and by their place. */
function shownLeaf(
  { steps, value }: Leaf,
  limits: readonly Limit[],
  template: ViewActionType | null,
  language: ViewLanguage,
): ShownValue {
  const words = viewWords[language]
  const pointer = pointerOf(steps)
  const scale = limits.find((limit) => limit.scale !== null)?.scale ?? null
  const isAmount = scale !== null || (!isSaid(steps) && isAmountName(steps))
  const marks = [...new Set([value, ...steps].flatMap((each) => (typeof each === 'string' ? marksOf(each) : [])))]
  const gloss = glossOf(value)
  return {
    pointer,
    path: placeOf(steps),
    label: ownLabel(steps, template, language) ?? labelOf(steps, language),
    text: textOf(value),
    gloss: gloss && words[gloss],
    kind: kindOf(value, isAmount),
    length: typeof value === 'string' ? [...value].length : 0,
    words: isSaid(steps) ? 'agent' : 'value',
    limits: limits.map(({ text }) => text),
    scale,
    marks,
    warnings: marks.map((mark) => words[mark]),
    list: null,
  }
}

/** A template calls a value as it likes; the path stays beside it. */
function ownLabel(
  steps: readonly Step[],
  template: ViewActionType | null,
  language: ViewLanguage,
): readonly string[] | null {
  const pointer = pointerOf(steps.slice(2))
  if (!template || !isInput(steps) || !Object.hasOwn(template.labels, pointer)) return null
  return [textOf(inLanguage(template.labels[pointer] as LocalizedText, language))]
}

const longFrom = 160

function kindOf(value: Json, isAmount: boolean): ShownValue['kind'] {
  if (value === null) return 'null'
  if (typeof value === 'number') return isAmount ? 'amount' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'object') return 'empty'
  return (value as string).length > longFrom || (value as string).split('\n').length > 4 ? 'long' : 'text'
}

function glossOf(value: Json): ViewWord | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null) return 'nothing'
  if (value === '') return 'blank'
  return typeof value === 'object' ? 'empty' : null
}

/** Input and output; the names of the types are the same for every decision of a kind. */
const isSent = ({ steps: [, member] }: Leaf): boolean => member === 'input' || member === 'output'

const isMain = ({ steps, value }: Leaf): boolean =>
  isInput(steps) && (isPartyName(steps.slice(2)) || (typeof value === 'number' && isAmountName(steps.slice(2))))

const shortItem = 40

/** Lists of more than two short values, by their pointers: they are shown side by side. */
function shortLists(content: Json, steps: readonly Step[] = []): ReadonlyMap<string, string> {
  if (typeof content !== 'object' || content === null) return new Map()
  if (!Array.isArray(content)) {
    return new Map(Object.entries(content).flatMap(([step, each]) => [...shortLists(each, [...steps, step])]))
  }
  const isShort = (each: Json) =>
    typeof each === 'number' ||
    (typeof each === 'string' && each !== '' && each.length <= shortItem && marksOf(each).length === 0)
  if (content.length > 2 && content.every(isShort)) return new Map([[pointerOf(steps), placeOf(steps)]])
  return new Map(content.flatMap((each, at) => [...shortLists(each, [...steps, at])]))
}

const headlineValues = 3
const longestInHeadline = 60

/** By the sentence of the template, or of the type and the values that matter most. Every value is shown whole below it. */
function headlineOf(
  { action, actionType }: ViewedDecision,
  values: readonly ShownValue[],
  language: ViewLanguage,
): readonly HeadlinePart[] {
  const { type, input } = action as { readonly type: string; readonly input?: unknown }
  if (actionType?.sentence) {
    return sentenceParts(inLanguage(actionType.sentence, language), input).map((part) => ({
      text: part.kind === 'value' && part.more > 0 ? `${part.text}… (+${part.more})` : part.text,
      fact: part.kind !== 'text',
    }))
  }
  const name = textOf(actionType ? inLanguage(actionType.name, language) : type)
  const short = values.filter(
    ({ kind, text, list, pointer }) =>
      ['amount', 'number', 'text'].includes(kind) &&
      list === null &&
      pointer.startsWith('/action/input/') &&
      text.length <= longestInHeadline,
  )
  return [
    { text: name.length > longestInHeadline ? `${name.slice(0, longestInHeadline)}…` : name, fact: !actionType },
    ...short.slice(0, headlineValues).flatMap(({ label, text }, at) => [
      { text: `${at === 0 ? ': ' : ', '}${label.join(' › ')} `, fact: false },
      { text, fact: true },
    ]),
  ]
}

function besideOf(
  { tags = [], waiting }: ViewedDecision,
  notSent: readonly string[],
  language: ViewLanguage,
): readonly ShownValue[] {
  const rules = waiting?.rules ?? []
  const words = viewWords[language]
  const isTag = (pointer: string) => isAt(pointer, '/tags')
  const pointers = tags.length > 0 ? ['/tags', ...notSent.filter((each) => !isTag(each))] : notSent
  return pointers.map((pointer) => {
    const steps = stepsOf(pointer)
    const isThere = pointer === '/tags' && tags.length > 0
    const found = isThere ? tags : undefined
    const limits = rules.flatMap((rule) => limitsOf([rule], pointer, found, language))
    return {
      ...shownLeaf({ steps, value: null }, limits, null, language),
      text: isThere ? tags.map((tag) => textOf(tag)).join(', ') : '',
      gloss: isThere ? null : words.absent,
      kind: isThere ? 'text' : 'absent',
    }
  })
}
