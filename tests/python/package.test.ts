/** The built package in an empty environment: what it takes, and how fast it's imported. */
import { execFile } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { folder, note, python, temporary } from './environment.ts'

const run = promisify(execFile)
let interpreter: string
let work: string

beforeAll(async () => {
  interpreter = await python()
  work = await temporary()
}, 600_000)
afterAll(() => rmSync(work, { recursive: true, force: true }))

it('is small, imports fast and verifies without anything else', { timeout: 300_000 }, async () => {
  await run(interpreter, ['-m', 'build', '--no-isolation', '--outdir', work, folder])
  const wheel = readdirSync(work).find((each) => each.endsWith('.whl')) as string
  expect(readdirSync(work).some((each) => each.endsWith('.tar.gz'))).toBe(true)
  const built = readdirSync(work).map((each) => join(work, each))
  expect((await run(interpreter, ['-m', 'twine', 'check', '--strict', ...built])).stdout).not.toMatch(/FAILED|WARNING/)
  const bytes = statSync(join(work, wheel)).size
  expect(bytes).toBeLessThan(1_000_000)
  const empty = join(work, 'empty')
  await run('python3', ['-m', 'venv', empty])
  const inside = join(empty, 'bin/python')
  const before = await installed(inside)
  await run(inside, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-compile',
    '--disable-pip-version-check',
    join(work, wheel),
  ])
  const added = (await installed(inside)) - before
  const took = []
  for (let times = 0; times < 5; times++) {
    const program = 'import time; start = time.perf_counter(); import countersign; print(time.perf_counter() - start)'
    took.push(Number((await run(inside, ['-c', program])).stdout))
  }
  const ms = Math.round(Math.min(...took) * 1000)
  note({ wheelBytes: bytes, installedKiB: added, importMs: ms })
  process.stdout.write(`wheel ${bytes} bytes, with its dependencies ${added} KiB, import ${ms} ms\n`)
  expect(ms).toBeLessThanOrEqual(300)
  expect(added).toBeLessThan(40 * 1024)
  const program =
    'from countersign import AsyncCountersign, Countersign, Guard, verify_webhook; Countersign("https://a.example", "csk_x"); ' +
    'from countersign.testing import fake_countersign; fake_countersign()'
  await run(inside, ['-c', program])
  await expect(run(inside, ['-m', 'countersign', 'verify', 'none.json'])).rejects.toMatchObject({ code: 2 })
})

/** KiB of what is installed, without compiled files. */
async function installed(interpreter: string): Promise<number> {
  const program =
    'import sysconfig, pathlib; print(sum(f.stat().st_size for f in pathlib.Path(sysconfig.get_paths()["purelib"]).rglob("*") ' +
    'if f.is_file() and f.suffix != ".pyc") // 1024)'
  return Number((await run(interpreter, ['-c', program])).stdout)
}
