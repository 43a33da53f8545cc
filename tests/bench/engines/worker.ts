/** A worker process of an engine, for the bench to measure and to kill. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { freePort } from '../../../tools/postgres.ts'

export interface ProcessFigures {
  cpuSeconds(): number
  residentMb(): number
}

/** Of Linux. */
export const figuresOf = (pid: () => number): ProcessFigures => ({
  cpuSeconds() {
    const fields = readFileSync(`/proc/${pid()}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  },
  residentMb() {
    const pages = Number(readFileSync(`/proc/${pid()}/statm`, 'utf8').split(' ')[1])
    return Math.round((pages * 4096) / 1e6)
  },
})

export interface EngineWorker extends ProcessFigures {
  /** Resolves when the engine has accepted all of them. */
  start(ids: readonly string[]): Promise<void>
  kill(): Promise<void>
}

export async function startWorker(
  file: string,
  env: Readonly<Record<string, string>>,
  slot: number,
): Promise<EngineWorker> {
  const child = spawn(process.execPath, [new URL(file, import.meta.url).pathname], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, SLOT: `slot-${slot}`, LOG_LEVEL: 'warn', HOST: '127.0.0.1' },
      ...{ PORT: String(await freePort()), METRICS_PORT: String(await freePort()), HEALTH_PORT: '0' },
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  const ended = once(child, 'exit').then(() => process.off('exit', reap))
  const early = ended.then(() => {
    throw new Error(`${file} has ended`)
  })
  early.catch(() => {})
  await Promise.race([once(child, 'message'), early])
  return {
    ...figuresOf(() => child.pid as number),
    async start(ids) {
      const accepted = once(child, 'message')
      child.send(ids)
      await Promise.race([accepted, early])
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
