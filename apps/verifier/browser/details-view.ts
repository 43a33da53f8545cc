/** What a record says, what it lacks, and the facts about it. */
import { pageElement } from '@countersign/design/drawing.ts'
import { digestedNames } from '@countersign/proof/decision-fields.ts'
import { type DecisionView, decisionView, type ViewedDecision } from '@countersign/proof/decision-view.ts'
import { viewNodes } from '@countersign/proof/view-tree.ts'
import { type Language, say, type Words } from '../words.ts'
import { asOfInWords } from './decision-view.ts'
import { make } from './dom.ts'
import { type Fact, factList, inWords } from './facts-view.ts'
import type { Shown } from './shown.ts'

const elsewhere = ['id', 'decisionId', 'chain', 'commitments', 'disclosures', 'log', 'sealedAt', 'history', 'content']

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** A page with more is slow; the document below has all. */
const mostValues = 1000

/** What the digest of a decision covers, as its approver was shown it; null for a unit, and where a part is not shown. */
function decisionOf({ event }: Members, language: Language): DecisionView | null {
  if (!isObject(event) || typeof event.type !== 'string' || !isObject(event.actor)) return null
  if (!isObject(event.action) || typeof event.action.type !== 'string') return null
  const view = decisionView(event as unknown as ViewedDecision, language)
  return view.size.values > mostValues ? null : view
}

const covered: readonly string[] = [...digestedNames, 'tags']

export function contentView({ judged, alteration, language }: Shown, words: Words): HTMLElement | null {
  const evidence = (judged.document as { evidence?: unknown } | null)?.evidence
  if (!isObject(evidence)) return null
  const view = decisionOf(evidence, language)
  const values = view ? valuesOf(view, evidence, alteration?.path ?? null) : []
  const rows: HTMLElement[] = []
  const visit = (value: unknown, path: string): void => {
    if (isObject(value) && Object.keys(value).length > 0) {
      for (const [name, inner] of Object.entries(value)) {
        if (!(view && path === 'event' && covered.includes(name))) visit(inner, `${path}.${name}`)
      }
      return
    }
    const text = shortened(typeof value === 'string' ? value : JSON.stringify(value))
    const changed = alteration?.path === `evidence.${path}`
    rows.push(
      make('div', {}, make('dt', {}, make('code', {}, path)), make('dd', {}, changed ? make('mark', {}, text) : text)),
    )
  }
  for (const [name, value] of Object.entries(evidence)) {
    // The content of a unit is what it says; that of a decision is the hashed text, which is in the document below.
    if (!elsewhere.includes(name) || (name === 'content' && !('event' in evidence))) visit(value, name)
  }
  return rows.length + values.length === 0
    ? null
    : make(
        'section',
        { class: 'part', id: 'content' },
        make('h2', {}, words.says),
        values,
        make('dl', { class: 'facts said' }, rows.slice(0, 60)),
      )
}

function valuesOf(view: DecisionView, { event }: Members, altered: string | null): readonly HTMLElement[] {
  const isPerson = isObject(event) && isObject(event.actor) && event.actor.type === 'human'
  const elements = viewNodes(view, { policies: [], keyName: null, isPerson }).map(
    (node) => pageElement(node, document as never) as unknown as HTMLElement,
  )
  for (const value of elements.flatMap((element) => [...element.querySelectorAll<HTMLElement>('[data-v]')])) {
    const path = `evidence.event${value.dataset.v?.replaceAll('/', '.')}`
    if (path === altered) value.replaceChildren(make('mark', {}, ...value.childNodes))
  }
  return elements
}

export function missingView({ judged, language }: Shown, words: Words): HTMLElement | null {
  const { undisclosed, redacted } = judged.verdict
  if (undisclosed.length + redacted.length === 0) return null
  return make(
    'section',
    { class: 'part' },
    redacted.length > 0 && [
      make('h2', {}, words.redacted),
      make('p', {}, words.redactedWhy),
      make(
        'ul',
        { class: 'paths' },
        redacted.map(({ path, at, reason }) =>
          make(
            'li',
            {},
            say(reason ? words.redactedFor : words.redactedAt, {
              path,
              time: inWords(at, language),
              reason: reason ?? '',
            }),
          ),
        ),
      ),
    ],
    undisclosed.length > 0 && [
      make('h2', {}, words.undisclosed),
      make('p', {}, words.undisclosedWhy),
      make(
        'ul',
        { class: 'paths' },
        undisclosed.map((path) => make('li', {}, make('code', {}, path))),
      ),
    ],
  )
}

export function outsideView({ judged }: Shown, words: Words): HTMLElement | null {
  const { outside: paths } = judged.verdict
  if (paths.length === 0) return null
  return make(
    'section',
    { class: 'part', id: 'outside' },
    make('h2', {}, words.outside),
    make('p', {}, words.outsideWhy),
    make(
      'ul',
      { class: 'paths' },
      paths.map((path) => make('li', {}, make('code', {}, path))),
    ),
  )
}

export function factsView({ judged, language }: Shown, words: Words): HTMLElement {
  const { id, decisionId, log, index, hash, sealedAt, size, cosignedBy, timestamp } = judged.verdict.facts
  const place =
    index === null ? null : say(size === null ? words.factAlone : words.factOf, { entry: index + 1, size: size ?? '' })
  const { rules } = judged.verdict.facts.decision ?? {}
  const sealedUnder =
    rules &&
    say(rules.index === null ? words.rulesFirst : words.rulesAt, { index: rules.index === null ? '' : rules.index + 1 })
  return make(
    'section',
    { class: 'part' },
    make('h2', {}, words.facts),
    factList(
      [
        ['factId', id, 'code'],
        ['factDecision', decisionId, 'code'],
        ['factLog', log, 'code'],
        ['factIndex', place],
        ['factHash', hash, 'code'],
        ['factSealed', sealedAt, 'time'],
        ['factRules', sealedUnder],
        ['factRulesDigest', rules?.digest, 'code'],
        ['factAsOf', asOfInWords(judged.verdict, words)],
        ...cosignedBy.map(
          ({ name, at }): Fact => ['factWitness', say(words.factWitnessed, { name, time: inWords(at, language) })],
        ),
        ['factTimestamp', timestamp && words.stampUnverified],
      ],
      words,
      language,
    ),
  )
}

const longest = 600
export const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)} …` : text)
