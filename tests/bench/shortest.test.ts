/**
 * Benches in their shortest form: each runs, and its last line is its result. The figures mean nothing here. All of them took
 * 14 minutes beside other tests, so in CI each has its turn every 24th day; `npm run test:release` runs all.
 */
import { describe, expect, it } from 'vitest'
import { namesOf, runShortest } from '../support/shortest.ts'
import { hasTurn } from '../support/turn.ts'

const program = 'tests/bench/run.ts'
const names = await namesOf(program)
/** The other version is this one. */
const more: Readonly<Record<string, readonly string[]>> = { versus: ['--other', process.cwd()] }

it('there are benches', () => expect(names.length).toBeGreaterThan(20))

describe('a bench', { timeout: 300_000 }, () => {
  const chosen = names.filter((_, at) => hasTurn(at, 24))
  it.skip.each(names.filter((name) => !chosen.includes(name)))('%s runs on another day', () => {})
  it.each(chosen)('%s', async (name) => {
    const { status, problems, last } = await runShortest(program, [name, '--short', ...(more[name] ?? [])])
    expect(status, problems.slice(-3000)).toBe(0)
    const result = JSON.parse(last) as Record<string, unknown>
    expect(result).toMatchObject({ bench: name, unit: expect.any(String), at: expect.any(String) })
    for (const figure of ['value', 'bare', 'ratio']) expect(result).toHaveProperty(figure)
  })
})
