/** PgBouncer in front of the PostgreSQL of the tests, as an operator would run it, without passwords. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loginRoles } from '@countersign/server/data/logins.ts'
import { freePort, withClient } from '../../tools/postgres.ts'
import { programIn } from './programs.ts'

export type PoolMode = 'session' | 'transaction'

export interface Pooler {
  readonly mode: PoolMode
  readonly port: number
}

export interface PgBouncer extends Pooler {
  stop(): Promise<void>
}

/** The address of a database of the same server through the pooler. */
export function through({ port }: Pooler, url: string): string {
  const pooled = new URL(url)
  pooled.host = `127.0.0.1:${port}`
  return pooled.href
}

export interface PgBouncerOptions {
  readonly mode: PoolMode
  /** The PostgreSQL behind it. */
  readonly server: string
  /** Every connection to PostgreSQL uses this user, whoever the client is. */
  readonly user?: string
}

export async function startPgBouncer({ mode, server, user }: PgBouncerOptions): Promise<PgBouncer> {
  const { hostname, port, username } = new URL(server)
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  chmodSync(folder, 0o755)
  const own = await freePort()
  // Clients that are not trusted still need to be known by name.
  const users = [...loginRoles, username || 'postgres'].map((name) => `"${name}" ""`)
  writeFileSync(join(folder, 'users'), `${users.join('\n')}\n`)
  writeFileSync(
    join(folder, 'ini'),
    `[databases]
* = host=${hostname} port=${port || 5432}${user === undefined ? '' : ` user=${user}`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
max_client_conn = 2000
default_pool_size = ${mode === 'session' ? 60 : 6}
server_idle_timeout = 5
`,
  )
  // PgBouncer does not run as root.
  const as = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn(programIn('pgbouncer', 'pgbouncer'), ['-q', ...as, join(folder, 'ini')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      said += data
    })
  }
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  const exited = once(child, 'exit')
  for (let tries = 1; ; tries++) {
    const answers = await withClient(through({ mode, port: own }, server), () => Promise.resolve(true)).catch(
      (error: Error) => error.message,
    )
    if (answers === true) break
    if (child.exitCode !== null || tries === 100) throw new Error(`PgBouncer did not start: ${answers}\n${said}`)
    await sleep(50)
  }
  return {
    mode,
    port: own,
    async stop() {
      process.off('exit', reap)
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
