/** Every value of a decision, as text. */
import { type Child, linesOf, make } from './dom.ts'
import { dateTime, number } from './format.ts'
import { spoken, told, words } from './page.ts'
import type { Decision } from './types.ts'

const deepest = 8

/** Objects and lists become lists of terms; what is deeper than a reader can follow is shown as JSON. */
function valueView(value: unknown, depth = 0): Child {
  if (typeof value === 'number') return number(value, spoken())
  if (typeof value === 'string') return linesOf(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Array.isArray(value)
    ? value.map((each, at) => [String(at + 1), each] as const)
    : Object.entries(value)
  if (members.length === 0) return words().empty
  if (depth >= deepest) return JSON.stringify(value)
  return make(
    'dl',
    { class: 'tree' },
    members.map(([name, each]) => [make('dt', {}, name), make('dd', {}, valueView(each, depth + 1))]),
  )
}

export function dataView(decision: Decision): HTMLElement {
  const { action, aiContext = {}, tags, actor } = decision
  const { reasoning, confidence: _, ...model } = aiContext
  const count = Object.keys(action.input ?? {}).length + Object.keys(action.output ?? {}).length
  const rows: readonly (readonly [string, Child])[] = [
    [words().actionType, action.type],
    [words().actorLabel, valueView(actor)],
    ...(action.input ? [[words().input, valueView(action.input)] as const] : []),
    ...(action.output ? [[words().output, valueView(action.output)] as const] : []),
    ...(Object.keys(model).length > 0 ? [[words().model, valueView(model)] as const] : []),
    ...(reasoning ? [[words().reasoning, valueView(reasoning)] as const] : []),
    ...(tags.length > 0 ? [[words().tags, tags.join(', ')] as const] : []),
    [words().occurred, dateTime(decision.occurredAt, spoken())],
    [words().recorded, dateTime(decision.createdAt, spoken())],
    [words().numbers, make('span', { class: 'mono' }, decision.decisionId, ' ', decision.id)],
    [words().digest, make('span', { class: 'mono' }, decision.actionDigest)],
  ]
  return make(
    'details',
    { class: 'data' },
    make('summary', { class: 'link tap' }, told('allData', { count })),
    make(
      'dl',
      { class: 'facts' },
      rows.map(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]),
    ),
  )
}
