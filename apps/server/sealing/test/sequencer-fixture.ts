/** A sequencer over its own database, without HTTP, and items to seal. */

import { randomBytes } from 'node:crypto'
import { historyStatic } from '@countersign/proof/history-entry.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import pg from 'pg'
import { cloneDatabase } from '../../../../tests/support/database.ts'
import { type Environment, readConfig } from '../../config/config.ts'
import { type Cells, openCells } from '../../data/cells.ts'
import { alarmOfSealing } from '../../integrity/faults.ts'
import { newSalt, newUuid, typedId } from '../../lib/ids.ts'
import { makeLog } from '../../lib/log.ts'
import type { Batch, Entry, SealItem } from '../batch.ts'
import type { Claim } from '../claims.ts'
import { type OpenLogBook, openLogBook } from '../log-book.ts'
import { type Sequencer, type SequencerOptions, sequencer } from '../sequencer.ts'

export interface SequencerFixture {
  readonly sequencer: Sequencer
  readonly book: OpenLogBook
  /** A second sequencer, as another process over the same database. */
  beside(env?: Environment, options?: SequencerOptions): Sequencer
  readonly client: pg.Client
  /** Of the database, for further connections of its owner. */
  readonly url: string
  /** The database process of `client`. */
  readonly pid: number
  /** The locked chains that the metrics show. */
  locked(): ReturnType<ReturnType<Sequencer['locked']>['get']>
  /** The newest log line with this text. */
  logged(text: string): unknown
  /** The hashes of a chain in order; throws when the chain does not hold. */
  chain(centerId: number, domain?: 'history' | 'dpu' | 'proof'): Promise<readonly string[]>
  close(): Promise<void>
}

export const logHost = 'log.example'

export async function openSequencerFixture(): Promise<SequencerFixture> {
  const database = await cloneDatabase()
  const settings = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  }
  const config = readConfig(settings)
  const lines: string[] = []
  const log = makeLog(config, { write: (line) => lines.push(line) })
  const open = () => openCells(config, log)
  // One log book per sequencer, as in separate processes.
  const books: OpenLogBook[] = []
  const newBook = (cells: Cells, env: Environment = {}) => {
    const book = openLogBook({ ...readConfig({ ...settings, ...env }), logHost }, cells, log)
    books.push(book)
    return book
  }
  const opened: [Cells, ...Cells[]] = [open()]
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const book = newBook(opened[0])
  const own = sequencer(opened[0], book, log, alarmOfSealing(log))
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return {
    client,
    url: database.url,
    pid: rows[0].pid,
    locked: () => own.locked().get('main'),
    logged: (text) => JSON.parse(lines.findLast((line) => line.includes(text)) ?? 'null'),
    sequencer: own,
    book,
    beside(env, options) {
      const cells = open()
      opened.push(cells)
      return sequencer(cells, newBook(cells, env), log, alarmOfSealing(log), options)
    },
    async chain(centerId, domain = 'history') {
      const { rows } = await client.query(
        `select idx::int as index, id, hash, previous_hash as "previousHash", sealed_at as "sealedAt", content
         from cell.chain_entries where center_id = $1 and domain = $2 order by idx`,
        [centerId, domain],
      )
      const verifier = chainVerifier({ log: `${logHost}/c/${centerId}/${domain}`, domain })
      for (const row of rows) verifier.add({ ...row, id: typedId('history', row.id) })
      const { valid, reason, brokenAt } = verifier.result()
      if (!valid) throw new Error(`the chain breaks at ${brokenAt}: ${reason}`)
      return rows.map(({ hash }) => hash)
    },
    async close() {
      await Promise.all(books.map((book) => book.close()))
      await Promise.all(opened.map((cells) => cells.close()))
      await client.end()
      await database.drop()
    },
  }
}

export const appendOne = (batch: Batch): Entry => {
  const id = newUuid()
  const input = { id: typedId('history', id), type: 'key', target: 'key_x', previous: null, values: {} } as const
  return batch.appendHistory(
    id,
    historyStatic(input, () => 'sha256:', newSalt),
    {},
  )
}

export const itemOf = <T>(
  centerId: number,
  judge: (batch: Batch) => T,
  holds: SealItem<T>['holds'] = { chains: ['history'] },
): SealItem<T> => ({
  center: {
    centerId,
    cell: 'main',
    name: `Center ${centerId}`,
    vertical: 'education',
    country: null,
    region: null,
    inherited: null,
  },
  caller: { requestId: 'req_test', actorId: newUuid(), centerId },
  holds,
  judge,
})

export const entryItem = (centerId: number): SealItem<Entry> => itemOf(centerId, appendOne)

/** A claim with an Idempotency-Key; only the body of the request varies. */
export const claimOf = <T>(key: string, body = 'the same'): Claim<T> => ({
  request: {
    key,
    principal: 'somebody',
    method: 'POST',
    path: '/somewhere',
    fingerprint: Buffer.from(body),
    showsSecret: false,
  },
  render: (outcome) => ({ status: 200, body: JSON.stringify(outcome) }),
  refuse: ({ code, message }) => ({
    status: { CONFLICT: 409, FORBIDDEN: 403, POLICY_VIOLATION: 422 }[code as string] ?? 500,
    body: JSON.stringify({ code, message }),
  }),
})
