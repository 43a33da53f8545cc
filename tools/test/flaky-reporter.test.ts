import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, 'fixtures/flaky')
const reporter = resolve(import.meta.dirname, '../flaky-reporter.ts')
const vitest = resolve(import.meta.dirname, '../../node_modules/.bin/vitest')

it('names the test that passed only on a retry, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-flaky-'))
  try {
    const file = join(folder, 'flaky.txt')
    const { status } = spawnSync(vitest, ['run', '--root', root, '--retry=1', `--reporter=${reporter}`], {
      env: { ...process.env, FLAKY_FILE: file },
      cwd: root,
    })
    expect(status).toBe(1)
    expect(readFileSync(file, 'utf8')).toBe('once.test.ts: fails the first time\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
