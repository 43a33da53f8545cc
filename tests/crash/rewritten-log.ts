/** What an attacker with full database access can do to a chain, with or without the signing key of the log. */

import { entryHash } from '@countersign/proof/chain.ts'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import { emptyFrontier, encodeFrontier, type Frontier, grow, leafHash } from '@countersign/proof/tree.ts'
import { splitEntry } from '@countersign/server/data/stored-entry.ts'
import type { LogKeys } from '@countersign/server/sealing/log-keys.ts'
import pg from 'pg'

export interface Victim {
  readonly url: string
  readonly centerId: number
  readonly log: string
}

const page = 5000

export async function asSuperuser<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Disables triggers and foreign keys.
    await client.query('set session_replication_role = replica')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Changes one commitment in the entry at `from` and recomputes every later hash. */
export async function rewriteFrom(client: pg.Client, { centerId }: Victim, from: number): Promise<number> {
  const { rows: heads } = await client.query<{ next: number }>(
    `select next_index::integer as next from cell.chain_heads where center_id = $1 and domain = 'proof'`,
    [centerId],
  )
  const next = (heads[0] as { next: number }).next
  const { rows: before } = await client.query<{ hash: string }>(
    `select hash from cell.chain_entries where center_id = $1 and domain = 'proof' and idx = $2`,
    [centerId, from - 1],
  )
  let previous = before[0]?.hash ?? null
  for (let at = from; at < next; at += page) {
    const { rows } = await client.query<{ idx: number; content: string; sealed_at: string }>(
      `select idx::integer, content, sealed_at from cell.chain_entries
       where center_id = $1 and domain = 'proof' and idx >= $2 and idx < $3 order by idx`,
      [centerId, at, at + page],
    )
    const forged = rows.map(({ idx, content, sealed_at }) => {
      const text =
        idx === from ? content.replace(/sha256:([0-9a-f])/, (_, digit) => `sha256:${digit === '0' ? 1 : 0}`) : content
      const link = previous
      previous = entryHash(text, link, sealed_at)
      return { idx, ...splitEntry(text), link, hash: previous }
    })
    await client.query(
      `update cell.entries e set template = n.template, hashes = decode(n.digits, 'hex'),
         previous_hash = decode(substr(n.link, 8), 'hex'), hash = decode(substr(n.hash, 8), 'hex')
       from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[]) n (idx, template, digits, link, hash)
       where e.center_id = $1 and e.domain = 'proof' and e.idx = n.idx`,
      [
        centerId,
        forged.map(({ idx }) => idx),
        forged.map(({ template }) => template),
        forged.map(({ digits }) => digits),
        forged.map(({ link }) => link),
        forged.map(({ hash }) => hash),
      ],
    )
  }
  return next - from
}

/** Removes the entries from `from` on, and every row that refers to them. */
export async function cutOff(client: pg.Client, { centerId }: Victim, from: number): Promise<void> {
  for (const [table, column] of [
    ['cosignatures', 'size - 1'],
    ['timestamps', 'size - 1'],
    ['signatures', 'size - 1'],
    ['checkpoints', 'size - 1'],
    ['entries', 'idx'],
  ]) {
    await client.query(`delete from cell.${table} where center_id = $1 and domain = 'proof' and ${column} >= $2`, [
      centerId,
      from,
    ])
  }
  await client.query(
    `update cell.witness_positions set size = least(size, $2) where center_id = $1 and domain = 'proof'`,
    [centerId, from],
  )
  await client.query(`delete from cell.dpus where center_id = $1 and domain = 'proof' and chain_index >= $2`, [
    centerId,
    from,
  ])
}

/** Makes head, tree and checkpoints match the entries again; without the key the old signatures stay. */
export async function coverUp(client: pg.Client, { centerId, log }: Victim, keys: LogKeys | null): Promise<void> {
  const { rows: signed } = await client.query<{ size: number }>(
    `select size::integer from cell.checkpoints where center_id = $1 and domain = 'proof' order by size`,
    [centerId],
  )
  const sizes = new Set(signed.map(({ size }) => size))
  const tiles: object[] = []
  let frontier: Frontier = emptyFrontier
  for (;;) {
    const { rows } = await client.query<{ hash: string }>(
      `select hash from cell.chain_entries where center_id = $1 and domain = 'proof' and idx >= $2 order by idx limit $3`,
      [centerId, frontier.size, page],
    )
    if (rows.length === 0) break
    // Up to the next published size.
    const stop = [...sizes].find((size) => size > frontier.size) ?? Number.POSITIVE_INFINITY
    const leaves = rows.slice(0, stop - frontier.size).map(({ hash }) => leafHash(hash))
    const growth = grow(frontier, leaves)
    frontier = growth.frontier
    for (const { level, n, root } of growth.tiles) {
      tiles.push({ center_id: centerId, domain: 'proof', level, n, root: Buffer.from(root).toString('hex') })
    }
    if (!sizes.has(frontier.size)) continue
    const text = checkpointText(log, frontier.size, growth.root)
    await client.query(
      `update cell.checkpoints set root = $3 where center_id = $1 and domain = 'proof' and size = $2`,
      [centerId, frontier.size, Buffer.from(growth.root)],
    )
    if (!keys) continue
    await client.query(
      `insert into cell.signatures (center_id, domain, size, line) values ($1, 'proof', $2, $3)
       on conflict (center_id, domain, size) do update set line = excluded.line`,
      [centerId, frontier.size, (await keys.signLines([{ origin: log, text }]))[0]],
    )
  }
  await client.query(`delete from cell.tree_tiles where center_id = $1 and domain = 'proof'`, [centerId])
  for (const level of [0, 1, 2]) {
    await client.query('select cell.write_tiles($1, $2)', [JSON.stringify(tiles), level])
  }
  await client.query(
    `update cell.chain_heads h set next_index = e.idx + 1, last_hash = e.hash, last_sealed_at = e.sealed_at,
       frontier = $2, broken_at = null
     from (select * from cell.chain_entries where center_id = $1 and domain = 'proof' order by idx desc limit 1) e
     where h.center_id = $1 and h.domain = 'proof'`,
    [centerId, Buffer.from(encodeFrontier(frontier))],
  )
}
