/** The service as operators run it: `node apps/server/main.ts` in a separate process, next to the server of a test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from '@countersign/server/config/config.ts'
import { freePort } from '../../tools/postgres.ts'
import { type TestServer, testRedis } from './server.ts'

const root = new URL('../../', import.meta.url).pathname

export interface ChildServer {
  readonly url: string
  readonly metricsUrl: string
  /** Of a worker. */
  readonly healthUrl: string
  readonly process: ChildProcess
  /** The complete output so far. */
  readonly output: string[]
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>
  stop(): Promise<void>
}

/** Uses the databases, the secret and the counters of `server`, as a second machine would. `folder` has another version. */
export async function spawnBeside(server: TestServer, env: Environment = {}, folder = root): Promise<ChildServer> {
  const { config } = server.services
  const [port, metricsPort, healthPort] = await Promise.all([freePort(), freePort(), freePort()])
  const child = spawn(process.execPath, ['apps/server/main.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      ROLE: 'api',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      HEALTH_PORT: String(healthPort),
      DATABASE_URL: config.databaseUrl,
      CELLS: [...config.cells].map(([name, url]) => `${name}=${url}`).join(','),
      POOL_SIZE: '4',
      REDIS_URL: testRedis,
      REDIS_PREFIX: config.redisPrefix,
      PUBLIC_URL: config.publicUrl,
      SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
      ...env,
    },
  })
  // A test that ends early must not leave the process running.
  process.once('exit', () => child.kill('SIGKILL'))
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(String(data)))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const ready = once(child, 'message')
  const early = exited.then((code) => {
    throw new Error(`the server ended with ${code} before it was ready:\n${output.join('')}`)
  })
  early.catch(() => {})
  await Promise.race([ready, early])
  return {
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}`,
    healthUrl: `http://127.0.0.1:${healthPort}`,
    process: child,
    output,
    exited,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
    },
  }
}
