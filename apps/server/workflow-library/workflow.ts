/**
 * A workflow as data, and the steps that all workflows share: collect (read rows and count them), weigh (apply the
 * thresholds), optionally summarize (a model puts the figures into words), and draft (write it in the center's language).
 */
import { closed } from '@countersign/contract/common.ts'
import type { Vertical } from '@countersign/contract/enums.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { fill } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Definition, Draft, StartingEvent, Step, StepContext } from '../features/automation/workflows/api.ts'
import { type AskedAction, draft, type TextKey, texts } from './draft.ts'
import { modelStep, type Worded } from './model-step.ts'
import { type Collecting, collect, type Reads } from './reads.ts'
import type { SentenceFacts } from './sentences.ts'

type Names<C, W> = readonly ((keyof C | keyof W) & string)[]

interface WorkflowData<P extends TProperties, R extends Reads, C extends SentenceFacts, W extends SentenceFacts>
  extends Collecting<Static<TObject<P>>, R, C> {
  /** `vertical.name`, as in `workflows.json`. The public id is made of the key, so the key never changes. */
  readonly key: TextKey
  /** A schedule (cron, in the center's time zone), an event, or a person. A person may start every workflow. */
  readonly trigger: { readonly cron: string } | { readonly event: StartingEvent } | 'manual'
  readonly parameters: P
  /** Names of the steps, as people see them: collect, weigh, summarize where there is a `model`, draft. */
  readonly steps: readonly [string, string, string] | readonly [string, string, string, string]
  /** From what was counted to findings. Its facts replace counted facts of the same name. */
  readonly weigh: (counted: C, parameters: Static<TObject<P>>) => W
  /** Facts that are stored beside the text, a list as its length; unless named, those of `weigh`. */
  readonly figures?: Names<C, W>
  readonly model?: {
    readonly task: string
    /** The model is asked where one of these facts is neither absent, 0 nor an empty list. */
    readonly when: Names<C, W>
    /** The facts that the model gets; by default the figures. Counts and labels, never a text that a caller wrote. */
    readonly facts?: Names<C, W>
    readonly also?: Names<C, W>
    /** The length at which lists for the model are cut; unless given, 20. */
    readonly mostItems?: number
  }
  readonly tags: readonly string[]
  /** The approval that a person may ask for with the draft's figures: they see it, and can change it, before it is sent. */
  readonly asks?: (facts: C & W & Static<TObject<P>>) => AskedAction | null
}

export function workflow<
  const P extends TProperties,
  const R extends Reads,
  C extends SentenceFacts,
  W extends SentenceFacts,
>(data: WorkflowData<P, R, C, W>): Definition & Pick<WorkflowData<P, R, C, W>, 'count' | 'weigh'> {
  const { key, trigger, count, weigh, model, tags } = data
  const [collecting, weighing, summarizing] = data.steps
  const vertical = key.slice(0, key.indexOf('.')) as Vertical
  /** For the API, whose names do not change with the words of a center. */
  const inEnglish = (text: 'name' | 'description'): string =>
    fill(texts.en.workflows[key][text], termValues(tradeTerms(vertical), 'en')) as string
  const counted = ({ outputs }: StepContext): SentenceFacts => outputs[collecting] as SentenceFacts
  const weighed = ({ outputs }: StepContext): SentenceFacts => outputs[weighing] as SentenceFacts
  const factsOf = (context: StepContext) => ({ ...context.parameters, ...counted(context), ...weighed(context) })
  const figureNames = (context: StepContext) => data.figures ?? Object.keys(weighed(context))
  const factsForModel = (context: StepContext): SentenceFacts | null => {
    const facts = factsOf(context)
    if (!model?.when.some((name) => isPresent(facts[name]))) return null
    const names = [...(model.facts ?? figureNames(context)), ...(model.also ?? [])]
    return pick(facts, names, (list) => list.slice(0, model.mostItems ?? 20))
  }
  const common = {
    ...{ key, count, weigh },
    name: inEnglish('name'),
    names: { ko: texts.ko.workflows[key].name, en: texts.en.workflows[key].name },
    description: inEnglish('description'),
    vertical,
    parameters: Type.Object(data.parameters, closed),
    steps: [
      step(collecting, (context) => collect(context, data)),
      step(weighing, (context) => {
        const { period: _, counted: __, ...counts } = counted(context)
        return weigh(counts as C, context.parameters as Static<TObject<P>>)
      }),
      ...(model ? [modelStep(summarizing, model.task, factsForModel)] : []),
      step(data.steps.at(-1) as string, (context) => {
        const facts = factsOf(context)
        const figures = pick(facts, figureNames(context), ({ length }) => length)
        const worded = (model ? context.outputs[summarizing] : { wording: null }) as Worded
        const asks = data.asks?.(facts as unknown as C & W & Static<TObject<P>>)
        return draft(context.center, { key, facts, figures, tags, worded, ...(asks && { asks }) })
      }),
    ],
  }
  if (trigger === 'manual') return { ...common, type: 'MANUAL', alone: false }
  if ('event' in trigger) return { ...common, type: 'EVENT', event: trigger.event, alone: false }
  return { ...common, type: 'SCHEDULED', schedule: trigger, alone: true }
}

const step = (name: string, run: (context: StepContext) => Promise<Json> | Json | Draft): Step => ({
  name,
  timeoutSeconds: 60,
  attempts: 3,
  backoffSeconds: 2,
  run: async (context) => (await run(context)) as Json,
})

const isPresent = (fact: Json | undefined): boolean => (Array.isArray(fact) ? fact.length > 0 : Boolean(fact))

const pick = (facts: SentenceFacts, names: readonly string[], ofList: (list: readonly Json[]) => Json): SentenceFacts =>
  Object.fromEntries(
    names.map((name) => {
      const fact = facts[name] as Json
      return [name, Array.isArray(fact) ? ofList(fact) : fact]
    }),
  )
