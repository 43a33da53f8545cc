/**
 * Every chaos test in its shortest form: it runs, finds nothing, and its last line is its result. Those that a file of tests
 * runs with few rounds are not run a second time here; in CI the others take turns, `npm run test:release` runs all.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { namesOf, runShortest } from '../support/shortest.ts'
import { hasTurn } from '../support/turn.ts'

const program = 'tests/crash/run.ts'
const names = await namesOf(program)

/** A file of tests, and the module that it shares with the chaos test. */
const elsewhere: Readonly<Record<string, readonly [file: string, shared: string]>> = {
  alerts: ['alerts.test.ts', './alerts.ts'],
  approvals: ['../races/races.test.ts', './seal-races.ts'],
  bookings: ['../races/races.test.ts', './booking-races.ts'],
  'center-races': ['../races/races.test.ts', './center-races.ts'],
  'chain-ranges': ['chain-ranges.test.ts', './chain-ranges.ts'],
  consume: ['consume.test.ts', './consume.ts'],
  deliver: ['deliver.test.ts', './deliver.ts'],
  destinations: ['destinations.test.ts', './destinations.ts'],
  executions: ['execute.test.ts', './execute-setup.ts'],
  failover: ['failover.test.ts', './failover.ts'],
  freezes: ['../races/races.test.ts', './freeze-races.ts'],
  gateway: ['gateway.test.ts', '../support/shortest.ts'],
  'governance-races': ['../races/races.test.ts', './governance-races.ts'],
  messages: ['messages.test.ts', '../support/shortest.ts'],
  lines: ['../interop/lines.test.ts', './line-verdicts.ts'],
  'python-exports': ['../python/verdicts.test.ts', './verdicts.ts'],
  'python-guard': ['../python/failures.test.ts', './environment.ts'],
  'python-journey': ['../python/journey.test.ts', './environment.ts'],
  'python-package': ['../python/package.test.ts', './environment.ts'],
  'platform-races': ['../races/races.test.ts', './platform-races.ts'],
  provisioning: ['provisioning.test.ts', './provisioning.ts'],
  races: ['../races/races.test.ts', './idempotency-races.ts'],
  restore: ['restore.test.ts', './restore.ts'],
  rewrite: ['rewrite.test.ts', './rewrite.ts'],
  seal: ['seal.test.ts', './seal.ts'],
  workflows: ['execute.test.ts', './execute-setup.ts'],
}
/** They hold a time against a limit, which a machine that runs other tests beside them cannot promise. */
const timed = ['noisy-neighbor']

it('there are chaos tests', () => expect(names.length).toBeGreaterThan(20))

it.each(Object.entries(elsewhere))('%s runs in a file of tests', (name, [file, shared]) => {
  expect(names).toContain(name)
  expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(`from '${shared}'`)
})

describe('a chaos test', { timeout: 300_000 }, () => {
  const own = names.filter((name) => !(name in elsewhere))
  const chosen = own.filter((_, at) => hasTurn(at, 7))
  it.skip.each(own.filter((name) => !chosen.includes(name)))('%s runs on another day', () => {})
  it.each(chosen)('%s', async (name) => {
    const { status, problems, last } = await runShortest(program, [name, '--short', '--seed', String(testSeed())])
    if (!timed.includes(name)) expect(status, problems.slice(-3000)).toBe(0)
    expect(JSON.parse(last)).toMatchObject({ chaos: name, violations: expect.any(Number), seed: testSeed() })
  })
})
