/** A separate database and child processes, so that the measured code does not share a process with the load generator. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { databaseUrl, findPostgres, freePort, withClient } from '../../tools/postgres.ts'

export const say = (line: string): void => void process.stderr.write(`${line}\n`)

export interface Place {
  readonly url: string
  /** Cell name to database URL. */
  readonly cells: ReadonlyMap<string, string>
  close(): Promise<void>
}

/** Without names, the directory and the only cell share a database. */
export async function makePlace(cellNames: readonly string[] = []): Promise<Place> {
  const server = await findPostgres(new URL('../../.dev/bench/', import.meta.url).pathname)
  const name = `cs_bench_${randomBytes(4).toString('hex')}`
  const url = databaseUrl(server.url, name)
  const names = [name, ...cellNames.map((cell) => `${name}_${cell}`)]
  for (const each of names) await withClient(server.url, (client) => client.query(`create database ${each}`))
  const own = cellNames.map((cell) => [cell, databaseUrl(server.url, `${name}_${cell}`)] as const)
  const cells = new Map(own.length > 0 ? own : [['main', url]])
  await migrateAll({ databaseUrl: url, cells })
  return {
    url,
    cells,
    close: async () => {
      for (const each of names)
        await withClient(server.url, (client) => client.query(`drop database ${each} with (force)`))
      await server.stop()
    },
  }
}

/** Server settings for a bench: rate limits are effectively off, Redis is on. */
export const settings = (place: Place, role: 'api' | 'worker'): Record<string, string> => ({
  ROLE: role,
  DATABASE_URL: place.url,
  CELLS: Array.from(place.cells, ([cell, url]) => `${cell}=${url}`).join(','),
  REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  REDIS_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
  RATE_LIMIT_PROOF: '100000000/60',
  RATE_LIMIT_BYTES_PER_CENTER: '999999999/1',
  TLOG_HOST: 'bench.example',
  SECRET_KEY: randomBytes(32).toString('base64'),
})

export interface Running {
  readonly url: string
  readonly port: number
  /** CPU time used so far, where the operating system reports it (Linux). */
  cpuSeconds(): number
  residentMegabytes(): number
  /** Sends a message to the process and waits for its answer. */
  ask<T>(message: string | number | object): Promise<T>
  stop(): Promise<void>
}

/** Starts a process of this repository: it takes PORT and sends 'ready' to its parent. */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  nodeFlags: readonly string[] = [],
): Promise<Running> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [...nodeFlags, new URL(file, import.meta.url).pathname], {
    env: {
      ...process.env,
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      HEALTH_PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // A bench may fail; the processes that it started must not outlive it.
  process.once('exit', () => child.kill('SIGKILL'))
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${file} stopped before it was ready`)
    }),
  ])
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    cpuSeconds: () => cpuSeconds(child.pid as number),
    residentMegabytes: () => residentMegabytes(child.pid as number),
    async ask<T>(message: string | number | object) {
      // Both listeners are removed after the first event.
      const heard = new AbortController()
      const { signal } = heard
      child.send(message)
      const gone = once(child, 'exit', { signal }).then(() => {
        throw new Error(`${file} stopped before it answered`)
      })
      gone.catch(() => {})
      try {
        return ((await Promise.race([once(child, 'message', { signal }), gone])) as [T])[0]
      } finally {
        heard.abort()
      }
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const ticksPerSecond = 100

export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number
