/**
 * `node tools/ci.ts`: every check, every test on PostgreSQL 15, and those closest to the database on 18 too (`npm run test:18`
 * runs all of them there). A failed test runs a second time, because a shared machine may pause for seconds; files that
 * still fail run once more alone, because a hook has no retry. The last lines name both as FLAKY, every test that
 * was skipped as LEFT OUT, and every failure.
 */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from './ci-reporter.ts'

const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const on18 = ['tools/test-on-18.ts']
const closeToTheDatabase = ['apps/server/sealing', 'apps/server/data', 'tests/isolation/isolation']
/** These start a cluster for each test: on 18 only with `npm run test:18`. */
const notOn18 = ['fence', 'fence-crashes', 'generations', 'store'].map(
  (name) => `--exclude=**/sealing/test/${name}.test.ts`,
)
/** Each of them builds for minutes what users install: a run has one, and names the other as left out. */
const inTurn = ['tests/journeys/image.test.ts', 'tests/journeys/packages.test.ts']
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

function runTwice(command: string[], files: string[]): Report {
  // Three workers: tests wait for servers more than they compute.
  const first = run(command, files, 3)
  const again = [...new Set(first.failed.map((each) => each.file))]
  if (again.length === 0 || again.length > MAX_FILES_AGAIN || again.includes('')) return first
  const second = run(command, again, 1)
  const flaky = first.failed.map((each) => `${each.file}: ${each.name}\n${each.message.slice(0, 1000)}`)
  return { ...first, flaky: [...first.flaky, ...flaky, ...second.flaky], failed: second.failed }
}

const check = spawnSync('npm', ['run', '--silent', 'check'], { stdio: 'inherit' })
// Once, and not in the middle of a test: files that serve it would otherwise wait for each other.
spawnSync(process.execPath, ['tools/build-docs.ts'], { stdio: 'inherit' })
const [notNow] = inTurn.splice(randomInt(inTurn.length), 1)
const reports = [runTwice([...vitest, `--exclude=${notNow}`], []), runTwice([...on18, ...notOn18], closeToTheDatabase)]
rmSync(folder, { recursive: true })
const flaky = reports.flatMap((each) => each.flaky)
const failed = reports.flatMap((each) => each.failed)
const leftOut = new Set([`${notNow}: in turn with ${inTurn}`, ...reports.flatMap((each) => each.leftOut)])
const lines = [
  ...(check.status === 0 ? [] : ['npm run check failed; its findings are above.']),
  ...[...leftOut].map((each) => `LEFT OUT ${each}`),
  ...flaky.map((each) => `FLAKY ${each}`),
  ...failed.map((each) => `FAILED ${each.file}: ${each.name}\n${each.message.slice(0, 2000)}`),
  ...(leftOut.size > 0 ? [`${leftOut.size} tests were left out; they are named above.`] : []),
  `${reports.reduce((sum, each) => sum + each.passed, 0)} passed, ${failed.length} failed`,
]
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = check.status === 0 && failed.length === 0 ? 0 : 1
