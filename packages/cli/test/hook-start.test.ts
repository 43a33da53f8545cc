/** Agents start the hook for every tool call: one of no interest loads neither the client, nor the verifier, nor YAML. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const main = new URL('../main.ts', import.meta.url).pathname

/** The files that Node loaded, as its coverage names them. */
function loaded(command: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-start-'))
  try {
    const input = JSON.stringify({
      ...{ session_id: 's', tool_use_id: 't', cwd: folder, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
      tool_input: { command },
    })
    const coverage = join(folder, 'coverage')
    const own = { AI_AGENT: 'claude-code_2-1-326_harness', HOME: folder, NODE_V8_COVERAGE: coverage }
    execFileSync(process.execPath, [main, 'hook', 'claude-code'], { input, env: { PATH: process.env.PATH, ...own } })
    return readdirSync(coverage).flatMap((file) =>
      JSON.parse(readFileSync(join(coverage, file), 'utf8')).result.map(({ url }: { url: string }) => url),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it('a call of no interest loads only what judges it', () => {
  const files = loaded('git status && git diff')
  expect(files.some((file) => file.includes('packages/cli/hook/rules.ts'))).toBe(true)
  const heavy = files.filter((file) =>
    /packages\/(proof|sdk)\/|node_modules\/yaml|cli\/(program|audit|client)\.ts/.test(file),
  )
  expect(heavy).toEqual([])
})
