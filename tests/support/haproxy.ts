/** HAProxy in front of PostgreSQL or of API processes, as an operator would run it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../tools/postgres.ts'
import { programIn } from './programs.ts'

export interface Haproxy {
  readonly port: number
  stop(): Promise<void>
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

/** `backend`: the lines of the section `listen` after `bind`. */
export async function startHaproxy(mode: 'tcp' | 'http', backend: readonly string[]): Promise<Haproxy> {
  const program = programIn('haproxy', 'haproxy')
  const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
  const port = await freePort()
  const lines = [
    'global',
    '  maxconn 4000',
    'defaults',
    `  mode ${mode}`,
    '  timeout connect 2s',
    '  timeout client 60s',
    '  timeout server 60s',
    'listen all',
    `  bind 127.0.0.1:${port}`,
    ...backend.map((line) => `  ${line}`),
  ]
  writeFileSync(join(folder, 'haproxy.cfg'), `${lines.join('\n')}\n`)
  const child = spawn(program, ['-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      said += data
    })
  }
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  const exited = once(child, 'exit')
  for (let tries = 1; !(await answers(port)); tries++) {
    if (tries === 100 || child.exitCode !== null) throw new Error(`HAProxy does not answer: ${said}`)
    await sleep(50)
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await exited
      process.off('exit', reap)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In front of a PostgreSQL server; sessions stay with their connection. */
export function startDatabaseProxy(server: string): Promise<Haproxy> {
  const { hostname, port } = new URL(server)
  return startHaproxy('tcp', [`server only ${hostname}:${port || 5432} maxconn 2000`])
}
