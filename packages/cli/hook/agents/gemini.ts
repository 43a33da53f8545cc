/** Gemini CLI. The hooks are BeforeTool, AfterTool and SessionEnd, of the type `command`. */
import { resolve } from 'node:path'
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
  silent,
  type ToolCall,
  textIn,
  UnreadableInputError,
} from '../agent.ts'
import { ancestorsVersion } from '../ancestors.ts'

/** Tools that read, or that change nothing but the conversation. */
const harmless: ReadonlySet<string> = new Set([
  ...['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search', 'search_file_content'],
  ...['write_todos', 'ask_user', 'enter_plan_mode', 'exit_plan_mode', 'activate_skill', 'get_internal_docs'],
])

const writes: ReadonlySet<string> = new Set(['write_file', 'replace', 'edit'])

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Gemini CLI says beside the call which server an MCP tool belongs to: `mcp_server_tool` alone could be split in two ways. */
function mcpOf(input: Given['input']): Effects['mcp'] | null {
  const { server_name: server, tool_name: tool } = (input.mcp_context ?? {}) as Record<string, unknown>
  return isText(server) && isText(tool) ? { server, tool } : null
}

function effectsOf(tool: string, given: Readonly<Record<string, unknown>>, input: Given['input']): Effects {
  const mcp = mcpOf(input)
  if (mcp) return { mcp }
  if (tool === 'run_shell_command') return { shell: textIn(given, 'command') }
  if (writes.has(tool)) return { writes: [textIn(given, 'file_path')] }
  return harmless.has(tool) ? { isHarmless: true } : {}
}

function callIn(input: Given['input']): ToolCall {
  const tool = member(input, 'tool_name', 'string')
  const given = member(input, 'tool_input', 'object')
  // A command can name the folder that it runs in.
  const folder = isText(given.dir_path) ? given.dir_path : '.'
  return {
    ...{ tool, input: given, cwd: resolve(member(input, 'cwd', 'string'), folder) },
    effects: effectsOf(tool, given, input),
    session: member(input, 'session_id', 'string'),
    callId: null,
  }
}

/** A shell command that fails isn't an error of the tool: only its text has the exit code, behind what the command itself printed. */
function statusOf(input: Given['input']): 'succeeded' | 'failed' | 'unknown' {
  const { error } = member(input, 'tool_response', 'object')
  if (error !== undefined && error !== null) return 'failed'
  return input.tool_name === 'run_shell_command' ? 'unknown' : 'succeeded'
}

function read({ input }: Given): HookEvent | null {
  const name = member(input, 'hook_event_name', 'string')
  if (name === 'BeforeTool') return { at: 'before', call: callIn(input) }
  if (name === 'AfterTool') return { at: 'after', call: callIn(input), status: statusOf(input) }
  if (name === 'SessionEnd') return { at: 'end', session: member(input, 'session_id', 'string') }
  throw new UnreadableInputError(`the event ${name} isn't one of this hook`)
}

/** Gemini CLI has no answer that goes beyond its own permissions: an approved call is one that the hook says nothing about. */
function answer(given: Answer, event: HookEvent | null): Output {
  if (given.kind === 'pass' || given.kind === 'allow') return silent
  if (event !== null && event.at !== 'before') return silent
  if (event === null) return denied(given.reason)
  return said({ decision: 'deny', reason: given.reason })
}

export const gemini: CodingAgent = {
  id: 'gemini',
  label: 'Gemini CLI',
  tried: ['0.61.0'],
  versionOf: () => ancestorsVersion('@google/gemini-cli'),
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
