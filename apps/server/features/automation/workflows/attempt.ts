/** One attempt at one step, with a timeout. It is abandoned when the worker has to stop. */
import type { Json } from '@countersign/proof/canonical.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { Problem } from '../../../lib/problem.ts'
import { type Step, type StepContext, StepFailure } from './definition.ts'

export type StepOutcome =
  | { readonly kind: 'output'; readonly output: Json }
  | { readonly kind: 'failure'; readonly message: string; readonly retry: boolean; readonly retryAfterSeconds: number }
  /** Not recorded: the lease is lost, the execution was canceled, or the process stops. */
  | { readonly kind: 'abandoned' }

/** Outputs are kept permanently, and every later step reads them again. */
const maxCharacters = 262_144

/** The message is recorded and sealed, so it holds only characters that can be stored. */
const failure = (message: string, retry: boolean, retryAfterSeconds = 0): StepOutcome => ({
  kind: 'failure',
  message: message.toWellFormed().replaceAll('\0', '\uFFFD'),
  retry,
  retryAfterSeconds,
})

export interface Attempting {
  readonly step: Step
  readonly position: number
  readonly context: Omit<StepContext, 'signal'>
  readonly gone: AbortSignal
  readonly unexpected: (error: unknown) => void
}

export async function attempt({ step, position, context, gone, unexpected }: Attempting): Promise<StepOutcome> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), step.timeoutSeconds * 1000)
  const signal = AbortSignal.any([gone, late.signal])
  // A step that ignores its signal continues, and its result is discarded.
  const givenUp = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }))
  try {
    if (gone.aborted) return { kind: 'abandoned' }
    failpoint(`workflow.step.begin.${position}`)
    const running = (async () => step.run({ ...context, signal }))()
    running.catch(() => {})
    failpoint(`workflow.step.inside.${position}`)
    const answered = await Promise.race([running.then((output) => ({ output })), givenUp])
    if (answered) return recordable(answered.output)
  } catch (error) {
    if (!signal.aborted) return failureOf(error, unexpected)
  } finally {
    clearTimeout(timer)
  }
  if (gone.aborted) return { kind: 'abandoned' }
  return failure(`it took longer than ${step.timeoutSeconds} seconds and was abandoned.`, true)
}

function failureOf(error: unknown, unexpected: (error: unknown) => void): StepOutcome {
  if (error instanceof StepFailure) return failure(error.message, error.retry, error.retryAfterSeconds ?? 0)
  // The message of a Problem is written for people.
  if (error instanceof Problem) return failure(error.message, true, error.retryAfter)
  unexpected(error)
  return failure("an unexpected error. The operator can find it in the log under this execution's ID.", true)
}

/** NUL and lone surrogates: JSON can express them, and the database cannot store them. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89ab])/i

function recordable(output: unknown): StepOutcome {
  const text = JSON.stringify(output)
  if (text === undefined) return failure('it returned nothing that can be recorded.', false)
  if (text.length > maxCharacters) {
    return failure(`it returned more than ${maxCharacters} characters, which is the limit.`, false)
  }
  if (unstorable.test(text)) return failure('it returned characters that cannot be stored.', false)
  // In the form in which it is stored, so that later steps see the same value before and after a resume.
  return { kind: 'output', output: JSON.parse(text) as Json }
}
