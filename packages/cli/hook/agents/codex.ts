/** Codex. The hooks are PreToolUse and PostToolUse, of the type `command`. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
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

const harmless: ReadonlySet<string> = new Set([
  ...['update_plan', 'view_image', 'request_user_input', 'get_goal', 'create_goal', 'update_goal'],
  ...['spawn_agent', 'wait_agent', 'close_agent', 'resume_agent', 'send_input'],
])

/** The files that a patch names: `*** Add File: a`, `*** Update File: a`, `*** Move to: a`, `*** Delete File: a`. */
const filesIn = (patch: string): string[] =>
  [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(([, file = '']) => file.trim())

function effectsOf(tool: string, input: Readonly<Record<string, unknown>>): Effects {
  const mcp = mcpIn(tool)
  if (mcp) return { mcp }
  if (tool === 'Bash') return { shell: textIn(input, 'command') }
  // A patch that names no file isn't understood, and is of interest.
  if (tool === 'apply_patch') {
    const writes = filesIn(textIn(input, 'command'))
    return writes.length > 0 ? { writes } : {}
  }
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
  // It comes after a command that failed too, without the exit code.
  if (name === 'PostToolUse') return { at: 'after', call: callIn(input), status: 'unknown' }
  throw new UnreadableInputError(`the event ${name} isn't one of this hook`)
}

/** Codex has no "allow" without changed input: nothing said means that its own approval policy applies. */
function answer(given: Answer, event: HookEvent | null): Output {
  if (given.kind === 'pass' || given.kind === 'allow') return silent
  if (event?.at !== 'before') return given.kind === 'deny' ? denied(given.reason) : silent
  return said({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: given.reason,
    },
  })
}

/** The package of npm says it; elsewhere the session's file does, which begins with a line about the program that began it. */
function versionOf({ input, env }: Given): string | null {
  try {
    const manifest = join(env.CODEX_MANAGED_PACKAGE_ROOT ?? '', 'package.json')
    return String(JSON.parse(readFileSync(manifest, 'utf8')).version)
  } catch {
    // Installed in another way.
  }
  try {
    const file = openSync(member(input, 'transcript_path', 'string'), 'r')
    try {
      const start = Buffer.alloc(16_384)
      const [line = ''] = start.toString('utf8', 0, readSync(file, start)).split('\n')
      return /"cli_version":"([^"]+)"/.exec(line)?.[1] ?? null
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}

export const codex: CodingAgent = {
  id: 'codex',
  label: 'Codex',
  tried: ['0.169.0'],
  versionOf,
  limitSeconds: 600,
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
