/** `node apps/server/main.ts`, or another of our processes, as a child that is expected to die. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tools/postgres.ts'

export interface MortalServer {
  readonly url: string
  /** The signal that ended it, or null when it left by itself. */
  readonly ended: Promise<NodeJS.Signals | null>
  stop(): Promise<void>
}

const root = new URL('../../', import.meta.url).pathname

/** A port that was free a moment ago may be somebody else's by now: then it is tried again with another. */
export async function startMortal(
  environment: Readonly<Record<string, string>>,
  { file = 'apps/server/main.ts', tries = 3 }: { readonly file?: string; readonly tries?: number } = {},
): Promise<MortalServer> {
  try {
    return await startOnce(environment, file)
  } catch (error) {
    if (tries === 1 || !/\(null\) before it was ready/.test(String(error))) throw error
    return startMortal(environment, { file, tries: tries - 1 })
  }
}

async function startOnce(environment: Readonly<Record<string, string>>, file: string): Promise<MortalServer> {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, [file], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      // It starts hundreds of times; what was compiled once is kept.
      NODE_COMPILE_CACHE: join(tmpdir(), 'countersign-compile-cache'),
      POOL_SIZE: '4',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...environment,
    },
  })
  // Whoever ends early must not leave it behind.
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
    ended,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
