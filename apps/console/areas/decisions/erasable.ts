/**
 * What can be erased from a decision, in words: every value with its name, grouped by whose data it is. A value that is
 * sealed as one, as all that was requested, is erased as one, whatever part of it was looked for. Pure.
 */
import { isDigested } from '@countersign/proof/decision-fields.ts'
import { type DecisionView, decisionView, type ViewedDecision } from '@countersign/proof/decision-view.ts'
import { shown } from '@countersign/proof/shown.ts'
import { labelOf } from '@countersign/proof/view-labels.ts'
import { leavesOf, textOf } from '@countersign/proof/view-values.ts'
import type { Language } from '@countersign/words/say.ts'

export const groups = ['subject', 'requester', 'approver', 'technical'] as const
export type Group = (typeof groups)[number]

export interface NamedValue {
  readonly label: string
  readonly text: string
}

/** What is erased by one choice. */
export interface Erasable {
  readonly path: string
  readonly group: Group
  readonly values: readonly NamedValue[]
}

type Members = Readonly<Record<string, unknown>>
type Labels = (path: string) => string | null

const at = (evidence: Members, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Members | undefined)?.[name], evidence)

const technical =
  /salt$|statement$|^event\.(?:recordedBy|aiContext\.(?:toolCallId|traceId|spanId|promptDigest|agentVersion|modelVersion))$|^control$|\.(?:shown|control|seen)$/i

function groupOf(path: string): Group {
  if (technical.test(path)) return 'technical'
  if (/^(?:event\.action\.(?:input|output)|event\.tags|output|metadata)$/.test(path)) return 'subject'
  if (path.startsWith('event.') || isDigested(path)) return 'requester'
  return /approv|comment|statement|^prior/i.test(path) ? 'approver' : 'technical'
}

/** `labels`: the words for paths outside of the request. */
export function erasableIn(
  evidence: Members,
  paths: readonly string[],
  actionType: ViewedDecision['actionType'],
  labels: Labels,
  language: Language,
): readonly Erasable[] {
  const event = evidence.event as ViewedDecision
  const view = decisionView({ ...event, actionType: actionType ?? null }, language)
  return paths.map((path) => ({ path, group: groupOf(path), values: valuesAt(evidence, path, view, labels, language) }))
}

function valuesAt(
  evidence: Members,
  path: string,
  view: DecisionView,
  labels: Labels,
  language: Language,
): readonly NamedValue[] {
  const pointer = path.replace(/^event/, '').replaceAll('.', '/')
  const viewed = [...view.read, ...view.others, ...view.said]
    .filter((each) => path.startsWith('event.') && (each.pointer === pointer || each.pointer.startsWith(`${pointer}/`)))
    .map(({ label, text, gloss }) => ({ label: label.join(' › '), text: gloss ?? shown(text) }))
  if (viewed.length > 0) return viewed
  const steps = path.replace(/^event\./, '').split('.')
  const name = labels(path) ?? labelOf(steps, language).join(' › ')
  return leavesOf(at(evidence, path) as never).map(({ steps: inner, value }) => ({
    label: [name, ...inner.map((step) => (typeof step === 'number' ? String(step + 1) : step))].join(' › '),
    text: typeof value === 'string' ? shown(value) : textOf(value),
  }))
}

const comparable = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s,.-]/g, '')

/** By a value or by its name. */
export function found(all: readonly Erasable[], search: string): readonly Erasable[] {
  const wanted = comparable(search)
  if (wanted === '') return all
  return all.filter(({ values }) => values.some((each) => matches(each, search)))
}

export const matches = ({ label, text }: NamedValue, search: string): boolean =>
  comparable(search) !== '' && [label, text].some((each) => comparable(each).includes(comparable(search)))
