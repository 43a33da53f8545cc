/** The step in which a language model puts figures into words. Where it cannot, the draft has figures only and says so. */
import type { Json } from '@countersign/proof/canonical.ts'
import { type Draft, type Step, type StepContext, StepFailure } from '../features/automation/workflows/api.ts'
import type { SentenceFacts } from './sentences.ts'

export type Wording = {
  readonly summary: string
  readonly points: readonly string[]
  /** Numbers in the model's words that are not among its figures: a reviewer checks them first. */
  readonly unfounded: readonly string[]
  readonly ai: NonNullable<Draft['ai']>
}

/** The output of the step; `missing` is the reason why there are no words. */
export type Worded = { readonly wording: Wording | null; readonly missing?: string }

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'points'],
  properties: {
    summary: { type: 'string', description: 'Two to five plain sentences' },
    points: {
      type: 'array',
      items: { type: 'string' },
      description: 'At most five things that a person should look at',
    },
  },
} as const

/** A changed character changes the prompt hash of every execution after it. */
const rules =
  'You write for the staff of a small center. Use only the figures that you are given; do not add numbers, names, causes, diagnoses or advice that do not follow from them. If there is little to say, say little. People appear as labels such as …a1b2c3d4: repeat them as they are.'

/**
 * Without facts the model is not asked and the wording is null. The step's limit is longer than any
 * AI_TIMEOUT_SECONDS, so that the provider's own deadline ends the request and its message is the one that is shown.
 */
export const modelStep = (
  name: string,
  task: string,
  factsOf: (context: StepContext) => SentenceFacts | null,
): Step => ({
  name,
  timeoutSeconds: 300,
  attempts: 4,
  backoffSeconds: 5,
  otherwise: (reason): Worded => ({ wording: null, missing: reason }),
  async run(context): Promise<Worded> {
    const input = factsOf(context)
    if (input === null) return { wording: null }
    const language = context.center.locale.startsWith('ko') ? 'Korean' : 'English'
    const instructions = `${rules}\n${task}\nAnswer in ${language}.`
    const { answer, ...ai } = await context.ai.complete({ instructions, input, schema, signal: context.signal })
    const { summary, points } = answer as { summary: string; points: string[] }
    // Lengths are not in the schema, because some model servers do not support them.
    const isTooLong = summary.length > 3000 || points.length > 10 || points.some(({ length }) => length > 1000)
    if (summary.trim() === '' || isTooLong) {
      throw new StepFailure(`The model at ${ai.provider} gave an empty answer, or one that is far too long.`, {
        retry: true,
      })
    }
    const unfounded = unfoundedNumbers([summary, ...points].join('\n'), input)
    return { wording: { summary, points, unfounded, ai } }
  },
})

/** Numbers in a text that do not occur in the facts. Thousands separators are ignored. */
export function unfoundedNumbers(text: string, facts: Json): string[] {
  const numbers = (from: string) => from.match(/\d+(?:[.,]\d+)*/g) ?? []
  const plain = (number: string) => number.replaceAll(/,(?=\d{3})/g, '')
  const given = new Set(numbers(JSON.stringify(facts)).flatMap((each) => [plain(each), ...each.split(/[.,]/)]))
  // The digits of a label such as …a1b2c3d4 are not numbers.
  const said = numbers(text.replaceAll(/…[0-9a-f]{8}/g, ''))
  return [...new Set(said.filter((each) => !given.has(plain(each))))]
}
