/** Runs a bench or a chaos test in its shortest form; the last line of its output is its result. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { testRedis } from './server.ts'

const root = new URL('../../', import.meta.url).pathname

export async function runShortest(program: string, words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATABASE_URL: inject('postgres'), REDIS_URL: testRedis },
  })
  const [out, problems, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const last = out.trim().split('\n').at(-1) ?? ''
  return { status: status as number, problems, last }
}

/** Without a name a program lists them. */
export async function namesOf(program: string): Promise<readonly string[]> {
  const { problems } = await runShortest(program, [])
  return /-- (.+)$/m.exec(problems)?.[1]?.split(' | ') ?? []
}
