/** Audit entries of a batch. */
import type { RowKind } from '../sealing/sealed-rows.ts'
import type { auditRow } from './audit.ts'

export const auditRows: RowKind<ReturnType<typeof auditRow>, never> = {
  name: 'audit',
  order: 80,
  write: 'write_audit',
  namesOf: ({ id }) => [id],
}
