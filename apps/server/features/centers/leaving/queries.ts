import { sql } from 'kysely'
import { pageBytes } from '../../../data/byte-pages.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { ExportedTable } from './tables.ts'

const pageRows = 500

/** The rows after a key as lines of JSON: as many as fit into a page, and none only at the end. */
export async function tableLines(
  tx: TenantTx | DirectoryTx,
  { table, key, columns }: ExportedTable,
  after: readonly string[] | null,
): Promise<readonly { readonly line: string; readonly key: readonly string[] }[]> {
  const list = (texts: readonly string[]) => sql.raw(texts.join(', '))
  const names = key.map(([column]) => `t.${column}`)
  const from = key.map(([, type], at) => sql`${after?.[at]}::${sql.raw(type)}`)
  const later =
    after === null ? sql`true` : names.length === 0 ? sql`false` : sql`(${list(names)}) > (${sql.join(from)})`
  const order = names.length === 0 ? sql`` : sql`order by ${list(names)}`
  const { rows } = await sql<{ line: string; key: string[] }>`
    select line, key from (
      select line, key, sum(octet_length(line)) over (rows unbounded preceding) - octet_length(line) as before from (
        select (select row_to_json(r) from (select ${columns === undefined ? sql`t.*` : sql.raw(columns)}) r)::text as line,
          array[${list(names.map((name) => `${name}::text`))}]::text[] as key
        from ${sql.raw(table)} t where t.center_id = ${tx.caller.centerId} and ${later}
        ${order} limit ${pageRows}) l) p
    where before < ${pageBytes}`.execute(tx.db)
  return rows
}

export interface CenterFacts {
  readonly id: number
  readonly domain: string
  readonly name: string
}

/** The center with its settings, as one line. */
export async function centerLine(tx: DirectoryTx): Promise<{ readonly line: string; readonly center: CenterFacts }> {
  const { rows } = await sql<{ line: string } & CenterFacts>`
    select row_to_json(c)::text as line, id, domain, name from (
      select id, domain, name, tenant_type, status, vertical, country, region, business_number, custom_domain, settings,
        inherited_policies, created_at from directory.centers where id = ${tx.caller.centerId}) c`.execute(tx.db)
  const [{ line, ...center }] = rows as [{ line: string } & CenterFacts]
  return { line, center }
}

export interface ExportRow {
  readonly id: string
  readonly status: 'running' | 'completed' | 'failed'
  readonly requested_at: Date
  readonly ended_at: Date | null
  readonly expires_at: Date
  readonly part: number
  readonly files: number
  readonly lines: number
  readonly bytes: number
  readonly sizes: Readonly<Record<string, number>>
  readonly manifest: string | null
  readonly reason: string | null
}

/** False where one is running. A unique index decides between concurrent requests. */
export async function beginExport(
  tx: TenantTx,
  asked: { readonly id: string; readonly at: Date; readonly until: Date; readonly by: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into cell.center_exports (center_id, id, requested_by, requested_at, expires_at, next_at)
    values (${tx.caller.centerId}, ${asked.id}, ${asked.by}, ${asked.at}, ${asked.until}, ${asked.at})
    on conflict (center_id) where status = 'running' do nothing returning 1`.execute(tx.db)
  return rows.length === 1
}

export async function newestExport(tx: TenantTx): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`
    select id, status, requested_at, ended_at, expires_at, part, files, lines, bytes, sizes, manifest, reason
    from cell.center_exports where center_id = ${tx.caller.centerId} order by id desc limit 1`.execute(tx.db)
  return rows[0]
}

export interface StoredFile {
  readonly name: string
  readonly bytes: number
  readonly lines: number
  readonly sha256: string
}

/** In the order of names, which is that of the parts and of the files in each. */
export async function filesOf(tx: TenantTx, exportId: string): Promise<readonly StoredFile[]> {
  const { rows } = await sql<StoredFile>`
    select name, octet_length(content) as bytes, lines, sha256 from cell.center_export_files
    where center_id = ${tx.caller.centerId} and export_id = ${exportId} order by name collate "C"`.execute(tx.db)
  return rows
}

export async function fileContent(tx: TenantTx, exportId: string, name: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer }>`
    select content from cell.center_export_files
    where center_id = ${tx.caller.centerId} and export_id = ${exportId} and name = ${name}`.execute(tx.db)
  return rows[0]?.content
}
