/** A separate Redis for one test, which can be killed or halted without affecting other tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../../tools/postgres.ts'

const binary = process.env.TEST_REDIS_SERVER ?? 'redis-server'

export interface OwnRedis {
  readonly url: string
  /** kill -9: connections break, and new ones are refused. */
  kill(): Promise<void>
  /** Stays connected and never answers. */
  halt(): void
  resume(): void
  /** After a kill: an empty Redis at the same address. */
  startAgain(): Promise<void>
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

export async function startRedis(): Promise<OwnRedis> {
  const port = await freePort()
  let server: ChildProcess

  async function start(): Promise<void> {
    const args = `--port ${port} --bind 127.0.0.1 --appendonly no --daemonize no --save`.split(' ')
    server = spawn(binary, [...args, ''], { stdio: 'ignore' })
    await once(server, 'spawn')
    while (!(await accepts(port))) await sleep(20)
  }

  await start()
  // A test that ends early must not leave it running.
  process.once('exit', () => server.kill('SIGKILL'))
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
    halt: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    startAgain: start,
  }
}
