/** A list of a tenant as CSV: each page is read in a transaction of its own, and described afterwards. */
import type { CsvValue } from '@countersign/design/csv.ts'
import { csvOf } from '../lib/csv.ts'
import type { Cells, TenantTx } from './cells.ts'
import type { Caller } from './directory.ts'

const pageSize = 500

interface TenantList<Row, Column extends string> {
  readonly columns: readonly Column[]
  readonly read: (
    tx: TenantTx,
    place: { readonly after: Row | null; readonly limit: number; readonly offset: number },
  ) => Promise<readonly Row[]>
  /** In the order of the rows. */
  readonly describe: (rows: readonly Row[]) => Promise<readonly Readonly<Record<Column, CsvValue>>[]>
}

export const tenantCsv = <Row, Column extends string>(
  cells: Cells,
  cell: string,
  caller: Caller,
  { columns, read, describe }: TenantList<Row, Column>,
): AsyncGenerator<string> =>
  csvOf<{ readonly row: Row; readonly values: Readonly<Record<Column, CsvValue>> }>(
    columns,
    async (last) => {
      const place = { after: last?.row ?? null, limit: pageSize, offset: 0 }
      const rows = await cells.of(cell).inTenant(caller, (tx) => read(tx, place), 'read')
      const described = await describe(rows)
      return rows.map((row, at) => ({ row, values: described[at] as (typeof described)[number] }))
    },
    ({ values }) => columns.map((column) => values[column]),
  )
