/** An attacker with full database access changes and deletes checkpoints and rewrites whole chains. */
import { entryHash } from '@countersign/proof/chain.ts'
import { emptyFrontier, encodeFrontier, grow, leafHash } from '@countersign/proof/tree.ts'
import { splitEntry } from '@countersign/server/data/stored-entry.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../support/server.ts'
import { type Forger, openForger, type Verdict } from './forger.ts'

const tables = [
  'entries',
  'chain_heads',
  'checkpoints',
  'signatures',
  'tree_tiles',
  'cosignatures',
  'timestamps',
] as const
let forger: Forger
let center: number
let sizes: readonly number[]

beforeAll(async () => {
  forger = await openForger()
  center = forger.filled.center.id
  for (const table of tables) await forger.query(`create table if not exists backup.${table} as table cell.${table}`)
  await forger.query('alter table cell.checkpoints drop constraint checkpoints_root_check')
  sizes = (
    await forger.query<{ size: number }>(
      `select size::int from cell.checkpoints where center_id = $1 and domain = 'proof' order by size`,
      [center],
    )
  ).map(({ size }) => size)
}, 180_000)
afterAll(() => forger.close())
afterEach(async () => {
  for (const table of tables) {
    // Without the columns that the database computes.
    const [stored] = await forger.query<{ columns: string }>(
      `select string_agg(column_name, ', ') as columns from information_schema.columns
       where table_schema = 'cell' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    const columns = stored?.columns
    await forger.query(
      `delete from cell.${table}; insert into cell.${table} (${columns}) select ${columns} from backup.${table}`,
    )
  }
})

const verdict = async (mode: 'chain' | 'records' = 'chain'): Promise<Verdict> => (await forger.verify(mode)).proof
const found = (at: number, reason: RegExp) => ({ valid: false, brokenAt: at, reason: expect.stringMatching(reason) })
const last = () => sizes.at(-1) as number
/** The size of the previous checkpoint: up to there a signature is still valid. */
const before = (size: number) => sizes.findLast((each) => each < size) ?? 0
const forge = (table: string, change: string, size: number) =>
  forger.query(`update cell.${table} set ${change} where center_id = $1 and domain = 'proof' and size = $2`, [
    center,
    size,
  ])

describe('a changed checkpoint', () => {
  it.each([
    ['its root', 'checkpoints', `root = sha256(root)`],
    ['an empty root', 'checkpoints', `root = ''`],
    ['the name in its signature', 'signatures', `line = replace(line, '/proof', '/dpu')`],
    [
      'its signature',
      'signatures',
      `line = overlay(line placing case substr(line, length(line) - 20, 1) when 'A' then 'B' else 'A' end
        from length(line) - 20)`,
    ],
    ['an empty signature', 'signatures', `line = ''`],
    ['the signature of another size', 'signatures', 'size = size + 1000000'],
  ])('is found from the end of the previous checkpoint on: %s', async (_, table, change) => {
    for (const size of [sizes[0] as number, sizes[Math.floor(sizes.length / 2)] as number, last()]) {
      await forge(table, change, size)
      for (const mode of ['chain', 'records'] as const) {
        expect(await verdict(mode)).toMatchObject(found(before(size), /is not signed by us/))
        await forger.query('update cell.chain_heads set broken_at = null')
      }
      await forger.query(`delete from cell.${table}; insert into cell.${table} select * from backup.${table}`)
    }
  })
})

describe('a deleted checkpoint', () => {
  /** Verifies with a server without remembered checkpoints, because for one with them the chain would also be too short. */
  async function freshVerdict(): Promise<Verdict> {
    const fresh = await startServer({ beside: forger.server })
    try {
      const { body } = await fresh.call('GET', '/api/dpu/verify-chain', { token: forger.filled.token })
      return body.data.domains.proof
    } finally {
      await fresh.close()
    }
  }

  it('is found when it is the last, because nothing covers the end', async () => {
    await forger.query(`delete from cell.checkpoints where center_id = $1 and domain = 'proof' and size = $2`, [
      center,
      last(),
    ])
    for (const ask of [verdict, freshVerdict]) {
      expect(await ask()).toMatchObject(found(before(last()), /no signed checkpoint covers (it|the chain)/))
      await forger.query('update cell.chain_heads set broken_at = null')
    }
  })

  it('is not needed when later ones exist, which cover the same entries', async () => {
    const middle = sizes[Math.floor(sizes.length / 2)] as number
    await forger.query(`delete from cell.checkpoints where center_id = $1 and size = $2`, [center, middle])
    expect(await freshVerdict()).toMatchObject({ valid: true })
    const path = `/api/v1/chains/proof/consistency?from=${middle}`
    expect((await forger.server.call('GET', path, { token: forger.filled.key })).status).toBe(200)
  })

  it('is found by the remaining tree when all others are deleted too', async () => {
    await forger.query('delete from cell.checkpoints')
    expect(await freshVerdict()).toMatchObject(found(0, /no signed checkpoint covers (it|the chain)/))
  })

  it('is found when every checkpoint and the tree are deleted', async () => {
    await forger.query('delete from cell.checkpoints')
    await forger.query('update cell.chain_heads set frontier = null')
    expect(await freshVerdict()).toMatchObject(found(0, /no signed checkpoint covers (it|the chain)/))
  })
})

describe('a chain rewritten with consistent rows', () => {
  it('is found, because the first entries differ from the signed ones', async () => {
    const entries = await forger.query<{ idx: number; content: string; sealed_at: string }>(
      `select idx::int, content, sealed_at from cell.chain_entries where center_id = $1 and domain = 'proof' order by idx`,
      [center],
    )
    // Changes one digit of a commitment, as if the decision had been different, and recomputes every later hash.
    const other = (content: string) =>
      content.replace(/(?<="sha256:[0-9a-f]{63})[0-9a-f](?=")/, (digit) => (digit === '0' ? '1' : '0'))
    let previous: string | null = null
    const hashes: string[] = []
    for (const { idx, content, sealed_at } of entries) {
      const text = idx === 3 ? other(content) : content
      const hash = entryHash(text, previous, sealed_at)
      const { template, digits } = splitEntry(text)
      await forger.query(
        `update cell.entries set template = $3, hashes = decode($4, 'hex'), previous_hash = decode(substr($5, 8), 'hex'),
           hash = decode(substr($6, 8), 'hex')
         where center_id = $1 and domain = 'proof' and idx = $2`,
        [center, idx, template, digits, previous, hash],
      )
      hashes.push(hash)
      previous = hash
    }
    const frontier = encodeFrontier(grow(emptyFrontier, hashes.map(leafHash)).frontier)
    await forger.query(
      `update cell.chain_heads set last_hash = $2, frontier = $3 where center_id = $1 and domain = 'proof'`,
      [center, previous, frontier],
    )
    expect(await verdict()).toMatchObject(found(before(4), /entries are not those that were signed/))
  })

  it('is found after a truncation at a checkpoint by a server that remembers a larger one', async () => {
    expect(await verdict()).toMatchObject({ valid: true })
    const size = sizes[2] as number
    const [entry] = await forger.query<{ hash: string; sealed_at: string }>(
      `select hash, sealed_at from cell.chain_entries where center_id = $1 and domain = 'proof' and idx = $2`,
      [center, size - 1],
    )
    const kept = await forger.query<{ hash: string }>(
      `select hash from cell.chain_entries where center_id = $1 and domain = 'proof' and idx < $2 order by idx`,
      [center, size],
    )
    const frontier = encodeFrontier(
      grow(
        emptyFrontier,
        kept.map(({ hash }) => leafHash(hash)),
      ).frontier,
    )
    await forger.query(`delete from cell.entries where center_id = $1 and domain = 'proof' and idx >= $2`, [
      center,
      size,
    ])
    await forger.query(`delete from cell.checkpoints where center_id = $1 and domain = 'proof' and size > $2`, [
      center,
      size,
    ])
    await forger.query(
      `update cell.chain_heads set next_index = $2, last_hash = $3, last_sealed_at = $4, frontier = $5
       where center_id = $1 and domain = 'proof'`,
      [center, size, entry?.hash, entry?.sealed_at, frontier],
    )
    expect(await verdict()).toMatchObject(
      found(size, new RegExp(`seen a signed checkpoint at ${last()} entries, but the chain has only ${size}`)),
    )
  })
})

it('leaves a valid chain at the end', async () => {
  expect(await verdict('records')).toMatchObject({ valid: true })
})
