import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import type { Report } from '../ci-reporter.ts'

const root = resolve(import.meta.dirname, 'fixtures/flaky')
const reporter = resolve(import.meta.dirname, '../ci-reporter.ts')
const vitest = resolve(import.meta.dirname, '../../node_modules/.bin/vitest')

it('names the retried test, the skipped one and every failure, in a test or outside', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-flaky-'))
  try {
    const file = join(folder, 'report.json')
    const { status } = spawnSync(vitest, ['run', '--root', root, '--retry=1', `--reporter=${reporter}`], {
      env: { ...process.env, CI_REPORT: file },
      cwd: root,
    })
    expect(status).toBe(1)
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report
    expect(report).toMatchObject({ passed: 3, flaky: ['once.test.ts: fails the first time'] })
    expect(report.leftOut).toEqual([
      'once.test.ts: what the machine lacks > is skipped',
      'once.test.ts: finds out late what the machine lacks (no such program)',
    ])
    expect(report.failed.map((each) => [each.file, each.name])).toEqual([
      ['once.test.ts', 'always fails'],
      ['once.test.ts', 'a hook: outside its tests'],
      ['once.test.ts', 'an error that nothing caught'],
    ])
    expect(report.failed.map((each) => each.message.split('\n')[0])).toEqual([
      expect.stringContaining('expected 1 to be 2'),
      expect.stringContaining('the hook failed'),
      expect.stringContaining('not awaited'),
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
