import * as contract from '@countersign/contract/drafts.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { recordUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { reviewersIn } from '../../identity/members/api.ts'
import { draftItem } from './draft-items.ts'
import { findDpuInChain, unknownDpu } from './stored.ts'

interface DraftNeeds {
  readonly cells: Cells
  readonly directory: Directory
}

async function found(tx: TenantTx, id: string) {
  const inChain = await findDpuInChain(tx, recordUuid(id))
  if (!inChain) throw unknownDpu()
  return inChain
}

export const draftRoutes = ({ cells, directory }: DraftNeeds): Route[] => [
  route(contract.editDraft, async ({ params, body, center, caller, principal: person, sequence }, reply) => {
    const { dpu, event } = await cells.of(center.cell).inTenant(caller, (tx) => found(tx, params.id))
    const change = { action: 'draft_edited', ...body } as const
    return sequence(draftItem(dpu.id, change, { caller, person, event }), (review) => reply(200, review))
  }),

  route(contract.sendDraft, async ({ params, body, center, caller, principal: person, sequence }, reply) => {
    const { dpu, event } = await cells.of(center.cell).inTenant(caller, (tx) => found(tx, params.id))
    const reviewers = await directory.asCenter(caller, reviewersIn, 'read')
    const to = reviewers.find(({ id }) => id === body.reviewerId)
    if (!to) {
      throw new Problem(
        'NOT_FOUND',
        'No active administrator or instructor of this center has this actor ID. Choose one of `reviewers` of the draft.',
      )
    }
    const change = { action: 'draft_sent', to, previous: body.previous } as const
    return sequence(draftItem(dpu.id, change, { caller, person, event }), (review) => reply(200, review))
  }),

  route(contract.refuseDraft, async ({ params, body, center, caller, principal: person, sequence }, reply) => {
    const { dpu, event } = await cells.of(center.cell).inTenant(caller, (tx) => found(tx, params.id))
    const change = { action: 'draft_refused', ...body } as const
    return sequence(draftItem(dpu.id, change, { caller, person, event }), (review) => reply(200, review))
  }),
]
