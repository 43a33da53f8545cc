import type { Directory, PartnerTx } from '../../../data/directory.ts'
import { csvOf } from '../../../lib/csv.ts'
import { type ExportedCenter, exportedCenters } from './queries.ts'

const columns = [
  'id',
  'name',
  'centerDomain',
  'tenantType',
  'vertical',
  'status',
  'country',
  'region',
  'memberCount',
  'planId',
  'subscriptionStatus',
  'createdAt',
] as const

/** Page after page, each in a transaction of its own, as this partner. */
export const centersCsv = (directory: Directory, { caller, partnerId }: PartnerTx) =>
  csvOf<ExportedCenter>(
    columns,
    (after) => directory.asPartner(caller, partnerId, (tx) => exportedCenters(tx, after?.id ?? null), 'read'),
    (row) => columns.map((column) => (column === 'createdAt' ? row.createdAt.toISOString() : row[column])),
  )
