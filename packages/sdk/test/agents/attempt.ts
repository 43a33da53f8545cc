/** One process of an agent that has a tool for refunds, as a test sees it. */
import type { GuardOptions } from '../../guard-types.ts'
import type { GuardReason } from '../../guard-values.ts'
import type { KilledScene, Program } from './one-attempt.ts'

export interface Refund {
  readonly order: string
  readonly won: number
}

export interface Scene {
  readonly runId: string
  readonly won: number
  readonly options: GuardOptions
  readonly run: (input: Refund) => unknown
  /** Gets what the tool, or the proof of an earlier run, gave. */
  readonly onResult?: (result: unknown) => void
  /** The program has lost what it kept about the run, as its messages. */
  readonly forgets?: boolean
  /** For a program of another language, which makes a client of its own. */
  readonly server?: { readonly url: string; readonly key: string; readonly policy: string }
}

/** `ran`, or why the tool did not run. */
export type Outcome = 'ran' | GuardReason

export interface Framework {
  readonly name: string
  /** Starts the run, or continues it with what the program kept, always with the claim that a person has approved. */
  attempt(scene: Scene): Promise<Outcome>
  /** One attempt as a process that can be killed; by default, one of Node. */
  readonly program?: (name: string, scene: KilledScene) => Program
}

export const action = 'refund.issue'
export const describeRefund = ({ order, won }: Refund): string => `Refund ${won} won for order ${order}`

/** The reason of an error that a framework may have wrapped. */
export function reasonOf(error: unknown): Outcome {
  for (let each = error as { reason?: Outcome; cause?: unknown } | undefined; each; each = each.cause as typeof each) {
    if (each.reason) return each.reason
  }
  throw error
}

/** The reason at the beginning of a text that is meant for the model. */
export const reasonIn = (text: string): Outcome => text.slice(0, text.indexOf(':')) as Outcome
