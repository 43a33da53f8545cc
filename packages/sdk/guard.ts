/** Runs a tool only when exactly this call was decided, approved where a policy asks for it, and taken once. */
import type { Asked, GuardedCall, GuardOptions, Tool } from './guard-types.ts'
import { guarding } from './guarding.ts'

export { parsePolicy, type TrustPolicy } from '@countersign/proof'
export type { Asked, GuardedCall, GuardOptions, Tool } from './guard-types.ts'
export { GuardError } from './guard-values.ts'

export interface Guarded<I extends object, O> {
  (input: I, call: GuardedCall): Promise<O>
  /** Makes the decision and waits as the call does, and runs nothing. For programs that stop while a person decides. */
  ask(input: I, call: GuardedCall): Promise<Asked>
}

export function guard<I extends object, O>(tool: Tool<I, O>, options: GuardOptions): Guarded<I, O> {
  const steps = guarding(options)
  return Object.assign((input: I, call: GuardedCall) => steps.run(tool, input, call), {
    ask: (input: I, call: GuardedCall) => steps.ask(tool, input, call),
  })
}
