/** Stops and liftings by somebody who is no member of the center: its partner, or the operator. */
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Caller } from '../../../data/directory.ts'
import type { FreezeRule } from '../../../governance/rules.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type By, freezeItem, liftItem } from './freeze.ts'

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
