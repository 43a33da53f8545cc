/** Every chaos test in its shortest form: it runs, finds nothing, and its last line is its result. */
import { describe, expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { namesOf, runShortest } from '../support/shortest.ts'

const program = 'tests/crash/run.ts'
const names = await namesOf(program)
/** They hold a time against a limit, which a machine that runs other tests beside them cannot promise. */
const timed = ['noisy-neighbor']

it('there are chaos tests', () => expect(names.length).toBeGreaterThan(20))

describe('a chaos test', { timeout: 300_000 }, () => {
  it.each(names)('%s', async (name) => {
    const { status, problems, last } = await runShortest(program, [name, '--short', '--seed', String(testSeed())])
    if (!timed.includes(name)) expect(status, problems.slice(-3000)).toBe(0)
    expect(JSON.parse(last)).toMatchObject({ chaos: name, violations: expect.any(Number), seed: testSeed() })
  })
})
