/** Stops and liftings by somebody who is no member of the center: its partner, or the operator. */
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { Caller } from '../../../data/directory.ts'
import type { FreezeRule } from '../../../governance/rules.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type By, freezeItem, liftItem, unknownFreeze } from './freeze.ts'
import { liftShared, putShared } from './queries.ts'

export interface OutsideNeeds {
  readonly centers: Pick<CenterProfiles, 'profile'>
  readonly sequencer: Pick<Sequencer, 'seal'>
}

type Item = (stopping: Parameters<typeof freezeItem>[1]) => ReturnType<typeof freezeItem>

export async function sealFromOutside(
  { centers, sequencer }: OutsideNeeds,
  caller: Caller,
  by: By,
  item: Item,
  reason: string,
) {
  const center = await centers.profile(caller.centerId)
  const outcome = await sequencer.seal({ ...item({ center, caller, by, reason }), center, caller })
  if ('replay' in outcome) throw new Error('a stop from outside has no idempotency key')
  return { center, row: outcome.result }
}

const operator: By = { id: 'operator', rank: 'operator', family: [] }

/** The job that mails administrators finds it within a minute. */
export async function stopAsOperator(
  needs: OutsideNeeds,
  caller: Caller,
  covers: FreezeRule['covers'],
  reason: string,
): Promise<string> {
  const { row } = await sealFromOutside(needs, caller, operator, (to) => freezeItem(covers, to), reason)
  return typedId('freeze', row.id)
}

export const liftAsOperator = (needs: OutsideNeeds, caller: Caller, id: string, reason: string) =>
  sealFromOutside(needs, caller, operator, (to) => liftItem(uuidOf('freeze', id), to), reason)

/** In force in a cell from its commit there on. An unreachable cell doesn't delay the others. */
async function inAll(cells: Pick<Cells, 'all'>, work: (cell: Cell) => Promise<boolean>) {
  const results = await Promise.allSettled(cells.all.map(work))
  const named = cells.all.map(({ name }, at) => ({ name, result: results[at] }))
  return {
    changed: named.flatMap(({ name, result }) => (result?.status === 'fulfilled' && result.value ? [name] : [])),
    failed: named.flatMap(({ name, result }) => (result?.status === 'rejected' ? [name] : [])),
  }
}

/** `again`: the stop that an earlier attempt has made in some of the cells. */
export async function stopInAll(
  cells: Pick<Cells, 'all'>,
  covers: FreezeRule['covers'],
  reason: string,
  again?: string,
) {
  const id = again === undefined ? newUuid() : uuidOf('freeze', again)
  if (id === null) throw unknownFreeze()
  const row = { id, covers: JSON.stringify(covers), reason, by: operator.id }
  return { id: typedId('freeze', id), ...(await inAll(cells, (cell) => cell.asJobs((db) => putShared(db, row)))) }
}

/** A cell in which it isn't in force is left alone, so that an attempt can be repeated. */
export const liftInAll = (cells: Pick<Cells, 'all'>, id: string, reason: string) =>
  inAll(cells, (cell) => cell.asJobs((db) => liftShared(db, { id: uuidOf('freeze', id), reason, by: operator.id })))
