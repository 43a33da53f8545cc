/**
 * Cursor. The hooks are preToolUse, postToolUse, postToolUseFailure and sessionEnd. Cursor doesn't run without its own service, so
 * this adapter was written to published recordings of Cursor 3.9.16, and wasn't tried with the program.
 */
import {
  type Answer,
  type CodingAgent,
  denied,
  type Effects,
  type Given,
  type HookEvent,
  member,
  type Output,
  said,
  type ToolCall,
  textIn,
  UnreadableInputError,
} from '../agent.ts'

/** A sub-agent's own calls come to the hook one by one. */
const harmless: ReadonlySet<string> = new Set([
  ...['Read', 'Grep', 'Glob', 'LS', 'SemanticSearch', 'TodoWrite', 'Task', 'ReadLints', 'AskQuestion', 'TabRead'],
])

const writes: ReadonlySet<string> = new Set(['Write', 'Edit', 'StrReplace', 'MultiEdit', 'Delete', 'TabWrite'])

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** `MCP:tool` doesn't say which server the tool belongs to: it's matched by its whole name. */
function effectsOf(tool: string, given: Readonly<Record<string, unknown>>): Effects {
  if (tool === 'Shell') return { shell: textIn(given, 'command') }
  if (writes.has(tool)) {
    const path = given.file_path ?? given.path
    return isText(path) ? { writes: [path] } : {}
  }
  return harmless.has(tool) ? { isHarmless: true } : {}
}

/** `cwd` was seen empty; a command has its own, and a window has its folders. */
function folderIn(input: Given['input'], given: Readonly<Record<string, unknown>>): string {
  const [root] = Array.isArray(input.workspace_roots) ? input.workspace_roots : []
  const folder = [given.cwd, input.cwd, root].find(isText)
  if (folder === undefined) throw new UnreadableInputError("it doesn't say in which folder the tool works")
  return folder
}

function callIn(input: Given['input']): ToolCall {
  const tool = member(input, 'tool_name', 'string')
  const given = member(input, 'tool_input', 'object')
  return {
    ...{ tool, input: given, cwd: folderIn(input, given), effects: effectsOf(tool, given) },
    session: member(input, 'conversation_id', 'string'),
    callId: member(input, 'tool_use_id', 'string'),
  }
}

/** `tool_output` is JSON in a text, and has the exit code of a command. */
function statusOf(input: Given['input'], call: ToolCall): 'succeeded' | 'failed' | 'unknown' {
  if (call.effects.shell === undefined) return 'succeeded'
  try {
    const { exitCode } = JSON.parse(textIn(input, 'tool_output'))
    return typeof exitCode === 'number' ? (exitCode === 0 ? 'succeeded' : 'failed') : 'unknown'
  } catch {
    return 'unknown'
  }
}

function read({ input }: Given): HookEvent | null {
  const name = member(input, 'hook_event_name', 'string')
  if (name === 'sessionEnd') return { at: 'end', session: member(input, 'conversation_id', 'string') }
  if (name === 'preToolUse') return { at: 'before', call: callIn(input) }
  if (name === 'postToolUse') {
    const call = callIn(input)
    return { at: 'after', call, status: statusOf(input, call) }
  }
  // A call that a hook held comes here too, and has not run.
  if (name === 'postToolUseFailure' && input.failure_type === 'permission_denied') return null
  if (name === 'postToolUseFailure') return { at: 'after', call: callIn(input), status: 'failed' }
  throw new UnreadableInputError(`the event ${name} isn't one of this hook`)
}

/** With `failClosed`, silence holds a call: every answer has a decision. Exit code 2 would show the model the JSON itself. */
function answer(given: Answer, event: HookEvent | null): Output {
  if (event !== null && event.at !== 'before') return said({})
  if (given.kind === 'pass' || given.kind === 'allow') return said({ permission: 'allow' })
  if (event === null) return denied(given.reason)
  return said({ permission: 'deny', user_message: given.reason, agent_message: given.reason })
}

export const cursor: CodingAgent = {
  id: 'cursor',
  label: 'Cursor',
  tried: ['3.9.16'],
  versionOf: ({ input, env }) => [input.cursor_version, env.CURSOR_VERSION].find(isText) ?? null,
  limitSeconds: 60,
  read,
  canDefer: () => false,
  answer,
  notSeen: [
    ...([
      'programs',
      'names',
      'computed-paths',
      'changed-scripts',
      'own-commands',
      'hosted-tools',
      'mcp-servers',
      'reading',
    ] as const),
    ...(['unloaded-hooks', 'killed-hooks', 'settings-commands'] as const),
  ],
}
