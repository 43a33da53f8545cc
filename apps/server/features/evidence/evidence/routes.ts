import type { EvidenceLevel } from '@countersign/contract/enums.ts'
import * as contract from '@countersign/contract/evidence.ts'
import { contextDocument } from '@countersign/proof/context.ts'
import { statusOf } from '@countersign/proof/export.ts'
import { callerIn, cellOf, isVisibleTo, type KeyPrincipal } from '../../../access/principal.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { type Route, route } from '../../../http/route.ts'
import { recordUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { decisionOf } from '../decision-events/api.ts'
import {
  anchoredExport,
  type DpuInChain,
  type ExportNeeds,
  findDpuInChain,
  findStored,
  type StoredDpu,
} from '../dpu/api.ts'
import { receiptFor } from '../transparency/api.ts'
import { evidenceOf } from './evidence.ts'
import { chainLines, valuedLines } from './lines.ts'

async function sealedEvidence(tx: TenantTx, id: string, key: KeyPrincipal): Promise<StoredDpu> {
  const stored = await findStored(tx, recordUuid(id))
  const { dpu, event } = stored?.record ?? {}
  if (stored && dpu?.domain === 'proof' && isVisibleTo(key, event)) return stored
  throw new Problem(
    'NOT_FOUND',
    "There's no sealed evidence with this ID. A decision has evidence once it's approved; check the ID and the decision's status.",
  )
}

interface EvidenceNeeds extends ExportNeeds {
  readonly cells: Cells
}

export const evidenceRoutes = (needs: EvidenceNeeds): Route[] => [
  route(contract.getEvidence, async ({ tx, params, principal }, reply) => {
    const stored = await sealedEvidence(tx, params.id, principal)
    const receipt = await receiptFor(tx, needs.watching, 'proof', stored.record.dpu.chain_index)
    return reply(200, evidenceOf(stored, needs.config, receipt))
  }),
  route(contract.exportEvidence, async ({ tx, params, principal }, reply) =>
    reply(200, await anchoredExport(tx, needs, await sealedEvidence(tx, params.id, principal))),
  ),
  route(contract.getUnitState, async ({ tx, params, principal }, reply) => {
    const uuid = recordUuid(params.id)
    const found = await findDpuInChain(tx, uuid)
    if (found && isVisibleTo(principal, found.event)) return reply(200, stateOf(found))
    // A decision that waits for a person is a DPU that is not sealed yet.
    const open = !found && uuid && (await decisionOf(tx, uuid, principal.center))
    if (open && isVisibleTo(principal, open.event))
      return reply(200, stateBeforeSealing(open.event, open.evidenceLevel))
    throw new Problem('NOT_FOUND', "There's no decision proof unit with this ID. Check the ID and the center.")
  }),
  route(contract.listChainEntries, ({ params, query, principal, requestId }, reply) => {
    const cell = needs.cells.of(cellOf(principal))
    const caller = callerIn(principal, requestId)
    const { from } = query
    if ('limit' in query) return reply(200, chainLines(cell, caller, params.domain, from, from + query.limit))
    if (query.values !== 'true') return reply(200, chainLines(cell, caller, params.domain, from))
    if (principal.kind !== 'key' || principal.boundTo !== null) {
      throw new Problem(
        'FORBIDDEN',
        "This key is limited to one actor and can't read other actors' values. Use a key without an actor.",
      )
    }
    return reply(200, valuedLines(cell, caller, params.domain, from))
  }),
  route(contract.getProofContext, (_context, reply) => reply(200, contextDocument(needs.config.schemaUrl))),
]

const stateBeforeSealing = ({ id, created_at }: EventRow, evidenceLevel: EvidenceLevel) => ({
  id: typedId('dpu', id),
  status: 'pending' as const,
  evidenceLevel,
  chainHash: null,
  chainIndex: null,
  domain: 'proof' as const,
  createdAt: new Date(created_at).toISOString(),
  sealedAt: null,
})

function stateOf({ dpu, entry, event }: DpuInChain) {
  const evidenceLevel = dpu.evidence_level as EvidenceLevel
  return {
    id: typedId('dpu', dpu.id),
    status: statusOf(dpu.domain, evidenceLevel),
    evidenceLevel,
    chainHash: entry.hash,
    chainIndex: dpu.chain_index,
    domain: dpu.domain,
    createdAt: event ? new Date(event.created_at).toISOString() : entry.sealedAt,
    // A decision is sealed once it is chained, whatever its level.
    sealedAt: dpu.domain === 'proof' ? entry.sealedAt : dpu.sealed_at && new Date(dpu.sealed_at).toISOString(),
  }
}
