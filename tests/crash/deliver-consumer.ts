/** Starts the consumer process and sends it questions. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Answers } from './webhook-consumer.process.ts'

/** Asks the consumer the question with this name. */
export type Ask = <Q extends keyof Answers>(ask: Q, ...about: Parameters<Answers[Q]>) => Promise<ReturnType<Answers[Q]>>

interface Consumer {
  readonly ask: Ask
  stop(): Promise<void>
}

export async function startConsumer(endpoints: number, seed: number): Promise<Consumer> {
  const child = fork(new URL('./webhook-consumer.process.ts', import.meta.url), {
    execArgv: [],
    env: { PATH: process.env.PATH, ENDPOINTS: String(endpoints), SEED: String(seed) },
  })
  // A test that ends early must not leave the process running.
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  const ended = once(child, 'exit').then(() => process.off('exit', reap))
  const gone = ended.then(() => Promise.reject(new Error('the consumer has ended')))
  gone.catch(() => {})
  await Promise.race([once(child, 'message'), gone])
  const waiting = new Map<number, (answer: unknown) => void>()
  child.on('message', ({ number, answer }: { number: number; answer: unknown }) => {
    waiting.get(number)?.(answer)
    waiting.delete(number)
  })
  let asked = 0
  return {
    ask: (ask, ...[about]) => {
      const number = ++asked
      const answered = new Promise<unknown>((resolve) => waiting.set(number, resolve))
      child.send({ number, ask, about })
      return Promise.race([answered, gone]) as Promise<never>
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
