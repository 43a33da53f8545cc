/** How steps are put together. */
import type { Json } from '@countersign/proof/canonical.ts'
import { type Draft, type Step, type StepContext, StepFailure } from '../definition.ts'

/** A step that reads and counts. */
export const step = (name: string, run: (context: StepContext) => Promise<Json> | Json | Draft): Step => ({
  name,
  timeoutSeconds: 60,
  attempts: 3,
  backoffSeconds: 2,
  run: async (context) => (await run(context)) as Json,
})

/** What an earlier step has found. */
export const found = <T>(context: Pick<StepContext, 'outputs'>, name: string): T => context.outputs[name] as T

/** What the model said, and how. */
export type Wording = {
  readonly summary: string
  readonly points: readonly string[]
  /** Numbers in its words that it was not given: a reviewer looks at them first. */
  readonly unfounded: readonly string[]
  readonly ai: NonNullable<Draft['ai']>
}

/** Null where there was nothing to say, so that nobody was asked. */
export const wordingOf = (context: Pick<StepContext, 'outputs'>, name: string): Wording | null =>
  found<{ readonly wording: Wording | null }>(context, name).wording

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

const manners =
  'You write for the staff of a small center. Use only the figures that you are given; do not add numbers, names, causes, diagnoses or advice that do not follow from them. If there is little to say, say little. People appear as labels such as …a1b2c3d4: repeat them as they are.'

/**
 * A step in which a model puts figures into words. Longer than any AI_TIMEOUT_SECONDS, so that the provider's own
 * deadline is the one that speaks.
 */
export const wordingStep = (
  name: string,
  task: string,
  figures: (context: StepContext) => { readonly [member: string]: Json } | null,
): Step => ({
  name,
  timeoutSeconds: 300,
  attempts: 4,
  backoffSeconds: 5,
  async run(context) {
    const input = figures(context)
    if (input === null) return { wording: null }
    const language = context.center.locale.startsWith('ko') ? 'Korean' : 'English'
    const instructions = `${manners}\n${task}\nAnswer in ${language}.`
    const { answer, ...ai } = await context.ai.complete({ instructions, input, schema, signal: context.signal })
    const { summary, points } = answer as { summary: string; points: string[] }
    // Not in the schema, because not every server of models knows lengths.
    if (
      summary.trim() === '' ||
      summary.length > 3000 ||
      points.length > 10 ||
      points.some((each) => each.length > 1000)
    ) {
      throw new StepFailure(`The model at ${ai.provider} said nothing, or far more than it was asked for.`, {
        retry: true,
      })
    }
    const unfounded = unfoundedNumbers([summary, ...points].join('\n'), input)
    return { wording: { summary, points, unfounded, ai } }
  },
})

/** Numbers in a text that do not occur in the facts, thousands separators aside. */
export function unfoundedNumbers(text: string, facts: Json): string[] {
  const numbers = (from: string) => from.match(/\d+(?:[.,]\d+)*/g) ?? []
  const plain = (number: string) => number.replaceAll(/,(?=\d{3})/g, '')
  const given = new Set(numbers(JSON.stringify(facts)).flatMap((each) => [plain(each), ...each.split(/[.,]/)]))
  // A label is hex: its digits are no numbers.
  const said = numbers(text.replaceAll(/…[0-9a-f]{8}/g, ''))
  return [...new Set(said.filter((each) => !given.has(plain(each))))]
}
