/** `node apps/server/main.ts`, or another process of this repository, as a child process for the test to kill. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/postgres.ts'

export interface KillableServer {
  readonly url: string
  readonly pid: number
  /** The signal that ended the process, or null when it exited by itself. */
  readonly ended: Promise<NodeJS.Signals | null>
  stop(): Promise<void>
  /** Asks the process to stop, and returns its exit code. */
  terminate(): Promise<number | null>
}

const root = new URL('../../', import.meta.url).pathname

/** Another process may have taken a port that was free a moment ago: then the start is retried with another port. */
export async function startKillable(
  environment: Readonly<Record<string, string>>,
  { file = 'apps/server/main.ts', tries = 3 }: { readonly file?: string; readonly tries?: number } = {},
): Promise<KillableServer> {
  try {
    return await startOnce(environment, file)
  } catch (error) {
    if (tries === 1 || !/\(null\) before it was ready/.test(String(error))) throw error
    return startKillable(environment, { file, tries: tries - 1 })
  }
}

async function startOnce(environment: Readonly<Record<string, string>>, file: string): Promise<KillableServer> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, [file], {
    cwd: root,
    // Its own pipe: a child that outlives this process must not hold the output of the test runner open, which waits for its end.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      // The compile cache is kept, because the process starts hundreds of times.
      NODE_COMPILE_CACHE: join(tmpdir(), 'countersign-compile-cache'),
      POOL_SIZE: '4',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      HEALTH_PORT: '0',
      ...environment,
    },
  })
  child.stderr?.pipe(process.stderr, { end: false })
  // A test that ends early must not leave the process running.
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  const ended = once(child, 'exit').then(([, signal]) => {
    process.off('exit', reap)
    return signal as NodeJS.Signals | null
  })
  const early = ended.then((signal) => {
    throw new Error(`the server ended (${signal}) before it was ready`)
  })
  early.catch(() => {})
  await Promise.race([once(child, 'message'), early])
  return {
    url: `http://127.0.0.1:${environment.PORT ?? port}`,
    pid: child.pid as number,
    ended,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
    async terminate() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}
