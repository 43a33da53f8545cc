/**
 * opencode. It has no hooks that are commands: `countersign agents connect` writes a plugin that starts the command, and what
 * passes between the two is ours. The plugin's text is in ../../agents/opencode-plugin.ts.
 */
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
  type ToolCall,
  textIn,
  UnreadableInputError,
} from '../agent.ts'

const harmless: ReadonlySet<string> = new Set([
  ...['read', 'glob', 'grep', 'list', 'lsp', 'codesearch', 'todowrite', 'todoread', 'task', 'skill', 'question'],
  ...['plan_enter', 'plan_exit', 'invalid'],
])

const writes: ReadonlySet<string> = new Set(['write', 'edit', 'multiedit'])

const filesIn = (patch: string): string[] =>
  [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(([, file = '']) => file.trim())

/** A tool of an MCP server is `server_tool`, which can be split in more than one way: it's matched by its whole name. */
function effectsOf(tool: string, given: Readonly<Record<string, unknown>>): Effects {
  if (tool === 'bash') return { shell: textIn(given, 'command') }
  if (writes.has(tool)) return { writes: [textIn(given, 'filePath')] }
  if (tool === 'apply_patch' || tool === 'patch') {
    const files = filesIn(textIn(given, 'patchText'))
    return files.length > 0 ? { writes: files } : {}
  }
  return harmless.has(tool) ? { isHarmless: true } : {}
}

function callIn(input: Given['input']): ToolCall {
  const tool = member(input, 'tool', 'string')
  const given = member(input, 'args', 'object')
  // `workdir` is where this one command runs.
  const folder = typeof given.workdir === 'string' ? given.workdir : '.'
  return {
    ...{ tool, input: given, cwd: resolve(member(input, 'cwd', 'string'), folder), effects: effectsOf(tool, given) },
    session: member(input, 'session', 'string'),
    callId: member(input, 'call', 'string'),
  }
}

function read({ input }: Given): HookEvent | null {
  const name = member(input, 'event', 'string')
  if (name === 'before') return { at: 'before', call: callIn(input) }
  if (name === 'after') {
    const { exit } = input
    const status = typeof exit === 'number' ? (exit === 0 ? 'succeeded' : 'failed') : 'succeeded'
    return { at: 'after', call: callIn(input), status }
  }
  if (name === 'end') return { at: 'end', session: member(input, 'session', 'string') }
  throw new UnreadableInputError(`the event ${name} isn't one of this plugin`)
}

/** The plugin lets a call run only for `run: true`, so that no answer is not an answer. */
function answer(given: Answer, event: HookEvent | null): Output {
  if (event?.at === 'after' || event?.at === 'end') return said({ run: true })
  if (given.kind === 'pass' || given.kind === 'allow') return said({ run: true })
  return event === null ? denied(given.reason) : said({ run: false, reason: given.reason })
}

export const opencode: CodingAgent = {
  id: 'opencode',
  label: 'opencode',
  tried: ['1.18.33'],
  versionOf: ({ input }) => (typeof input.version === 'string' ? input.version : null),
  // It waits for a plugin as long as the plugin takes.
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
      'own-commands',
      'hosted-tools',
      'mcp-servers',
      'reading',
    ] as const),
    ...(['unloaded-hooks', 'settings-commands'] as const),
  ],
}
