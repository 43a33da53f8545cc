/** Processes that seal over one fence store, and copies of their database as a promotion or a restore makes them. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, inject } from 'vitest'
import { cloneDatabase } from '../../../../tests/support/database.ts'
import { databaseUrl, withClient } from '../../../../tools/postgres.ts'
import { readConfig } from '../../config/config.ts'
import { openCells } from '../../data/cells.ts'
import { confirmedNewest } from '../../features/evidence/transparency/confirmed.ts'
import { alarmOfSealing } from '../../integrity/faults.ts'
import { declareLoss } from '../../integrity/generations/declare.ts'
import { makeLog } from '../../lib/log.ts'
import type { Entry } from '../batch.ts'
import { type AcceptOptions, acceptDatabase } from '../fence/accept.ts'
import type { AskedWitness } from '../fence/ask-witnesses.ts'
import type { FenceStore } from '../fence/store.ts'
import { openLogBook } from '../log-book.ts'
import { sequencer } from '../sequencer.ts'
import { entryItem } from './sequencer-fixture.ts'

const logHost = 'log.example'
export const logOf = (center: number): string => `${logHost}/c/${center}/history`

export type Sealing = ReturnType<FenceFixture['start']>
export type FenceFixture = Awaited<ReturnType<typeof openFenceFixture>>

export interface Places {
  readonly url?: string
  /** Of the store; see `place`. */
  readonly fence?: string
  readonly copy?: string
}

export const storeKinds = ['a file', 'another PostgreSQL'] as const
export type StoreKind = (typeof storeKinds)[number]

export const sealMany = async (by: Sealing, center: number, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) await by.seal(center)
}

export const shown = (by: Sealing, center: number) =>
  by.cell.inTenant({ requestId: 'r', actorId: null, centerId: center }, (tx) => confirmedNewest(tx, by.book, 'history'))

export const unavailable = (text: string | RegExp) => ({
  code: 'SERVICE_UNAVAILABLE',
  message: expect.stringMatching(text),
})

/** The caller is not told the reason, which may name logs of other centers. */
export const refused = (reason: string | RegExp) => ({
  code: 'SERVICE_UNAVAILABLE',
  message: expect.not.stringContaining(logOf(2)),
  cause: expect.objectContaining({ message: expect.stringMatching(reason) }),
})

/**
 * A database that says it is in another PostgreSQL server. The server of the tests has it, because a second one takes
 * seconds to start; the store reads the identifier by the search path.
 */
async function otherServer(name: string): Promise<string> {
  await withClient(inject('postgres'), (client) => client.query(`create database ${name}`))
  const url = databaseUrl(inject('postgres'), name)
  await withClient(url, async (client) => {
    await client.query('create schema other')
    await client.query(`create function other.pg_control_system() returns table (system_identifier bigint)
      language sql as 'select 7::bigint'`)
    await client.query(`alter database ${name} set search_path = other, pg_catalog`)
  })
  return url
}

