/**
 * The view of a decision as a tree of elements, so that every page draws the same. A text of a record is only ever a text, or
 * the value of an attribute that nothing runs. Elements with `data-v` are the values that have to be in view. Pure.
 */

import type { DecisionView, ShownValue } from './decision-view.ts'
import { sayView, type ViewLanguage } from './decision-view-words.ts'
import { shown } from './shown.ts'

export interface ViewNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly (ViewNode | string)[]
}

type Child = ViewNode | string | null | readonly Child[]

const node = (tag: string, attributes: Readonly<Record<string, string>>, ...children: readonly Child[]): ViewNode => ({
  tag,
  attributes,
  children: flat(children),
})
const flat = (children: readonly Child[]): readonly (ViewNode | string)[] =>
  children.flatMap((child): readonly (ViewNode | string)[] =>
    child === null ? [] : Array.isArray(child) ? flat(child as readonly Child[]) : [child as ViewNode | string],
  )

export interface ViewContext {
  /** The policies that ask, by name and version. */
  readonly policies: readonly { readonly name: string; readonly version: number }[]
  /** Of the key that recorded it. */
  readonly keyName: string | null
  /** A person asked, and not an agent; the words are then a person's. */
  readonly isPerson: boolean
}

const saidHeading = ({ isPerson }: ViewContext, language: ViewLanguage): string =>
  sayView(language, isPerson ? 'saidByPerson' : 'saidHeading')

/** The sentence over a decision. */
export const headlineNodes = ({ headline }: Pick<DecisionView, 'headline'>): readonly (ViewNode | string)[] =>
  headline.map(({ text, fact }) => (fact ? node('bdi', { class: 'f' }, text) : text))

/** Above this many characters a sentence is set smaller, and folded: its values are all below it. */
const longHeadline = 120

/** What unfolds a sentence that is too long to be read at a glance; null for others. */
export function headlineFold(view: Pick<DecisionView, 'headline' | 'template' | 'language'>): ViewNode | null {
  const { length } = [...headlineText({ ...view, template: null })]
  return length > longHeadline ? unfold(length, view.language) : null
}

/** With so many values at most; the sentence of a template stays whole. */
export const headlineText = (
  { headline, template }: Pick<DecisionView, 'headline' | 'template'>,
  most = headline.length,
): string => (template ? headline : headline.slice(0, 1 + 2 * most)).map(({ text }) => text).join('')

/** All values, in their order. */
export function viewNodes(view: DecisionView, context: ViewContext): readonly ViewNode[] {
  const { read, others, said, beside, language } = view
  const isRead = ({ limits }: ShownValue) => limits.length > 0
  return flat([
    readPart([...read, ...beside.filter(isRead)], context, language),
    othersPart([...others, ...beside.filter((value) => !isRead(value))], language),
    saidPart(said, context, language),
  ]) as readonly ViewNode[]
}

const heading = (text: string, aside: string): ViewNode =>
  node('h2', { class: 'view-head' }, text, aside === '' ? null : node('small', {}, aside))

const othersPart = (values: readonly ShownValue[], language: ViewLanguage): ViewNode =>
  node(
    'section',
    { class: 'part view-part' },
    heading(sayView(language, 'othersHeading'), sayView(language, 'asSent')),
    node('dl', { class: 'vals' }, valueRows(values, language)),
  )

function readPart(values: readonly ShownValue[], context: ViewContext, language: ViewLanguage): ViewNode | null {
  if (values.length === 0) return null
  const names = context.policies
    .map(({ name, version }) => sayView(language, 'ofVersion', { name: shown(name), version }))
    .join(', ')
  return node(
    'section',
    { class: 'view-part' },
    heading(sayView(language, 'readHeading'), names),
    node(
      'div',
      { class: 'reads' },
      values.map((value) => readValue(value, saidHeading(context, language), language)),
    ),
  )
}

const largest = 24

function readValue(value: ShownValue, whose: string, language: ViewLanguage): ViewNode {
  const { path, text, kind, limits, scale, words } = value
  const isShort = kind !== 'absent' && text.length <= largest
  return node(
    'div',
    tracked(value),
    node('span', { class: 'k' }, node('span', {}, labelNodes(value)), node('span', { class: 'at' }, path)),
    kind === 'long' ? longText(value, language) : node('bdi', { class: isShort ? 'v big' : 'v' }, text),
    notes(value, language),
    words === 'agent' ? node('small', {}, whose) : null,
    limits.map((limit) => node('span', { class: 'lim' }, limit)),
    scale ? scaleNode(scale) : null,
  )
}

/** What the digest does not cover is no value that an approval is about. */
const tracked = ({ pointer, kind, path }: ShownValue): Readonly<Record<string, string>> =>
  kind === 'absent' || path === tagsPath ? {} : { 'data-v': pointer }

