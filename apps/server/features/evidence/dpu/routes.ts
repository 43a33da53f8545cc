import * as contract from '@countersign/contract/dpu.ts'
import { listDpus } from '@countersign/contract/dpu-list.ts'
import { getDpuStats } from '@countersign/contract/dpu-stats.ts'
import { bareHash } from '@countersign/proof/chain.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { type SixW, sixWOfDpu, sixWOfEvent } from '../../../governance/requirements.ts'
import { type Route, route } from '../../../http/route.ts'
import { recordUuid, typedId } from '../../../lib/ids.ts'
import { peopleInBookings } from '../../centers/attendance/api.ts'
import { peopleIn, reviewersIn } from '../../identity/members/api.ts'
import {
  anchoredExport,
  createDpu,
  type ExportNeeds,
  findDpuInChain,
  findStored,
  type StoredDpu,
  unknownDpu,
} from './api.ts'
import { type ChangeNeeds, changeRoutes } from './change-routes.ts'
import { dpuOf } from './dpu.ts'
import { reviewOf } from './draft-review.ts'
import { draftRoutes } from './draft-routes.ts'
import { listPage } from './list.ts'
import { dpuCounts } from './queries.ts'
import { findToRedact, redactionItem } from './redact.ts'
import { countsOf, platformCounts } from './stats.ts'

const required = <T>(found: T | undefined): T => {
  if (!found) throw unknownDpu()
  return found
}
const inChain = async (tx: TenantTx, id: string) => required(await findDpuInChain(tx, recordUuid(id)))
const withProof = async (tx: TenantTx, id: string) => required(await findStored(tx, recordUuid(id)))

const whoIs = ({ actorId, name, entered }: MemberPrincipal) => ({
  id: actorId,
  name,
  role: entered.role,
  type: 'human',
})

export const dpuRoutes = (needs: ExportNeeds & ChangeNeeds & { readonly directory: Directory }): Route[] => {
  const platform = platformCounts(needs.cells)
  return [
    route(contract.createDemoDpu, ({ body, center, caller, principal, sequence }, reply) =>
      sequence(
        {
          holds: { chains: ['dpu'] },
          judge(batch) {
            const created = createDpu(batch, center, {
              content: body.content ?? 'A decision to try things out with.',
              referenceType: body.referenceType ?? 'demo',
              referenceId: body.referenceId ?? null,
              tags: body.tags ?? [],
              createdBy: whoIs(principal),
              origin: null,
              metadata: {},
            })
            const target = { type: 'dpu', id: typedId('dpu', created.row.id) }
            auditInBatch(batch, caller, { type: 'dpu.changed', action: 'created', target })
            return created
          },
        },
        ({ row, entry }) => reply(201, dpuOf(row, entry, null)),
      ),
    ),

    route(listDpus, async (context, reply) => reply(200, await listPage(context))),

    route(contract.getDpu, async ({ tx, params, principal }, reply) => {
      const { dpu, entry, event, redacted } = await inChain(tx, params.id)
      const shown = dpuOf(dpu, entry, event, redacted)
      const draft = dpu.domain === 'dpu' ? reviewOf({ ...dpu, chain_hash: entry.hash }) : null
      const reviewers =
        draft && dpu.evidence_level !== 'AUDIT_READY'
          ? (await needs.directory.asCenter(tx.caller, reviewersIn, 'read')).filter(
              ({ id }) => id !== principal.actorId,
            )
          : []
      const more = { draft, reviewers }
      if (shown.referenceType !== 'workflow_execution') return reply(200, { ...shown, ...more, people: [] })
      // An ADMIN reads the names of all members, an INSTRUCTOR those in appointments and attendance.
      const known = async (ids: readonly string[]) =>
        principal.entered.role === 'ADMIN' ? new Set(ids) : peopleInBookings(tx, ids)
      const texts = `${shown.content}\n${draft?.text ?? ''}`
      return reply(200, { ...shown, ...more, people: await peopleIn(needs.directory, tx.caller, texts, known) })
    }),

    ...changeRoutes(needs),
    ...draftRoutes(needs),

    route(contract.exportDpu, async ({ tx, params, query }, reply) =>
      reply(200, await anchoredExport(tx, needs, await withProof(tx, params.id), true, query.policies === 'text')),
    ),

    route(contract.redactDpu, async ({ params, body, center, caller, principal: person, sequence }, reply) => {
      const before = await needs.cells
        .of(center.cell)
        .inTenant(caller, (tx) => findToRedact(tx, params.id, needs.config))
      return sequence(redactionItem(before, body, { center, caller, person }), ({ dpuId, paths, entry, by }) =>
        reply(201, {
          dpuId: typedId('dpu', dpuId),
          redacted: paths.map((path) => ({ path })),
          history: { index: entry.index, hash: bareHash(entry.hash) },
          redactedAt: entry.sealedAt,
          by,
        }),
      )
    }),

    route(getDpuStats, async ({ tx }, reply) => {
      const center = countsOf(await dpuCounts(tx.db))
      return reply(200, { ...(await platform()), center })
    }),

    route(contract.getResponsibility, async ({ tx, params, principal }, reply) => {
      const { centerId, centerName: name } = principal.entered
      const stored = await withProof(tx, params.id)
      return reply(200, responsibility(stored, { centerId, name, vertical: stored.record.dpu.vertical }))
    }),
  ]
}

function responsibility({ record, proof, history }: StoredDpu, center: Parameters<typeof sixWOfDpu>[1]): SixW {
  const { dpu: row, event, approvals } = record
  const level = row.evidence_level as SixW['how']['evidenceLevel']
  const raised = history.findLast((entry) => entry.values.policies !== undefined)
  const policies = (row.policies ?? raised?.values.policies ?? []) as SixW['why']['policies']
  if (!event) return sixWOfDpu(row, center, proof.sealedAt, level, policies)
  const reason = approvals?.at(-1)?.reason
  return sixWOfEvent(event, center, { reason, sealedAt: proof.sealedAt, policies, evidenceLevel: level })
}
