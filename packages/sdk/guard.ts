/** Runs a tool only if exactly this call was decided, was approved if a policy requires it, and is consumed once. */
import { systemClock } from './clock.ts'
import type { Countersign } from './countersign.ts'
import { provenDocument } from './guard-proof.ts'
import { checkTrust } from './guard-trust.ts'
import type { Asked, GuardedCall, GuardOptions, Tool, Trust } from './guard-types.ts'
import { guarding } from './guarding.ts'

export { parsePolicy, type TrustPolicy } from '@countersign/proof'
export { checkTrust, isOfCenter } from './guard-trust.ts'
export type { Asked, Confirmation, GuardedCall, GuardOptions, Tool, Trust } from './guard-types.ts'
export { GuardError } from './guard-values.ts'

export interface Guarded<I extends object, O> {
  (input: I, call: GuardedCall): Promise<O>
  /** Requests the decision and waits for it as a call does, but doesn't run the tool. For programs that stop while a person decides. */
  ask(input: I, call: GuardedCall): Promise<Asked>
}

export function guard<I extends object, O>(tool: Tool<I, O>, options: GuardOptions): Guarded<I, O> {
  const steps = guarding(options)
  return Object.assign((input: I, call: GuardedCall) => steps.run(tool, input, call), {
    ask: (input: I, call: GuardedCall) => steps.ask(tool, input, call),
  })
}

/**
 * For a program that consumes the decision itself: returns the verified export of a decision that is sealed and not refused,
 * or throws `GuardError`. It doesn't compare arguments.
 */
export async function verifiedExport(
  eventId: string,
  options: Trust & { readonly client: Pick<Countersign, 'evidence'>; readonly signal?: AbortSignal },
): Promise<string> {
  checkTrust(options)
  const { text } = await provenDocument(eventId, { ...options, clock: systemClock, end: 0 })
  return text
}
