/**
 * Replays the tool calls of public incidents through `countersign hook`, as Claude Code would send them, and prints what the hook
 * would have asked a person about. Nothing of it runs: only the hook is started, with `--observe`.
 *
 *     node examples/incidents/replay.ts [--json]
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Step {
  readonly tool: string
  readonly input: Readonly<Record<string, string>>
  readonly expected: 'held' | 'passed'
}

interface Incident {
  readonly id: string
  readonly files: Readonly<Record<string, object>>
  readonly steps: readonly Step[]
}

interface Replayed {
  readonly incident: string
  readonly call: string
  readonly result: 'held' | 'passed'
  readonly rules: readonly string[]
}

const incidents: readonly Incident[] = JSON.parse(readFileSync(new URL('incidents.json', import.meta.url), 'utf8'))
const countersign = new URL('../../packages/cli/main.ts', import.meta.url).pathname
const root = mkdtempSync(join(tmpdir(), 'incidents-'))

function replay({ tool, input }: Step, folder: string, id: string): Pick<Replayed, 'result' | 'rules'> {
  const state = join(root, id)
  const call = {
    ...{ hook_event_name: 'PreToolUse', session_id: 'replay', tool_use_id: id, cwd: folder },
    ...{ tool_name: tool, tool_input: input },
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [countersign, 'hook', 'claude-code', '--observe'], {
    input: JSON.stringify(call),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: state, AI_AGENT: 'claude-code_2-1-326_harness' },
  })
  if (status !== 0 || stdout !== '') throw new Error(`the hook didn't observe: ${status} ${stdout}${stderr}`)
  const line = readFileSync(join(state, 'countersign', 'hook', 'observed.jsonl'), 'utf8')
  const { asks, problem } = JSON.parse(line) as { asks: { rule: string }[]; problem?: string }
  if (problem) throw new Error(`the hook couldn't judge the call: ${problem}`)
  return { result: asks.length > 0 ? 'held' : 'passed', rules: [...new Set(asks.map(({ rule }) => rule))] }
}

const shown = ({ tool, input }: Step): string =>
  (input.command ?? `${tool.replace(/^mcp__(\w+?)__/, '$1/')} ${input.file_path ?? ''}`).replaceAll('\n', '; ').trim()

try {
  const all = incidents.flatMap(({ id, files, steps }): (Replayed & Step)[] => {
    const folder = join(root, `${id}-project`)
    mkdirSync(folder)
    for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value))
    return steps.map((step, at) => ({
      ...step,
      incident: id,
      call: shown(step),
      ...replay(step, folder, `${id}-${at}`),
    }))
  })
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(all)}\n`)
  else
    for (const { incident, call, result, rules } of all)
      process.stdout.write(`${incident.padEnd(12)}${result.padEnd(8)}${rules.join(', ').padEnd(24)}${call}\n`)
  process.exitCode = all.every(({ result, expected }) => result === expected) ? 0 : 1
} finally {
  rmSync(root, { recursive: true, force: true })
}
