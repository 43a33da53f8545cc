/** Makes and lifts a stop: its row, its entry in `history` and its webhook event are one commit. */
import type { FreezeCovers } from '@countersign/contract/freezes.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import { freezeState, historyStatic } from '@countersign/proof/history-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { freezesIn } from '../../../governance/freezes.ts'
import {
  type FreezeRule,
  freezesBehind,
  needPolicies,
  noteRules,
  requireFreezesEntered,
  requireUnaltered,
  ruleRows,
} from '../../../governance/rules.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem, refusedField } from '../../../lib/problem.ts'
import type { Batch, SealItem } from '../../../sealing/batch.ts'
import { needWebhooks, publishInBatch } from '../../automation/webhooks/api.ts'

export type Rank = FreezeRule['rank']
const ranks: readonly Rank[] = ['center', 'partner', 'operator']

/** Whoever stops or lifts. */
export interface By {
  readonly id: string
  readonly rank: Rank
  /** All accounts of this person; none for the operator. */
  readonly family: readonly string[]
}

/** Nothing is sealed, and nothing taken, while a stop begins or ends. */
const holds = { chains: ['history', 'proof'], rows: [needPolicies, needWebhooks] } as const

/** A batch reads all stops in force. */
const maxInForce = 100

export function coversOf({ actorId, keyId, actionTypes, center }: FreezeCovers): FreezeRule['covers'] {
  if (actionTypes?.some((type) => comparableId(type) === '')) {
    throw refusedField('actionTypes', "can't contain an empty name")
  }
  return {
    ...(actorId !== undefined && { actorId }),
    ...(keyId !== undefined && { keyId }),
    ...(actionTypes && { actionTypes }),
    ...(center && { center }),
  }
}

type Item = Pick<SealItem<FreezeRule>, 'holds' | 'judge'>

interface Stopping {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly by: By
  readonly reason: string
}

export const freezeItem = (covers: FreezeRule['covers'], { center, caller, by, reason }: Stopping): Item => ({
  holds,
  judge(batch) {
    requireFreezesEntered(batch)
    requireUnaltered(batch, center)
    if (freezesIn(batch).length >= maxInForce) {
      throw new Problem(
        'CONFLICT',
        `The center already has ${maxInForce} stops in force. Lift one that isn't needed anymore, then try again.`,
        { details: { reason: 'maxStops' } },
      )
    }
    return make(batch, newUuid(), covers, { center, caller, by, reason })
  },
})

export const liftItem = (id: string | null, { center, caller, by, reason }: Stopping): Item => ({
  holds,
  judge(batch) {
    requireFreezesEntered(batch)
    requireUnaltered(batch, center)
    const row = freezesIn(batch).find((each) => each.id === id)
    if (!row) throw unknownFreeze()
    requireRank(row, by)
    if (isShared(batch, row.id)) throw ofAllCenters()
    return end(batch, row, { center, caller, by, reason })
  },
})

function make(
  batch: Batch,
  id: string,
  covers: FreezeRule['covers'],
  { center, caller, by, reason }: Stopping,
): FreezeRule {
  const entry = append(batch, { center, caller, id, previous: null, action: 'frozen' }, { covers, reason, by })
  const row: FreezeRule = {
    ...{ sort: 'freeze', center_id: center.centerId, id, covers, reason, rank: by.rank },
    ...{ made_by: by.id, made_at: entry.sealedAt, made_index: entry.index, last_entry: entry.hash },
  }
  batch.rows(ruleRows).insert(row)
  publishInBatch(batch, center.centerId, 'agent.frozen', {
    ...published(row),
    reason,
    madeBy: row.made_by,
    madeAt: row.made_at,
  })
  return row
}

function end(batch: Batch, row: FreezeRule, { center, caller, by, reason }: Stopping): FreezeRule {
  const facts = { center, caller, id: row.id, previous: row.last_entry, action: 'lifted' } as const
  const entry = append(batch, facts, { covers: row.covers, reason, by })
  const lifted: FreezeRule = {
    ...row,
    ...{ lifted_by: by.id, lifted_at: entry.sealedAt, lifted_index: entry.index, lift_reason: reason },
    last_entry: entry.hash,
  }
  batch.rows(ruleRows).update(lifted)
  publishInBatch(batch, center.centerId, 'agent.resumed', {
    ...published(row),
    reason,
    liftedBy: by.id,
    liftedAt: entry.sealedAt,
  })
  return lifted
}

const operator = (id: string): By => ({ id, rank: 'operator', family: [] })

/** Enters what the operator has stopped or lifted in all centers. */
export function enterFreezes(batch: Batch, center: CenterProfile, caller: Caller): void {
  for (const { id, covers, reason, made_by, lifted_by, lift_reason } of freezesBehind(batch)) {
    const own = freezesIn(batch).find((each) => each.id === id)
    if (own) end(batch, own, { center, caller, by: operator(lifted_by ?? ''), reason: lift_reason ?? '' })
    else make(batch, id, covers, { center, caller, by: operator(made_by), reason })
  }
}

const isShared = (batch: Batch, id: string): boolean =>
  batch
    .rows(ruleRows)
    .all()
    .some((row) => row.sort === 'sharedFreeze' && row.id === id)

const ofAllCenters = (): Problem =>
  new Problem('CONFLICT', 'This stop covers all centers, so it can only be lifted in all of them at once.', {
    details: { reason: 'allCenters' },
  })

export const unknownFreeze = (): Problem =>
  new Problem('NOT_FOUND', 'No stop with this ID is in force. It may already have been lifted.')

function requireRank({ rank, covers }: FreezeRule, by: By): void {
  if (ranks.indexOf(by.rank) < ranks.indexOf(rank)) {
    const who = rank === 'operator' ? 'the operator' : 'the partner or the operator'
    throw new Problem('FORBIDDEN', `This stop can only be lifted by ${who}. Contact them.`, {
      details: { reason: 'othersStop' },
    })
  }
  const stopped = covers.actorId === undefined ? null : comparableId(covers.actorId)
  if (by.family.some((id) => comparableId(id) === stopped)) {
    throw new Problem('FORBIDDEN', "You can't lift a stop that covers your own requests. Ask another administrator.", {
      details: { reason: 'ownStop' },
    })
  }
}

/** As an answer and an event name what is covered. */
export function coveredBy({ covers: { actionTypes, ...one } }: Pick<FreezeRule, 'covers'>) {
  return { ...one, ...(actionTypes && { actionTypes: [...actionTypes] }) }
}

const published = (row: FreezeRule) => ({ freezeId: typedId('freeze', row.id), ...coveredBy(row), rank: row.rank })

interface Step {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly id: string
  readonly previous: string | null
  readonly action: 'frozen' | 'lifted'
}

function append(
  batch: Batch,
  { center, caller, id, previous, action }: Step,
  { covers, reason, by }: { readonly covers: FreezeRule['covers']; readonly reason: string; readonly by: By },
) {
  const [target, entryId] = [typedId('freeze', id), newUuid()]
  const disclosed = { action, covers: covers as unknown as Json, reason, rank: by.rank, by: { id: by.id } }
  const prepared = historyStatic(
    { id: typedId('history', entryId), type: 'freeze', target, previous, values: disclosed },
    () => freezeState(action),
    newSalt,
  )
  const entry = batch.appendHistory(entryId, prepared, disclosed)
  noteRules(batch, center, { index: entry.index })
  auditInBatch(batch, caller, {
    type: 'policy.changed',
    action,
    target: { type: 'freeze', id: target },
    details: { rank: by.rank, historyIndex: entry.index },
  })
  return entry
}
