/** PostgreSQL clusters of a test's own, with the programs of the system: primaries, standbys and copies to kill. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { appendFile, chmod, cp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, withClient } from '../../tools/postgres.ts'
import { programIn } from './programs.ts'

export interface Cluster {
  readonly name: string
  readonly data: string
  readonly port: number
  /** Of the database `postgres`. */
  readonly url: string
  start(): Promise<void>
  /** `immediate` ends without a checkpoint, as a crash does. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** kill -9 of the postmaster; its children end when they notice. */
  kill(): Promise<void>
  promote(): Promise<void>
  query<R>(text: string, database?: string): Promise<R[]>
}

export interface Clusters {
  /** A folder that the clusters' user may write. */
  readonly folder: string
  /** Where the programs of PostgreSQL are. */
  readonly programs: string
  make(name: string, settings?: string): Promise<Cluster>
  /** A base backup of a running cluster. */
  backUp(of: Cluster, name: string): Promise<Cluster>
  /** A copy of the files of a cluster, which should not run. */
  copy(of: Cluster, name: string): Promise<Cluster>
  /** Runs a program of PostgreSQL as the clusters' user. */
  run(program: string, args: readonly string[]): Promise<string>
  close(): Promise<void>
}

/** Server programs are not on the path in Debian. The newest version, unless the tests name one. */
function serverPrograms(): string {
  const home = '/usr/lib/postgresql'
  const major = process.env.TEST_POSTGRES_MAJOR
  try {
    const versions = readdirSync(home).toSorted((a, b) => Number(b) - Number(a))
    const chosen = versions.find((version) => !major || version === major)
    if (chosen) return join(home, chosen, 'bin')
  } catch {
    // Not Debian.
  }
  return join(programIn('pg_basebackup', 'postgresql'), '..')
}

/** PostgreSQL does not run as root. */
export function postgresUser(): { readonly uid: number; readonly gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** Small and quick to copy; commits still wait for the disk. */
const settingsOf = (port: number, folder: string): string => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
max_connections = 300
shared_buffers = 32MB
max_wal_size = 64MB
wal_level = replica
wal_keep_size = 64MB
wal_receiver_timeout = 2s
wal_retrieve_retry_interval = 200ms
log_min_messages = error
`

export function openClusters(): Clusters {
  const bin = serverPrograms()
  const user = postgresUser()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-clusters-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const running = new Set<ChildProcess>()
  // A test that ends early must leave neither servers nor files.
  const reap = () => {
    for (const child of running) child.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', reap)

  const run = async (program: string, args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(join(bin, program), args, { ...user, cwd: folder })).stdout

  async function clusterAt(name: string): Promise<Cluster> {
    const data = join(folder, name)
    const port = await freePort()
    await appendFile(join(data, 'postgresql.conf'), settingsOf(port, folder))
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    let child: ChildProcess | null = null

    async function startOnce(): Promise<boolean> {
      const log = openSync(join(folder, `${name}.log`), 'a')
      const started = spawn(join(bin, 'postgres'), ['-D', data], { ...user, cwd: folder, stdio: ['ignore', log, log] })
      running.add(started)
      const ended = once(started, 'exit').then(() => {
        running.delete(started)
        if (child === started) child = null
        return false
      })
      child = started
      const ready = (async () => {
        while (child === started) {
          const isReady = await withClient(url, (client) => client.query('select 1')).then(Boolean, () => false)
          if (isReady) return true
          await sleep(20)
        }
        return false
      })()
      return Promise.race([ready, ended])
    }
    async function end(signal: NodeJS.Signals): Promise<void> {
      if (!child) return
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    return {
      name,
      data,
      port,
      url,
      async start() {
        // After kill -9 the children of the former postmaster may still hold the shared memory for a moment.
        for (let tries = 1; !(await startOnce()); tries++) {
          if (tries === 50) throw new Error(await readFile(join(folder, `${name}.log`), 'utf8'))
          await sleep(100)
        }
      },
      stop: (mode = 'fast') => end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
      kill: () => end('SIGKILL'),
      promote: async () => {
        await withClient(url, (client) => client.query('select pg_promote(true, 20)'))
      },
      query: async <R>(text: string, database = 'postgres') => {
        const target = new URL(url)
        target.pathname = `/${database}`
        return (await withClient(target.href, (client) => client.query(text))).rows as R[]
      },
    }
  }

  return {
    folder,
    programs: bin,
    run,
    async make(name, settings = '') {
      const locale = ['--encoding=UTF8', '--locale=C', '--lc-ctype=C.UTF-8']
      const data = join(folder, name)
      await run('initdb', ['-D', data, '-A', 'trust', '-U', 'postgres', '--wal-segsize=1', '--no-sync', ...locale])
      await appendFile(join(data, 'postgresql.conf'), settings)
      return clusterAt(name)
    },
    async backUp(of, name) {
      const data = join(folder, name)
      await rm(data, { recursive: true, force: true })
      await run('pg_basebackup', ['-d', of.url, '-D', data, '-c', 'fast', '--no-sync'])
      return clusterAt(name)
    },
    async copy(of, name) {
      const data = join(folder, name)
      await cp(of.data, data, { recursive: true, preserveTimestamps: true })
      await rm(join(data, 'postmaster.pid'), { force: true })
      if (user.uid !== undefined) await promisify(execFile)('chown', ['-R', `${user.uid}:${user.gid}`, data])
      await chmod(data, 0o700)
      return clusterAt(name)
    },
    async close() {
      const ended = [...running].map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGQUIT')
      await Promise.all(ended)
      process.off('exit', reap)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Makes a cluster follow another one when it starts. */
export async function follow(cluster: Cluster, conninfo: string): Promise<void> {
  await appendFile(join(cluster.data, 'postgresql.conf'), `primary_conninfo = '${conninfo}'\n`)
  await writeFile(join(cluster.data, 'standby.signal'), '')
}

/** Waits until a standby has replayed everything, and counts for the quorum if there is one. */
export async function untilFollowing(primary: Cluster, quorum: boolean): Promise<void> {
  const state = quorum ? `sync_state in ('quorum', 'sync')` : 'true'
  const text = `select from pg_stat_replication where state = 'streaming' and ${state} and replay_lsn >= pg_current_wal_lsn()`
  for (let tries = 1; (await primary.query(text)).length === 0; tries++) {
    if (tries === 400) throw new Error('the standby does not follow its primary')
    await sleep(25)
  }
}
