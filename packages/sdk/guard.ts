/** Runs a tool only if exactly this call was decided, was approved if a policy requires it, and is consumed once. */
import { systemClock } from './clock.ts'
import type { Countersign } from './countersign.ts'
import { provenDocument } from './guard-proof.ts'
import { wholeTrust } from './guard-terms.ts'
import type { Asked, GuardedCall, GuardOptions, Taken, Tool, ToolTerms, Trust } from './guard-types.ts'
import { guarding } from './guarding.ts'

export { type ApprovalRequest, parsePolicy as parseTrust, type TrustPolicy } from '@countersign/proof'
export { checkTrust, isOfCenter } from './guard-trust.ts'
export type {
  Asked,
  Confirmation,
  GuardClient,
  GuardedCall,
  GuardOptions,
  PerCall,
  Refusal,
  Taken,
  Terms,
  Tool,
  ToolTerms,
  Trust,
} from './guard-types.ts'

export { GuardError, type GuardReason } from './guard-values.ts'

export interface Guarded<I extends object, O> {
  (input: I, call: GuardedCall): Promise<O>
  /** Requests the decision and waits for it as a call does, but doesn't run the tool. For programs that stop while a person decides. */
  ask(input: I, call: GuardedCall): Promise<Asked>
}

export function guard<I extends object, O>(tool: Tool<I, O>, options: GuardOptions): Guarded<I, O> {
  const steps = guarding(options, [tool])
  return Object.assign((input: I, call: GuardedCall) => steps.run(tool, input, call), {
    ask: (input: I, call: GuardedCall) => steps.ask(tool, input, call),
  })
}

/**
 * For a tool that runs elsewhere, such as one that another program runs after a hook allows it: does everything that a guarded call
 * does before the tool runs, and consumes the approval. Only whoever gets the executor may run the tool, once, and reports the
 * outcome with it (`decisions.reportOutcome`).
 */
export const takeApproval = <I extends object>(
  tool: ToolTerms<I>,
  input: I,
  { options, ...call }: GuardedCall & { readonly options: GuardOptions },
): Promise<Taken> => guarding(options, [tool]).take(tool, input, call)

/**
 * For a program that consumes the decision itself: returns the verified export of a decision that is sealed and not refused,
 * or throws `GuardError`. It doesn't compare arguments.
 */
export async function verifiedExport(
  eventId: string,
  options: Partial<Omit<Trust, 'trust'>> &
    Pick<GuardOptions, 'trust'> & { readonly client: Pick<Countersign, 'evidence'>; readonly signal?: AbortSignal },
): Promise<string> {
  const needs = { ...wholeTrust(options), client: options.client, signal: options.signal }
  const { text } = await provenDocument(eventId, { ...needs, clock: systemClock, end: 0 })
  return text
}
