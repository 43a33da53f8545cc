/** What a step may ask of a language model. Without a model the request fails: an answer is never made up. */
import type { Json } from '@countersign/proof/canonical.ts'

export interface AiRequest {
  /** What to do, in a few sentences. The same for every center, so that prompts can be compared by their hash. */
  readonly instructions: string
  /** Facts: counts and pseudonymous labels, never names, addresses or free text about people. */
  readonly input: Json
  /** JSON schema of an object: closed, all its properties required. Without one the answer is text. */
  readonly schema?: { readonly [member: string]: Json }
  readonly signal: AbortSignal
}

export interface AiAnswer {
  /** Matches the schema; plain text if there is none. */
  readonly answer: Json
  /** The name that the server returned. */
  readonly model: string
  readonly provider: string
  /** The confidence that the model stated, from 0 to 1; null where it stated none or an invalid one. */
  readonly confidence: number | null
  /** SHA-256 of the canonical form of instructions, input, schema and the model that was asked. */
  readonly promptHash: string
}

export interface AiProvider {
  /** Throws a StepFailure that a person can act on; the runner decides about trying again. */
  complete(request: AiRequest): Promise<AiAnswer>
  close(): Promise<void>
}
