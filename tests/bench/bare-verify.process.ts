/** The reference for verification in Node: COPY of a chain and two hashes per entry, of the entry and of its leaf. */
import { hash } from 'node:crypto'
import { copyOut } from '@countersign/server/data/copy-out.ts'
import pg from 'pg'

export interface BareVerified {
  readonly ms: number
  readonly entries: number
}

const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()

process.on('message', async (centerId: number) => {
  const started = performance.now()
  let entries = 0
  await copyOut(client)(
    `select content, coalesce(previous_hash, ''), sealed_at, hash from cell.chain_entries
     where center_id = ${centerId} and domain = 'proof' order by idx`,
    (row) => {
      const own = hash('sha256', Buffer.concat([row.bytes(0), row.bytes(1), row.bytes(2)]), 'hex')
      const stored = row.text(3) as string
      hash('sha256', `\0${stored}`, 'buffer')
      if (stored === `sha256:${own}`) entries++
    },
  )
  const verified: BareVerified = { ms: performance.now() - started, entries }
  process.send?.(verified)
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
