/**
 * `node tools/ci.ts`: every check, the test files of every tier on PostgreSQL 15 (a third of the longer ones each day, tests/support/turn.ts), and those closest to the database on 18 too
 * (`npm run test:18` runs all of them there). The tiers run together: none of them waits for the last file of another. A failed test runs a second time, because a shared machine may pause for seconds; files that
 * still fail run once more alone, because a hook has no retry. The last lines name both as FLAKY, every test that
 * was skipped as LEFT OUT, and every failure.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from './ci-reporter.ts'

process.env.TEST_TURNS = 'today'
const { notInThisRun } = await import('../tests/support/turn.ts')

const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const on18 = ['tools/test-on-18.ts', '--close']
// More files than this do not fail by a pause of the machine.
const MAX_FILES_AGAIN = 8

const folder = mkdtempSync(join(tmpdir(), 'countersign-ci-'))

function run(command: string[], files: string[], workers: number): Report {
  const path = join(folder, 'report.json')
  rmSync(path, { force: true })
  const options = [`--maxWorkers=${workers}`, '--retry=1', '--reporter=default', '--reporter=./tools/ci-reporter.ts']
  const { status } = spawnSync(process.execPath, [...command, ...files, ...options], {
    stdio: 'inherit',
    env: { ...process.env, CI_REPORT: path },
  })
  const nothing = {
    file: '',
    name: `vitest exited with ${status}`,
    message: 'It names no failure; its output is above.',
  }
  if (!existsSync(path)) return { passed: 0, flaky: [], leftOut: [], failed: [nothing] }
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report
  return status !== 0 && report.failed.length === 0 ? { ...report, failed: [nothing] } : report
}

function runTwice(command: string[]): Report {
  const first = run(command, [], 3)
  const again = [...new Set(first.failed.map((each) => each.file))]
  if (again.length === 0 || again.length > MAX_FILES_AGAIN || again.includes('')) return first
  const second = run(
    command.filter((word) => word !== '--close'),
    again,
    1,
  )
  const flaky = first.failed.map((each) => `${each.file}: ${each.name}\n${each.message.slice(0, 1000)}`)
  return { ...first, flaky: [...first.flaky, ...flaky, ...second.flaky], failed: second.failed }
}

const check = spawnSync('npm', ['run', '--silent', 'check'], { stdio: 'inherit' })
// Once, and not in the middle of a test: files that serve it would otherwise wait for each other.
spawnSync(process.execPath, ['tools/build-docs.ts'], { stdio: 'inherit' })
const reports = [runTwice(vitest), runTwice(on18)]
rmSync(folder, { recursive: true })
const flaky = reports.flatMap((each) => each.flaky)
const failed = reports.flatMap((each) => each.failed)
const leftOut = new Set(reports.flatMap((each) => each.leftOut))
const lines = [
  ...(check.status === 0 ? [] : ['npm run check failed; its findings are above.']),
  ...[...notInThisRun, ...leftOut].map((each) => `LEFT OUT ${each}`),
  ...flaky.map((each) => `FLAKY ${each}`),
  ...failed.map((each) => `FAILED ${each.file}: ${each.name}\n${each.message.slice(0, 2000)}`),
  ...(leftOut.size > 0 ? [`${leftOut.size} tests were left out; they are named above.`] : []),
  `${reports.reduce((sum, each) => sum + each.passed, 0)} passed, ${failed.length} failed`,
]
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = check.status === 0 && failed.length === 0 ? 0 : 1
