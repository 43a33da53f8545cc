/** What a bench, a chaos test or a journey found, as a file of results/. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { arch, cpus } from 'node:os'

const root = new URL('../../', import.meta.url)

/** The commit that was measured. Changes that are not committed would make it a lie. */
function commit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
  return `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' and changes'}`
}

/** The newest result replaces the one before; git has the others. */
export function keepResult(kind: 'bench' | 'chaos' | 'journey', name: string, result: object): void {
  mkdirSync(new URL('results/', root), { recursive: true })
  const machine = { cores: cpus().length, arch: arch(), node: process.version }
  const kept = { kind, name, commit: commit(), machine, ...result }
  writeFileSync(new URL(`results/${kind}-${name}.json`, root), `${JSON.stringify(kept, null, 2)}\n`)
}