export async function openFenceFixture(kind: StoreKind = 'a file') {
  const database = await cloneDatabase()
  const root = mkdtempSync(join(tmpdir(), 'countersign-fence-'))
  const SECRET_KEY = randomBytes(32).toString('base64')
  const copies: string[] = []
  const running: { close(): Promise<void> }[] = []
  const nameOf = (url: string) => new URL(url).pathname.slice(1)
  const asAdmin = (text: string) => withClient(inject('postgres'), (client) => client.query(text))

  /** A place for a store, as TLOG_FENCE names it. */
  const place = async (name: string): Promise<string> => {
    if (kind === 'a file') return join(root, name)
    const other = `${nameOf(database.url)}_${name}`
    copies.push(other)
    return otherServer(other)
  }
  const usual = await place('store')

  function start({ url = database.url, fence: at = usual, copy }: Places = {}) {
    const config = readConfig({
      NODE_ENV: 'test',
      DATABASE_URL: url,
      SECRET_KEY,
      LOG_LEVEL: 'warn',
      TLOG_HOST: logHost,
      TLOG_FENCE: at,
      TLOG_FENCE_COPY: copy,
    })
    const lines: string[] = []
    const log = makeLog(config, { write: (line) => lines.push(line) })
    const cells = openCells(config, log)
    const book = openLogBook(config, cells, log)
    const sealer = sequencer(cells, book, log, alarmOfSealing(log))
    const cell = cells.of('main')
    const store = book.fences.storeOf('main') as FenceStore
    const fence = book.fenceOf('main')
    let isOpen = true
    const process = {
      cell,
      book,
      fence,
      store,
      lines,
      sealer,
      known: async (center: number) => (await fence.read([logOf(center)])).of(logOf(center)),
      state: async () => (await store.read([])).state,
      async seal(center: number): Promise<Entry> {
        const outcome = await sealer.seal(entryItem(center))
        if ('replay' in outcome) throw new Error('a replay')
        return outcome.result
      },
      accept: (options: Partial<AcceptOptions> = {}, witnesses: readonly AskedWitness[] = []) =>
        acceptDatabase(
          cell,
          store,
          book,
          { withLoss: false, newStore: false, unsigned: false, ...options },
          witnesses,
          () => {},
        ),
      declare: (center: number | null = null, reason = 'The disk of the primary failed.', unsigned = true) =>
        declareLoss(
          {
            ...{ cell, store, book, sequencer: sealer, caller: { requestId: 'req_loss', actorId: null, centerId: 0 } },
            centers: { profile: async (centerId) => ({ ...entryItem(centerId).center, status: 'ACTIVE' }) as never },
          },
          { reason, declaredBy: 'Operations of log.example', center, unsigned },
          () => {},
        ),
      async close() {
        if (!isOpen) return
        isOpen = false
        await book.close()
        await cells.close()
      },
    }
    running.push(process)
    return process
  }

  const query = async (text: string, values: unknown[] = [], url = database.url) =>
    (await withClient(url, (client) => client.query(text, values))).rows

  return {
    root,
    url: database.url,
    start,
    place,
    /** Runs a statement in the usual store, as nobody else does. */
    async inStore(text: string): Promise<void> {
      if (kind === 'a file') {
        const file = new DatabaseSync(join(usual, 'main.fence'))
        file.exec(text)
        file.close()
      } else await withClient(usual, (client) => client.query(`set search_path = countersign_fence_main; ${text}`))
    },
    /** Keeps others from writing to the usual store until it is released. */
    async lockStore(): Promise<() => Promise<void>> {
      if (kind === 'a file') {
        const file = new DatabaseSync(join(usual, 'main.fence'))
        file.exec('begin immediate')
        return async () => file.close()
      }
      const client = new pg.Client({ connectionString: usual })
      await client.connect()
      await client.query('begin; select from countersign_fence_main.store for update')
      return () => client.end()
    },
    query,
    sizes: async (url?: string) =>
      (await query('select center_id, next_index::int as size from cell.chain_heads order by 1', [], url)).map(
        ({ center_id, size }) => [center_id, size],
      ),
    headOf: async (center: number, url?: string): Promise<{ size: number; root: string }> =>
      (
        await query(
          `select size::int, encode(root, 'hex') as root from cell.checkpoints where center_id = $1 order by size desc limit 1`,
          [center],
          url,
        )
      )[0] as never,
    /** The same database at this moment under another identity, as a promoted standby is. Ends all connections. */
    async copyOf(url = database.url): Promise<string> {
      const name = `${nameOf(database.url)}_copy${copies.length}`
      for (let tries = 1; ; tries++) {
        try {
          await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(url)}'`)
          await asAdmin(`create database ${name} template ${nameOf(url)}`)
          break
        } catch (error) {
          if (tries === 50) throw error
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
      copies.push(name)
      return databaseUrl(inject('postgres'), name)
    },
    async close() {
      await Promise.all(running.map((each) => each.close()))
      for (const name of copies) await asAdmin(`drop database if exists ${name} with (force)`)
      await database.drop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
