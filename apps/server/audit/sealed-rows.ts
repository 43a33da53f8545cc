/** Audit entries of a batch. */
import type { Caller } from '../data/directory.ts'
import type { Batch } from '../sealing/batch.ts'
import type { RowKind } from '../sealing/sealed-rows.ts'
import { type AuditEntry, auditRow } from './audit.ts'

const auditRows: RowKind<ReturnType<typeof auditRow>, never> = {
  name: 'audit',
  order: 80,
  write: 'write_audit',
  namesOf: ({ id }) => [id],
}

/** The entries commit with what the batch seals. */
export function auditInBatch(batch: Batch, caller: Caller, ...entries: readonly AuditEntry[]): void {
  for (const entry of entries) batch.rows(auditRows).insert(auditRow(caller, entry))
}
