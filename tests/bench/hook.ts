/**
 * What the hook adds to each tool call that it has nothing to say about, as it is installed: the command against Node with an empty
 * program, one after the other.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPackages, distOf } from '../../tools/build-packages.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { median } from './place.ts'
import { short } from './sized.ts'

const root = new URL('../../', import.meta.url).pathname
const ours = ['proof', 'sdk', 'cli'] as const
const others = ['unbash', 'yaml', 'jsonc-parser', '@noble']

export async function benchHook({ windows }: BenchOptions): Promise<BenchResult> {
  await buildPackages([...ours])
  const folder = mkdtempSync(join(tmpdir(), 'countersign-hook-'))
  try {
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, '@countersign'), { recursive: true })
    for (const name of ours) cpSync(distOf(name), join(modules, '@countersign', name), { recursive: true })
    for (const name of others) cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true })
    const input = (command: string) =>
      JSON.stringify({
        ...{ session_id: 's', tool_use_id: 't', cwd: root, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
        tool_input: { command },
      })
    const env = { PATH: process.env.PATH, HOME: folder, AI_AGENT: 'claude-code_2-1-326_harness' }
    const main = join(modules, '@countersign/cli/main.js')
    const timed = (args: readonly string[], stdin = ''): number => {
      const start = performance.now()
      const { status, stderr } = spawnSync(process.execPath, args, { env, input: stdin, encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
      return performance.now() - start
    }
    const rounds = short ? 3 : windows * 10
    const times: { bare: number[]; simple: number[]; long: number[] } = { bare: [], simple: [], long: [] }
    const long = Array.from({ length: 40 }, (_, n) => `cd sub${n} && npx vitest run "a b.test.ts" 2>&1 | tail -5`).join(
      '\n',
    )
    for (let round = 0; round < rounds; round++) {
      times.bare.push(timed(['-e', '0']))
      times.simple.push(timed([main, 'hook', 'claude-code'], input('git status && git diff | head -20')))
      times.long.push(timed([main, 'hook', 'claude-code'], input(long)))
    }
    const tenth = (each: readonly number[]) => Math.round(median(each) * 10) / 10
    const [bare, value, longMs] = [tenth(times.bare), tenth(times.simple), tenth(times.long)]
    const ownMs = Math.round((value - bare) * 10) / 10
    return { value, unit: 'ms', bare, ratio: Math.round((value / bare) * 100) / 100, ownMs, longMs, rounds }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
