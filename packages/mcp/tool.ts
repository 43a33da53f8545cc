/** What a tool is: its schemas, what a client may assume about it, and what it does. */
import type { Operation } from '@countersign/contract'
import type { Countersign } from '@countersign/sdk'
import type { Trust } from '@countersign/sdk/guard'
import type { Static, TObject } from 'typebox'
import type { Trace } from './trace.ts'

/** One call of a tool. */
export interface ToolCall {
  readonly client: Countersign
  /** What this program's user trusts; null if nothing is configured. */
  readonly trust: Trust | null
  readonly trace: Trace
  /** Aborted when the caller has disconnected. */
  readonly signal: AbortSignal
  /** Aborted when this process is about to end: a tool that is waiting should return now. */
  readonly stopping: AbortSignal | null
  /** Whether the client can show a URL to its user. */
  readonly opensUrls: boolean
  /** The user's answer to such a URL, on the call that the client repeats afterwards; null on any other call. */
  readonly opened: 'accept' | 'decline' | 'cancel' | null
  /** What an `Ask` gave to the client. It comes back from the client, so it has no more weight than an argument. */
  readonly state: string | null
  /** Tells the client that the call is in progress, if it asked for that. */
  progress(message: string): void
}

export interface Done<T> {
  /** For the agent: what happened and what to do. */
  readonly text: string
  readonly value: T
}

/** The client shows the URL to its user and repeats the call. */
export interface Ask {
  readonly ask: { readonly url: string; readonly message: string; readonly state: string }
}

interface Hints {
  readonly readOnly: boolean
  /** Whether it makes a change that can't be undone. */
  readonly destructive: boolean
  /** Whether a second call with the same arguments changes nothing more. */
  readonly idempotent: boolean
}

export interface Tool<I extends TObject = TObject, O extends TObject = TObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The API operations that it calls. */
  readonly operations: readonly Operation[]
  readonly hints: Hints
  readonly input: I
  readonly output: O
  run(args: Static<I>, call: ToolCall): Promise<Done<Static<O>> | Ask>
}

/** A tool in a list, where its types are no longer known. */
export interface AnyTool extends Omit<Tool, 'run'> {
  run(args: never, call: ToolCall): Promise<Done<object> | Ask>
}

/** Keeps the types of one tool together; a list of tools forgets them. */
export const tool = <I extends TObject, O extends TObject>(described: Tool<I, O>): AnyTool => described as AnyTool
