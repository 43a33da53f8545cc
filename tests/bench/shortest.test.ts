/** Every bench in its shortest form: it runs, and its last line is its result. The figures mean nothing here. */
import { spawnSync } from 'node:child_process'
import { describe, expect, inject, it } from 'vitest'
import { testRedis } from '../support/server.ts'

const root = new URL('../../', import.meta.url).pathname

const run = (program: string, words: readonly string[]) =>
  spawnSync(process.execPath, [program, ...words], {
    cwd: root,
    encoding: 'utf8',
    timeout: 240_000,
    env: { ...process.env, DATABASE_URL: inject('postgres'), REDIS_URL: testRedis },
  })

/** Without a name a program lists them. */
const names = run('tests/bench/run.ts', []).stderr.split('-- ')[1]?.trim().split(' | ') ?? []

/** The other version of this one is itself. */
const more: Readonly<Record<string, readonly string[]>> = { versus: ['--other', root] }

it('there are benches', () => expect(names.length).toBeGreaterThan(20))

describe('a bench', { timeout: 250_000 }, () => {
  it.each(names)('%s', (name) => {
    const { status, stdout, stderr } = run('tests/bench/run.ts', [name, '--short', ...(more[name] ?? [])])
    expect([status, stderr.slice(-2000)]).toEqual([0, expect.any(String)])
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
    expect(result).toMatchObject({ bench: name, unit: expect.any(String), at: expect.any(String) })
    for (const figure of ['value', 'bare', 'ratio']) expect(result[figure]).toBeTypeOf('number')
  })
})
