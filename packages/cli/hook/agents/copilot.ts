/**
 * Copilot CLI. The hooks are PreToolUse, PostToolUse, PostToolUseFailure and SessionEnd, of the type `command`. Under these names
 * the input names its event; under `preToolUse` and so on it doesn't.
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
  silent,
  type ToolCall,
  textIn,
  UnreadableInputError,
} from '../agent.ts'

/** `sql` is Copilot's own notebook of a session. A sub-agent's calls come to the hook one by one. */
const harmless: ReadonlySet<string> = new Set([
  ...['Read', 'Grep', 'Glob', 'view', 'grep', 'glob', 'read_bash', 'stop_bash', 'list_bash', 'read_powershell'],
  ...['stop_powershell', 'list_powershell', 'sql', 'session_store_sql', 'fetch_copilot_cli_documentation', 'skill'],
  ...['Agent', 'task', 'read_agent', 'list_agents', 'write_agent', 'report_intent', 'update_todo', 'TodoWrite'],
  ...['ask_user', 'AskUserQuestion', 'exit_plan_mode', 'ExitPlanMode'],
])

const writes: ReadonlySet<string> = new Set(['Write', 'Edit', 'create', 'edit'])

/** A tool of an MCP server is `server-tool`, which can be split in more than one way: it's matched by its whole name. */
function effectsOf(tool: string, given: Readonly<Record<string, unknown>>): Effects {
  if (tool === 'Bash' || tool === 'bash') return { shell: textIn(given, 'command') }
  if (writes.has(tool)) return { writes: [textIn(given, 'path')] }
  return harmless.has(tool) ? { isHarmless: true } : {}
}

function callIn(input: Given['input']): ToolCall {
  const tool = member(input, 'tool_name', 'string')
  const given = member(input, 'tool_input', 'object')
  return {
    ...{ tool, input: given, cwd: member(input, 'cwd', 'string'), effects: effectsOf(tool, given) },
    session: member(input, 'session_id', 'string'),
    callId: null,
  }
}

/** A command that fails is a success of the tool: only its text has the exit code. */
const statusOf = ({ effects }: ToolCall): 'succeeded' | 'unknown' =>
  effects.shell === undefined ? 'succeeded' : 'unknown'

function read({ input }: Given): HookEvent | null {
  const name = member(input, 'hook_event_name', 'string')
  if (name === 'SessionEnd') return { at: 'end', session: member(input, 'session_id', 'string') }
  if (name === 'PreToolUse') return { at: 'before', call: callIn(input) }
  if (name === 'PostToolUse') {
    const call = callIn(input)
    return { at: 'after', call, status: statusOf(call) }
  }
  if (name === 'PostToolUseFailure') return { at: 'after', call: callIn(input), status: 'failed' }
  throw new UnreadableInputError(`the event ${name} isn't one of this hook`)
}

/** "allow" also skips Copilot's own question, so it's said only for what a person approved. */
function answer(given: Answer, event: HookEvent | null): Output {
  if (given.kind === 'pass') return silent
  if (event !== null && event.at !== 'before') return silent
  if (given.kind === 'allow') return said({ permissionDecision: 'allow', permissionDecisionReason: given.reason })
  // Text that isn't JSON would let the tool run; exit code 2 doesn't.
  if (event === null) return denied(given.reason)
  return said({ permissionDecision: 'deny', permissionDecisionReason: given.reason })
}

export const copilot: CodingAgent = {
  id: 'copilot',
  label: 'Copilot CLI',
  tried: ['1.0.102'],
  versionOf: ({ env }) => env.COPILOT_CLI_BINARY_VERSION ?? null,
  limitSeconds: 30,
  read,
  canDefer: () => false,
  answer,
  notSeen: [
    ...([
      'programs',
      'names',
      'computed-paths',
      'changed-scripts',
      'running-programs',
      'own-commands',
      'hosted-tools',
      'mcp-servers',
    ] as const),
    ...(['reading', 'unloaded-hooks', 'killed-hooks', 'settings-commands'] as const),
  ],
}