const tagsPath = 'tags:'

/** From the outermost name to the innermost. */
export const labelNodes = ({ label }: Pick<ShownValue, 'label'>): readonly ViewNode[] =>
  label.map((step, at) => node('bdi', at < label.length - 1 ? { class: 'view-step' } : {}, step))

function notes({ gloss, warnings, path }: ShownValue, language: ViewLanguage): readonly Child[] {
  return [
    gloss === null ? null : node('small', {}, gloss),
    path === tagsPath ? node('small', {}, sayView(language, 'notCovered')) : null,
    warnings.map((warning) => node('span', { class: 'warned' }, `△ ${warning}`)),
  ]
}

/** Six lines, and all of it in place: without script, so that nothing has to be running for a text to be read. */
const unfold = (length: number, language: ViewLanguage): ViewNode =>
  node(
    'label',
    { class: 'unfold' },
    node('input', { type: 'checkbox' }),
    node('span', {}, sayView(language, 'longText', { count: length })),
    ' · ',
    node('span', { class: 'link more' }, sayView(language, 'showAll')),
    node('span', { class: 'link less' }, sayView(language, 'showLess')),
  )

const longText = ({ text, length }: ShownValue, language: ViewLanguage): readonly Child[] => [
  node('bdi', { class: 'long' }, text),
  unfold(length, language),
]

function row(value: ShownValue, language: ViewLanguage): ViewNode {
  const { kind, path } = value
  const isLong = kind === 'long'
  return node(
    'div',
    {},
    node('dt', {}, node('span', {}, labelNodes(value)), node('span', { class: 'at' }, path)),
    node('dd', { ...(isLong && { class: 'whole' }), ...tracked(value) }, cellNodes(value, language)),
  )
}

/** A value without its name. */
export const cellNodes = (value: ShownValue, language: ViewLanguage): readonly (ViewNode | string)[] =>
  flat([
    value.kind === 'long' ? longText(value, language) : node('bdi', {}, value.text),
    notes(value, language),
    value.limits.map((limit) => node('span', { class: 'lim' }, limit)),
  ])

/** Values of one list stand side by side. */
export function valueRows(values: readonly ShownValue[], language: ViewLanguage): readonly ViewNode[] {
  const made: ViewNode[] = []
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as ShownValue
    if (value.list === null) {
      made.push(row(value, language))
      continue
    }
    const after = values.findIndex((each, place) => place > at && each.list !== value.list)
    const items = values.slice(at, after < 0 ? undefined : after)
    made.push(listRow(items, language))
    at += items.length - 1
  }
  return made
}

function listRow(items: readonly ShownValue[], language: ViewLanguage): ViewNode {
  const first = items[0] as ShownValue
  const label = { ...first, label: first.label.slice(0, -1) }
  const count = sayView(language, 'items', { count: items.length })
  return node(
    'div',
    {},
    node('dt', {}, node('span', {}, labelNodes(label), ` · ${count}`), node('span', { class: 'at' }, first.list ?? '')),
    node(
      'dd',
      { class: 'whole' },
      node(
        'ol',
        { class: 'lot' },
        items.map((item, at) =>
          node('li', tracked(item), node('span', {}, String(at + 1)), node('bdi', {}, item.text)),
        ),
      ),
    ),
  )
}

function saidPart(values: readonly ShownValue[], context: ViewContext, language: ViewLanguage): ViewNode | null {
  if (values.length === 0) return null
  const { keyName } = context
  return node(
    'section',
    { class: 'said-box' },
    node(
      'h2',
      {},
      node('span', {}, `“ ${saidHeading(context, language)}`),
      node('small', {}, sayView(language, 'unverified')),
    ),
    keyName === null ? null : node('p', { class: 'small soft' }, sayView(language, 'keySays', { key: shown(keyName) })),
    node('dl', { class: 'vals' }, valueRows(values, language)),
  )
}

const width = 270

/** A value against its limit, on one line of ink. */
function scaleNode({ limit, value }: NonNullable<ShownValue['scale']>): ViewNode | null {
  if (limit < 0 || value <= 0) return null
  const longest = Math.max(limit, value) * 1.22
  const [from, to] = [limit, value].map((each) => String(Math.round((width * each) / longest)))
  const path = (d: string, weight: string) =>
    node('path', { d, stroke: 'currentColor', 'stroke-width': weight, 'vector-effect': 'non-scaling-stroke' })
  return node(
    'svg',
    { viewBox: `0 0 ${width} 18`, preserveAspectRatio: 'none', 'aria-hidden': 'true', class: 'scale' },
    path(`M0 9H${width}`, '1'),
    path(`M${from} 1V17`, '2'),
    path(`M${from} 9H${to}`, '5'),
  )
}
