/** Claude Code. The hooks are PreToolUse, PostToolUse, PostToolUseFailure and SessionEnd, of the type `command`. */
import {
  type Answer,
  type CodingAgent,
  denied,
  type Effects,
  type Given,
  type HookEvent,
  mcpIn,
  member,
  type Output,
  said,
  silent,
  type ToolCall,
  textIn,
  UnreadableInputError,
} from '../agent.ts'

/** Tools that read, or that change nothing but the conversation. A sub-agent's own calls come to the hook one by one. */
const harmless: ReadonlySet<string> = new Set([
  ...[
    'Read',
    'Glob',
    'Grep',
    'LS',
    'NotebookRead',
    'BashOutput',
    'TaskOutput',
    'ListMcpResourcesTool',
    'ReadMcpResourceTool',
  ],
  ...[
    'TodoWrite',
    'TaskCreate',
    'TaskGet',
    'TaskList',
    'TaskUpdate',
    'EnterPlanMode',
    'ExitPlanMode',
    'AskUserQuestion',
  ],
  ...[
    'Agent',
    'Task',
    'ListAgents',
    'ToolSearch',
    'Skill',
    'ReportFindings',
    'KillShell',
    'TaskStop',
    'StructuredOutput',
  ],
])

/** The member of the input that names the file a tool writes. */
const writes: Readonly<Record<string, string>> = {
  Write: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  NotebookEdit: 'notebook_path',
}

function effectsOf(tool: string, input: Readonly<Record<string, unknown>>): Effects {
  const mcp = mcpIn(tool)
  if (mcp) return { mcp }
  if (tool === 'Bash' || tool === 'Monitor') return { shell: textIn(input, 'command') }
  const path = Object.hasOwn(writes, tool) ? writes[tool] : undefined
  if (path !== undefined) return { writes: [textIn(input, path)] }
  return harmless.has(tool) ? { isHarmless: true } : {}
}

function callIn(input: Given['input']): ToolCall {
  const tool = member(input, 'tool_name', 'string')
  const given = member(input, 'tool_input', 'object')
  return {
    ...{ tool, input: given, cwd: member(input, 'cwd', 'string'), effects: effectsOf(tool, given) },
    session: member(input, 'session_id', 'string'),
    callId: member(input, 'tool_use_id', 'string'),
  }
}

function read({ input }: Given): HookEvent | null {
  const name = member(input, 'hook_event_name', 'string')
  if (name === 'PreToolUse') return { at: 'before', call: callIn(input) }
  if (name === 'PostToolUse') return { at: 'after', call: callIn(input), status: 'succeeded' }
  if (name === 'PostToolUseFailure') return { at: 'after', call: callIn(input), status: 'failed' }
  if (name === 'SessionEnd') return { at: 'end', session: member(input, 'session_id', 'string') }
  throw new UnreadableInputError(`the event ${name} isn't one of this hook`)
}

function answer(given: Answer, event: HookEvent | null): Output {
  if (event === null || event.at !== 'before') return given.kind === 'deny' ? denied(given.reason) : silent
  if (given.kind === 'pass') return silent
  return said({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: given.kind,
      permissionDecisionReason: given.reason,
    },
  })
}

export const claudeCode: CodingAgent = {
  id: 'claude-code',
  label: 'Claude Code',
  tried: ['2.1.326'],
  // AI_AGENT=claude-code_2-1-326_harness
  versionOf: ({ env }) => /^claude-code_(\d+(?:-\d+)+)/.exec(env.AI_AGENT ?? '')?.[1]?.replaceAll('-', '.') ?? null,
  processOf: ({ env }) => (/^\d+$/.test(env.CLAUDE_PID ?? '') ? Number(env.CLAUDE_PID) : null),
  limitSeconds: 600,
  read,
  // Only without a person in front of it (`claude -p`): an interactive session can't be resumed with the call.
  canDefer: ({ env }) => env.CLAUDE_CODE_ENTRYPOINT === 'sdk-cli' && env.CLAUDE_CODE_SESSION_ATTENDED === '0',
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
