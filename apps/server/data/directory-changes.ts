/**
 * Receives the changes of the directory that triggers send with NOTIFY (database/directory/0010_changes.sql), on one
 * connection that serves nothing else.
 *
 * The connection also notifies itself, at most every `beatMs`. PostgreSQL queues notifications in commit order, so a
 * beat that comes back proves that every change committed before it was sent has been received. A connection that is lost
 * or silent ends the coverage, and the caches then expire by age.
 */
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Loop, loop } from '../concurrency/loop.ts'
import type { Logins } from '../config/config.ts'
import { nowMs } from '../lib/clock.ts'
import type { Coverage } from '../lib/lookup-cache.ts'
import { LoginClient, loginUrl, requireLogin } from './logins.ts'

/** Two beats fit into the age at which caches expire without coverage. */
const beatMs = 300
/** A connection that is silent for longer covers nothing. */
const silenceMs = 1000

export interface DirectoryChanges {
  readonly coverage: Coverage
  /** Calls `changed` with the tag of every change, such as `center:7`. */
  subscribe(changed: (tag: string) => void): void
  stop(): Promise<void>
}

export function directoryChanges(url: string, logins: Logins, log: Logger): DirectoryChanges {
  const covered = { since: Number.POSITIVE_INFINITY, until: Number.NEGATIVE_INFINITY }
  const subscribers: ((tag: string) => void)[] = []
  let connection: pg.Client | null = null
  let wanted = false

  function end(client: pg.Client): void {
    if (client !== connection) return
    connection = null
    covered.since = Number.POSITIVE_INFINITY
  }

  async function open(): Promise<pg.Client> {
    const client = new LoginClient({
      connectionString: loginUrl(url, 'cs_auth', logins),
      application_name: 'countersign changes',
      connectionTimeoutMillis: 2000,
      query_timeout: silenceMs,
    })
    client.on('error', () => end(client))
    client.on('end', () => end(client))
    client.on('notification', ({ channel, payload = '' }) => {
      if (client !== connection) return
      if (channel === 'directory_changes') for (const changed of subscribers) changed(payload)
      else covered.until = Number(payload)
    })
    try {
      await client.connect()
      await requireLogin(client, 'cs_auth')
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const [{ pid }] = rows as [{ pid: number }]
      if ((client as pg.Client & { processID: number }).processID !== pid) {
        throw new Error('a connection pooler, which may lose notifications, is between this process and PostgreSQL')
      }
      connection = client
      // A beat needs no durability, and other notifications wait for its commit.
      await client.query(`set synchronous_commit = off; listen directory_changes; listen directory_beat_${pid}`)
    } catch (error) {
      drop(client)
      throw error
    }
    // Only reads that begin later are covered: an earlier one may have missed a change before LISTEN took effect.
    covered.since = nowMs()
    return client
  }

  function drop(client: pg.Client): void {
    end(client)
    client.end().catch(() => {})
  }

  async function beat(): Promise<void> {
    if (!wanted) return
    wanted = false
    const client = connection ?? (await open())
    await client
      .query(`select pg_notify('directory_beat_' || pg_backend_pid(), $1)`, [String(nowMs())])
      .catch((error: unknown) => {
        drop(client)
        throw error
      })
  }

  const failure = 'changes of the directory are not received; cached credentials expire after a second until they are'
  const beats: Loop = loop({ everyMs: beatMs, turn: beat, log, failure })
  return {
    coverage: {
      get since() {
        return covered.since
      },
      get until() {
        return covered.until
      },
      want() {
        wanted = true
        beats.start()
      },
    },
    subscribe: (changed) => void subscribers.push(changed),
    async stop() {
      await beats.stop()
      const client = connection
      connection = null
      await client?.end().catch(() => {})
    },
  }
}
