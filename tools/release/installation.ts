/** A release as it runs on one machine: unpacked from its archive, with its own Node and the settings of production. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../postgres.ts'
import type { Release } from './clone.ts'
import { fail, run } from './shared.ts'

export type Settings = Readonly<Record<string, string>>

export interface Finished {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly url: string
  readonly version: string
  /** Ends it as an operator does, and waits until its last request is answered. */
  stop(): Promise<void>
  /** At the end of a rehearsal that failed. */
  kill(): void
}

export interface Installed {
  readonly version: string
  readonly node: string
  /** A command of `countersign-server`. */
  command(args: readonly string[], settings: Settings): Promise<Finished>
  /** Resolves when the process is ready. `port` is that of its API, or of the health checks of a worker. */
  start(role: 'api' | 'worker', port: number, settings: Settings): Promise<Running>
}

export const finished = (file: string, args: readonly string[], env: Settings, cwd?: string): Promise<Finished> =>
  new Promise((resolve) => {
    execFile(file, args, { env, cwd, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err }),
    )
  })

const startSeconds = 60

async function untilReady(child: ChildProcess, url: string, output: readonly string[]): Promise<void> {
  for (let tries = 0; tries < startSeconds * 4; tries++) {
    if (child.exitCode !== null) fail(`A process ended with ${child.exitCode} before it was ready:\n${output.join('')}`)
    const status = await fetch(`${url}/health/ready`).then(
      (answer) => answer.text().then(() => answer.status),
      () => 0,
    )
    if (status === 200) return
    await sleep(250)
  }
  child.kill('SIGKILL')
  fail(`A process was not ready within ${startSeconds} seconds:\n${output.join('')}`)
}

export function install({ version, files }: Release, folder: string): Installed {
  mkdirSync(folder, { recursive: true })
  run('tar', ['-xzf', join(files, `countersign-${version}.tar.gz`), '-C', folder])
  const home = join(folder, `countersign-${version}`)
  const [node, program] = [join(home, 'bin/node'), join(home, 'app/apps/server/bin.ts')]
  const path = { PATH: process.env.PATH ?? '' }
  return {
    version,
    node,
    command: (args, settings) => finished(node, [program, ...args], { ...path, ...settings }),
    async start(role, port, settings) {
      const ports = { [role === 'api' ? 'PORT' : 'HEALTH_PORT']: `${port}`, METRICS_PORT: `${await freePort()}` }
      const child = spawn(node, [program, 'start'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...path, ...settings, ...ports, ROLE: role },
      })
      const output: string[] = []
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(String(data)))
      const exited = once(child, 'exit')
      const url = `http://127.0.0.1:${port}`
      await untilReady(child, url, output)
      return {
        url,
        version,
        async stop() {
          child.kill('SIGTERM')
          const [code] = await exited
          if (code !== 0) fail(`A process of ${version} ended with ${code} after SIGTERM:\n${output.join('')}`)
        },
        kill: () => void child.kill('SIGKILL'),
      }
    },
  }
}
