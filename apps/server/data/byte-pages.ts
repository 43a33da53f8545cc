/**
 * Pages that are bounded in bytes as well as in rows, so that memory and the time of a statement do not depend on the
 * size of rows. A page has at least one row: a row above the bound is a page by itself.
 */
import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from './cells.ts'

export const pageBytes = 2 * 1024 * 1024

/**
 * The texts of the positions from 1 to `count`, in order: as many as fit. PostgreSQL computes one text after the other
 * and stops at the bound; with a window function it would compute all of them. `textAt` must not yield null.
 */
export async function textsWithin(
  tx: TenantTx,
  count: number,
  textAt: (position: RawBuilder<number>) => RawBuilder<unknown>,
): Promise<readonly string[]> {
  // OFFSET 0 keeps the planner from computing the text a second time for its length.
  const { rows } = await sql<{ text: string }>`
    with recursive page (position, text, bytes) as (
      select 0, null::text, 0::bigint
      union all
      select page.position + 1, t.text, page.bytes + octet_length(t.text)
      from page cross join lateral (select (${textAt(sql`page.position + 1`)})::text as text offset 0) t
      where page.position < ${count} and page.bytes < ${pageBytes}
    )
    select text from page where position > 0 order by position`.execute(tx.db)
  return rows.map(({ text }) => text)
}
