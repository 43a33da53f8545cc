/**
 * Redaction: deletes a committed value and its salt from every table, and records that in an entry of the chain
 * `history`. No hash changes, so every proof given before still holds. AUDIT_READY records can be redacted too: the
 * seal covers the decision, which a redaction does not change.
 */

import type { redactDpu } from '@countersign/contract/dpu.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { ChainContent } from '@countersign/proof/chain.ts'
import { companionsOf } from '@countersign/proof/companions.ts'
import type { StoredEntry } from '@countersign/proof/export.ts'
import { historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import type { DpuRow } from '../../../governance/rows.ts'
import { newSalt, newUuid, recordUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry, SealItem } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { type ExportConfig, findWhole, lastHash, type StoredDpu, sealedName, unknownDpu } from './api.ts'
import { packSalts, saltsOf } from './packed-salts.ts'
import { dpuRows, needDpu, redactionRows } from './stored.ts'

type Wish = BodyOf<(typeof redactDpu)['spec']>

interface Redacting {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly person: MemberPrincipal
}

export interface Redacted {
  readonly dpuId: string
  readonly paths: readonly string[]
  readonly entry: Entry
  readonly by: { readonly id: string; readonly name: string; readonly role: string }
}

/** Committed, but counted, compared and shown as a state of the record: never personal data. */
const kept: readonly string[] = ['control', 'evidenceLevel', 'vertical', 'country', 'region']

/**
 * The record before the redaction. One that does not hold is not redacted, because that would delete evidence of how it
 * was changed.
 */
export async function findToRedact(tx: TenantTx, id: string, config: ExportConfig): Promise<StoredDpu> {
  const stored = await findWhole(tx, recordUuid(id), config)
  if (!stored) throw unknownDpu()
  return stored
}

export function redactionItem(
  before: StoredDpu,
  wish: Wish,
  redacting: Redacting,
): Pick<SealItem<Redacted>, 'holds' | 'judge'> {
  const { dpu, event } = before.record
  return {
    holds: { chains: ['history'], rows: [needDpu(dpu.id), ...(event ? [need(redactionRows, { id: event.id })] : [])] },
    judge(batch) {
      const held = batch.rows(dpuRows).find(dpu.id)
      if (!held) throw unknownDpu()
      refuseOthers(before, held, wish.paths)
      return redact(batch, held, wish, redacting)
    },
  }
}

/** Refuses paths that cannot be redacted, and paths that are redacted already. */
function refuseOthers(before: StoredDpu, held: DpuRow, paths: readonly string[]): void {
  const { commitments } = JSON.parse(before.proof.content) as ChainContent
  // The metadata of a decision and the output of its execution are not in its own entry: only its changes commit to them.
  const committed = new Set([
    ...Object.keys(commitments),
    ...(held.metadata_commitment === null ? [] : ['metadata']),
    ...(before.history.some(hasOutput) ? ['output'] : []),
  ])
  const redactable = [...committed].filter((path) => !kept.includes(path))
  const others = paths.filter((path) => !redactable.includes(path))
  if (others.length > 0) {
    throw new Problem(
      'VALIDATION_ERROR',
      `These paths can't be redacted: ${others.map((path) => `"${path}"`).join(', ')}. In this record, you can redact ${redactable.join(', ')}.`,
      { details: { reason: 'notRedactable', field: 'paths' } },
    )
  }
  const gone = paths.filter((path) => !isThere(before, held, path))
  if (gone.length > 0) {
    throw new Problem('CONFLICT', `These values are already redacted: ${gone.join(', ')}. Leave them out.`, {
      details: { reason: 'redacted' },
    })
  }
}

const hasOutput = ({ content }: StoredEntry): boolean => {
  const { type, commitments } = JSON.parse(content) as ChainContent
  return type === 'execution' && commitments.output !== undefined
}

/** Deletes a value with its salt. Metadata may also be in changes that followed an earlier redaction; an output is in changes only. */
function isThere({ record, history }: StoredDpu, held: DpuRow, path: string): boolean {
  if (saltsOf(held)[path] !== undefined) return true
  if (path !== 'metadata' && path !== 'output') return false
  if (path === 'metadata' && Object.keys(held.metadata).length > 0) return true
  const unchanged = Date.parse(record.dpu.updated_at) === Date.parse(held.updated_at)
  return unchanged && history.some(({ salts }) => salts[path] !== undefined)
}

function redact(
  batch: Batch,
  dpu: DpuRow,
  { paths: wished, reason }: Wish,
  { center: { centerId }, caller, person }: Redacting,
): Redacted {
  const id = newUuid()
  const salts = saltsOf(dpu)
  const paths = [...wished, ...companionsOf(wished, (path) => salts[path] !== undefined)]
  const by = { id: person.actorId, name: person.name, role: person.entered.role }
  const disclosed = { paths, reason, by }
  const prepared = historyStatic(
    {
      id: typedId('history', id),
      type: 'redaction',
      target: sealedName(dpu),
      previous: lastHash(dpu),
      values: { ...disclosed, paths: [...paths] },
    },
    () => unitState({ evidenceLevel: dpu.evidence_level, metadata: dpu.metadata_commitment }),
    newSalt,
  )
  const entry = batch.appendHistory(id, prepared, disclosed)
  batch.rows(dpuRows).replace({ ...withoutValues(dpu, paths), updated_at: entry.sealedAt, last_change: entry.hash })
  batch.rows(redactionRows).insert({ center_id: centerId, id: dpu.id })
  auditInBatch(batch, caller, {
    type: 'dpu.changed',
    action: 'redacted',
    target: { type: 'dpu', id: typedId('dpu', dpu.id) },
    // The reason may itself be personal data, so it is stored in the history only.
    details: { paths: paths.join(' '), historyIndex: entry.index },
  })
  return { dpuId: dpu.id, paths, entry, by }
}

/** The state for the next item of the batch. `cell.redacted_unit` decides what is written, by the same rule. */
function withoutValues(dpu: DpuRow, paths: readonly string[]): DpuRow {
  const salts = Object.fromEntries(Object.entries(saltsOf(dpu)).filter(([path]) => !paths.includes(path)))
  const metadata = paths.includes('metadata') ? {} : dpu.metadata
  if (dpu.domain === 'proof') return { ...dpu, ...packSalts(salts), metadata }
  return {
    ...dpu,
    salts,
    metadata,
    ...(paths.includes('content') && { content: '' }),
    ...(paths.includes('referenceId') && { reference_id: null }),
    ...(paths.includes('tags') && { tags: null }),
    ...(paths.includes('createdBy') && { created_by: null }),
    ...(paths.includes('responsibility') && { origin: null }),
  }
}
