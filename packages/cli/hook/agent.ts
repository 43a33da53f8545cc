/**
 * What `countersign hook` knows about a coding agent: how to read what the agent sends to its hooks, and how to answer. One object
 * and one file per agent, below agents/; everything else about a call is the same for all of them.
 */

/** What a tool call does, as far as rules can look at it. A call without any of these is matched by its tool's name only. */
export interface Effects {
  /** A command line for a POSIX shell. */
  readonly shell?: string
  /** The files that the call writes, moves or deletes; relative ones are in `cwd`. */
  readonly writes?: readonly string[]
  readonly mcp?: { readonly server: string; readonly tool: string }
  /** The call only reads, or only changes the conversation. Calls that say nothing of themselves are of interest by default. */
  readonly isHarmless?: true
}

export interface ToolCall {
  readonly session: string
  /** The agent's own ID of this call, the same each time the agent asks about it; null if the agent sends none. */
  readonly callId: string | null
  /** As the agent names it. The action type is the agent's ID, a dot, and this. */
  readonly tool: string
  /** Exactly what the agent sent: approvers see it, and the approval is bound to it. */
  readonly input: Readonly<Record<string, unknown>>
  /** An absolute path. */
  readonly cwd: string
  readonly effects: Effects
}

/** What the agent says about a tool that has run. `unknown`: it doesn't say whether the tool succeeded. */
export type ToolStatus = 'succeeded' | 'failed' | 'unknown'

export type HookEvent =
  | { readonly at: 'before'; readonly call: ToolCall }
  | { readonly at: 'after'; readonly call: ToolCall; readonly status: ToolStatus }
  /** No call of this session runs any more. */
  | { readonly at: 'end'; readonly session: string }

/**
 * `pass`: nothing to say, the agent's own permissions apply. `allow`: approved. `deny`: the reason is for the model, and tells it
 * what to do. `defer`: the agent ends and asks again about the same call when it's resumed.
 */
export type Answer = { readonly kind: 'pass' } | { readonly kind: 'allow' | 'deny' | 'defer'; readonly reason: string }

/** What the command writes, and its exit code. Never 1: every agent takes that for a broken hook, and most then run the tool. */
export interface Output {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: 0 | 2
}

/** The input isn't what this agent sends in the versions that were tried: the call is denied. */
export class UnreadableInputError extends Error {}

export interface Given {
  /** What came over standard input, as JSON. */
  readonly input: Readonly<Record<string, unknown>>
  /** `--event NAME` of the command line, for agents whose input doesn't name the event. */
  readonly event: string | null
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Kinds of effects that an agent's hook isn't asked about. Their descriptions are in `packages/words/<language>/hook.json`. */
export type NotSeen =
  /** What a program does that a command starts: a test runner, `make`, an interpreter with a file, a compiled program. */
  | 'programs'
  /** Commands under another name: aliases and functions of the person's shell, links to programs. */
  | 'names'
  /** A file whose name isn't known until the command runs. */
  | 'computed-paths'
  /** A script that is changed between the hook's look at it and its run. */
  | 'changed-scripts'
  /** Text that is sent to a program that is already running. */
  | 'running-programs'
  /** Commands that the person types in the agent's own prompt. */
  | 'own-commands'
  /** Tools that run at the model's provider, such as web search. */
  | 'hosted-tools'
  /** What an MCP server does behind its tools, and its resources and prompts. */
  | 'mcp-servers'
  /** Calls while the hook isn't loaded: turned off by a setting or an option, not trusted, or in another configuration. */
  | 'unloaded-hooks'
  /** Calls that run because the agent ended the hook by its own time limit or the hook was killed. */
  | 'killed-hooks'
  /** Status lines, credential helpers and other hooks: commands in the agent's settings that it runs by itself. */
  | 'settings-commands'
  /** Requests that the agent itself makes to fetch a page, and what it reads. */
  | 'reading'

export interface CodingAgent {
  /** In the command line, in action types and as the name of the connection's file. */
  readonly id: string
  readonly label: string
  /** The versions that the adapter was tried with. Another version is denied unless the connection accepts it. */
  readonly tried: readonly string[]
  /** The version that is asking; null if neither the input nor the environment says it. */
  versionOf(given: Given): string | null
  /** The agent's own process, if it says so. */
  processOf?(given: Given): number | null
  /** How long the agent waits for a hook whose settings give no time-out, in seconds. */
  readonly limitSeconds: number
  /** `UnreadableInputError` for what it doesn't know; null for an event that needs no answer. */
  read(given: Given): HookEvent | null
  /** Whether the agent can end now and ask again about the same call when it's resumed. */
  canDefer(given: Given): boolean
  /** In the agent's own form. `event` is null if the input couldn't be read; `deny` must hold the call even then. */
  answer(answer: Answer, event: HookEvent | null): Output
  readonly notSeen: readonly NotSeen[]
}

/** For the adapters: a member of the input that must have this type. */
export function member<T extends 'string' | 'object'>(
  input: Readonly<Record<string, unknown>>,
  name: string,
  type: T,
): T extends 'string' ? string : Readonly<Record<string, unknown>> {
  const value = input[name]
  const fits =
    type === 'string'
      ? typeof value === 'string' && value !== ''
      : typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!fits) throw new UnreadableInputError(`"${name}" isn't ${type === 'string' ? 'a text' : 'an object'}`)
  return value as never
}

/** For the adapters: the text of a tool's input, for tools whose effects depend on it. */
export const textIn = (input: Readonly<Record<string, unknown>>, name: string): string => member(input, name, 'string')

/** `mcp__server__tool`, as most agents name tools of MCP servers. */
export function mcpIn(tool: string): Effects['mcp'] | null {
  const [, server, name] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? []
  return server !== undefined && name !== undefined ? { server, tool: name } : null
}

/** Exit code 2 with the reason on standard error holds a call in every agent that we know. */
export const denied = (reason: string, stdout = ''): Output => ({ stdout, stderr: `${reason}\n`, exitCode: 2 })
export const silent: Output = { stdout: '', stderr: '', exitCode: 0 }
export const said = (value: unknown): Output => ({ stdout: `${JSON.stringify(value)}\n`, stderr: '', exitCode: 0 })
