/** How tests run a real coding agent with a scripted model. One file per agent; the journeys are the same for all of them. */
import type { ChildProcess } from 'node:child_process'

/** What the model asks for: one shell command. */
export interface AgentRun {
  /** The tool calls that the model makes, one after the other; a function is called when its turn comes. */
  readonly commands: readonly (string | (() => Promise<string>))[]
  readonly folder: string
  /** A home folder of its own, with the connection of the hook. */
  readonly home: string
  /** Where what agents run is found first. */
  readonly path: string
  /** Arguments of the hook behind its agent. */
  readonly hook?: readonly string[]
  /** The session to go on with, where the agent can. */
  readonly resume?: string
  readonly onStart?: (agent: ChildProcess) => void
}

export interface AgentEnd {
  readonly output: string
  /** What the model was told about its calls, in order. */
  readonly results: readonly string[]
  readonly session: string | null
  /** Whether the agent stopped to be resumed. */
  readonly isDeferred: boolean
}

export interface AgentDriver {
  /** As in `countersign hook`. */
  readonly id: string
  /** What the action is called for a shell command. */
  readonly action: string
  /** The status of the outcome after a command that succeeded. */
  readonly succeeded: 'succeeded' | 'unknown'
  /** After one that failed. */
  readonly failed: 'failed' | 'unknown'
  readonly canDefer: boolean
  /** Installs the exact version into the cache, and returns what runs it. Throws where that can't be done. */
  install(): Promise<string>
  run(program: string, run: AgentRun): Promise<AgentEnd>
}
