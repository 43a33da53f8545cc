/**
 * An inclusion proof in a chain of a million entries, next to reading one entry by its primary key: the same connection,
 * the same kind of transaction, in alternation.
 */
import { randomBytes } from 'node:crypto'
import { readConfig } from '@countersign/server/config/config.ts'
import type { TenantTx } from '@countersign/server/data/cells.ts'
import { openCells } from '@countersign/server/data/cells.ts'
import { underCheckpoint } from '@countersign/server/features/evidence/transparency/api.ts'
import { confirmedNewestFor } from '@countersign/server/features/evidence/transparency/confirmed.ts'
import { hashAt } from '@countersign/server/features/evidence/transparency/queries.ts'
import { openWatching } from '@countersign/server/features/evidence/transparency/trust-policy.ts'
import { makeLog } from '@countersign/server/lib/log.ts'
import { openLogBook } from '@countersign/server/sealing/log-book.ts'
import { openWorld } from '../support/world.ts'
import { benchLog, fillChain } from './chains.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, percentile, say } from './place.ts'
import { sized } from './sized.ts'

const perWindow = sized(3000, 50)

export async function benchProof({ rows, windows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const config = readConfig({
    DATABASE_URL: place.url,
    ...benchLog.settings,
    SECRET_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
  })
  const log = makeLog(config)
  const cells = openCells(config, log)
  const book = openLogBook(config, cells, log)
  const watching = openWatching(config, book)
  try {
    const { id: centerId } = await world.center()
    await fillChain(place.url, centerId, benchLog, rows)
    await world.query('vacuum analyze cell.entries')
    const caller = { requestId: 'bench', actorId: null, centerId }
    const inCenter = <T>(work: (tx: TenantTx) => Promise<T>) => cells.of('main').inTenant(caller, work, 'read')
    const timed = async (work: (tx: TenantTx) => Promise<unknown>): Promise<number> => {
      const started = performance.now()
      await inCenter(work)
      return performance.now() - started
    }
    const any = () => Math.floor(Math.random() * rows)
    const proof = async (tx: TenantTx) => {
      const index = any()
      const row = await confirmedNewestFor(tx, book, 'proof', index)
      if (!row) throw new Error('the chain has no signed checkpoint')
      await underCheckpoint(tx, watching, 'proof', index, row)
    }
    const bare = (tx: TenantTx) => hashAt(tx, 'proof', any())
    const p99 = { ours: [] as number[], bare: [] as number[] }
    const middle = { ours: [] as number[], bare: [] as number[] }
    for (let window = 0; window <= windows; window++) {
      for (const [name, work] of [
        ['bare', bare],
        ['ours', proof],
      ] as const) {
        const times: number[] = []
        for (let at = 0; at < perWindow; at++) times.push(await timed(work))
        // The first window is a warm-up.
        if (window === 0) continue
        p99[name].push(percentile(times, 0.99))
        middle[name].push(median(times))
        say(`${name}: p99 ${percentile(times, 0.99).toFixed(2)} ms, median ${median(times).toFixed(2)} ms`)
      }
    }
    const round = (value: number) => Number(value.toFixed(3))
    return {
      value: round(median(p99.ours)),
      unit: 'ms p99',
      bare: round(median(p99.bare)),
      ratio: round(median(p99.ours) / median(p99.bare)),
      medianMs: round(median(middle.ours)),
      bareMedianMs: round(median(middle.bare)),
      entries: rows,
    }
  } finally {
    await cells.close()
    await book.close()
    await world.close()
    await place.close()
  }
}
