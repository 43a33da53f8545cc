/**
 * The answer that a page shows to its sample. The contract's examples were recorded apart from each other, so the answer takes
 * over the values that the sample sends under the same name. proof-samples.test.ts compares both with a server.
 */
import { replyExample } from '@countersign/contract/examples.ts'
import { fullPath, type Operation } from '@countersign/contract/operation.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text, numbers and lists of them; a list of objects has another form in an answer. */
const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((each) => !isFields(each)) : value !== null && !isFields(value)

function following(sent: Fields, answer: Fields): Fields {
  const changed = Object.entries(answer).map(([name, value]) => {
    const given = sent[name]
    if (isFields(given) && isFields(value)) return [name, following(given, value)]
    const isSame = Array.isArray(given) === Array.isArray(value) || value === null
    return [name, isPlain(given) && given !== undefined && !isFields(value) && isSame ? given : value]
  })
  return Object.fromEntries(changed)
}

export const sampleBody = ({ spec }: Operation): unknown =>
  spec.body && ((spec.body as { examples?: readonly unknown[] }).examples?.[0] ?? {})

export function answerOf(operation: Operation, status: number): unknown {
  const example = replyExample(operation, status)
  const body = sampleBody(operation)
  if (!isFields(body) || !isFields(example) || !isFields(example.data)) return example
  return { ...example, data: following(body, example.data) }
}

/** The record that an ID in the path of the sample stands for: the one in the answer, if that is what the path names. */
export function namedId(operation: Operation, name: string, example: unknown): unknown {
  const [status = ''] = Object.keys(operation.bodies)
  const { data } = (replyExample(operation, Number(status)) ?? {}) as { data?: unknown }
  const shown = Array.isArray(data) ? data[0] : data
  const kindOf = (id: unknown): string => /^([a-z]+)_/.exec(String(id))?.[1] ?? ''
  const named = isFields(shown) && shown.id
  // A record is found by the ID of its event, its evidence or its DPU.
  const isRecord = kindOf(example) === 'evt' && ['evd', 'dpu'].includes(kindOf(named))
  const isLast = fullPath(operation.spec).split('{').at(-1)?.startsWith(`${name}}`)
  if (named && isLast && (isRecord || kindOf(named) === kindOf(example)) && kindOf(named) !== '') return named
  const event = isFields(shown) && shown.eventId
  return event && kindOf(example) === 'evt' && isLast ? event : example
}
