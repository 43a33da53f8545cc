/** One call that changes nothing, as each agent would send it to its hook, and where the agent would say its version. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Sample {
  readonly input: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string>>
  /** A file of a package with the agent's name and version, for agents that are known by what they were started from. */
  readonly file: string
  close(): void
}

const names: Readonly<Record<string, readonly [event: string, tool: string]>> = {
  'claude-code': ['PreToolUse', 'Read'],
  codex: ['PreToolUse', 'update_plan'],
  gemini: ['BeforeTool', 'read_file'],
  copilot: ['PreToolUse', 'Read'],
  cursor: ['preToolUse', 'Read'],
}

export function sampleOf(agent: string, packageName: string | null, version: string): Sample {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-doctor-'))
  const file = join(folder, 'agent')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: packageName, version }))
  writeFileSync(file, '')
  const [event, tool] = names[agent] ?? ['', 'read']
  return {
    file,
    input: {
      ...{ hook_event_name: event, session_id: 'countersign-doctor', conversation_id: 'countersign-doctor' },
      ...{ transcript_path: file, cwd: folder, timestamp: new Date().toISOString(), permission_mode: 'default' },
      ...{ tool_name: tool, tool_input: { file_path: file, path: file }, tool_use_id: 'countersign-doctor' },
      ...{ workspace_roots: [folder], cursor_version: version },
    },
    env: {
      AI_AGENT: `${agent}_${version.replaceAll('.', '-')}_harness`,
      CODEX_MANAGED_PACKAGE_ROOT: folder,
      COPILOT_CLI_BINARY_VERSION: version,
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
