/** A page of the units of a center. */
import type { listDpus } from '@countersign/contract/dpu-list.ts'
import type { EvidenceLevel } from '@countersign/contract/enums.ts'
import type { Context } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { countDpus, type DpuFilter, type DpuSummaryRow, dpuExists, pageOfDpus } from './list-queries.ts'
import { dpuCounts } from './queries.ts'
import { countsOf } from './stats.ts'

const summaryOf = (row: DpuSummaryRow) => ({
  id: typedId('dpu', row.id),
  content: row.content ?? '',
  evidenceLevel: row.evidence_level as EvidenceLevel,
  status: row.evidence_level === 'AUDIT_READY' ? ('sealed' as const) : ('pending' as const),
  domain: row.domain,
  chainIndex: Number(row.chain_index),
  referenceType: row.reference_type as 'demo' | null,
  referenceId: row.reference_id,
  workflowId: row.workflow_id,
  tags: row.tags ?? [],
  createdBy: row.created_by?.id ? { id: row.created_by.id, name: row.created_by.name ?? null } : null,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: row.updated_at.toISOString(),
  sealedAt: row.sealed_at?.toISOString() ?? null,
})

export async function listPage({ tx, query }: Context<typeof listDpus.spec>) {
  const { page, limit, cursor, tag, referenceId, workflowId, ...rest } = query
  const labels = Object.entries({ reference: referenceId, workflow: workflowId, tag }).flatMap(([kind, value]) =>
    value === undefined ? [] : [`${kind}:${value}`],
  )
  const filter: DpuFilter = { ...rest, labels }
  const after = cursor === undefined ? null : uuidOf('dpu', cursor)
  if (cursor !== undefined && (after === null || !(await dpuExists(tx, after)))) {
    throw new Problem(
      'VALIDATION_ERROR',
      '"cursor" doesn\'t belong to this list. Send the `nextCursor` of the previous page.',
      { details: { reason: 'cursor', field: 'cursor' } },
    )
  }
  const rows = await pageOfDpus(tx, filter, { after, limit: limit + 1, offset: (page - 1) * limit })
  const shown = rows.slice(0, limit)
  const { total, byEvidenceLevel } = countsOf(await dpuCounts(tx.db))
  const { evidenceLevel, from, to } = rest
  const isCounted = labels.length === 0 && from === undefined && to === undefined
  const counted = evidenceLevel === undefined ? total : byEvidenceLevel[evidenceLevel]
  return {
    items: shown.map(summaryOf),
    total: isCounted ? counted : await countDpus(tx, filter),
    nextCursor: rows.length > limit ? typedId('dpu', (shown.at(-1) as DpuSummaryRow).id) : null,
    counts: { byEvidenceLevel },
  }
}
