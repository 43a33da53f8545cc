/** The Python package at length: exports for both verifiers, every failure of its guards, its guide, and what it weighs. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { short } from '../bench/sized.ts'
import { python } from '../python/environment.ts'
import { compareExports } from '../python/verdicts.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

const root = new URL('../../', import.meta.url).pathname

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-python-chaos-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One round is an export, which both commands print in both languages. */
export const chaosPythonExports = ({ seed, rounds }: ChaosOptions): Promise<ChaosResult> =>
  inFolder(async (folder) => {
    const { exports, differing, ...found } = await compareExports(await python(), folder, rounds, seed | 0)
    for (const each of differing.slice(0, 20)) process.stderr.write(`${each}\n`)
    return { rounds: exports, violations: differing.length, ...found }
  })

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Whole files of tests with everything that a usual run leaves out, and what they measured. A failed test is a violation. */
export const chaosPythonTests =
  (...files: readonly string[]) =>
  ({ seed, rounds }: ChaosOptions): Promise<ChaosResult> =>
    inFolder(async (folder) => {
      const [report, measured] = [join(folder, 'report.json'), join(folder, 'found')]
      writeFileSync(measured, '')
      const names = files.map((each) => `tests/python/${each}.test.ts`)
      const args = ['vitest', 'run', '--project', 'release', '--reporter=json', `--outputFile=${report}`, ...names]
      const env = {
        ...process.env,
        TEST_FOUND: measured,
        TEST_SEED: String(seed % 2 ** 31),
        ...(!short && { TEST_LONG: '1' }),
      }
      const child = spawn('npx', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
      await new Promise((resolve) => child.on('close', resolve))
      const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
      const all = testResults.flatMap(({ assertionResults }) => assertionResults)
      const failed = all.filter(({ status }) => status === 'failed')
      for (const { fullName } of failed) process.stderr.write(`${fullName}\n`)
      const lines = readFileSync(measured, 'utf8').split('\n').filter(Boolean)
      const found = Object.assign({}, ...lines.map((line) => JSON.parse(line) as object)) as object
      const tests = all.filter(({ status }) => status === 'passed').length
      const skipped = all.length - tests - failed.length
      // A file that can't be loaded or set up has no failed test.
      const unset = testResults.filter(({ status, assertionResults }) => {
        return (status === 'failed' || tests === 0) && assertionResults.every((each) => each.status !== 'failed')
      })
      for (const { name } of unset) process.stderr.write(`${name} could not be set up\n`)
      const missing = files.length - testResults.length
      if (missing > 0) process.stderr.write(`${missing} files did not run\n`)
      return { rounds, violations: failed.length + unset.length + missing, tests, skipped, ...found }
    })
