/** Closing an emergency approval that was not confirmed, also by the partner or the operator where no other ADMIN is there. */
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { familiesOf } from '../../../access/queries.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { recordUuid } from '../../../lib/ids.ts'
import type { Entry } from '../../../sealing/batch.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { closingItem, unknownEvent } from '../decision-events/api.ts'
import { approvingMembers } from './queries.ts'

interface ClosingNeeds {
  readonly centers: Pick<CenterProfiles, 'profile'>
  readonly directory: Directory
  readonly sequencer: Pick<Sequencer, 'seal'>
}

/** The ACTIVE ADMINs, each with all accounts of the person. */
export async function adminsOf(directory: Directory, caller: Caller): Promise<readonly (readonly string[])[]> {
  const members = await directory.asCenter({ ...caller, actorId: null }, (tx) => approvingMembers(tx), 'read')
  const ids = members.filter(({ roles }) => roles.includes('ADMIN')).map(({ actor_id }) => actor_id)
  const families = await directory.identity({ ...caller, actorId: null }, (tx) => familiesOf(tx, ids), 'read')
  return ids.map((id) => [id, ...(families.get(id) ?? [])])
}

type By = Omit<Parameters<typeof closingItem>[1], 'admins'>

export async function closeFromOutside(
  { centers, directory, sequencer }: ClosingNeeds,
  caller: Caller,
  eventId: string,
  by: By,
): Promise<Entry> {
  const center = await centers.profile(caller.centerId)
  const item = closingItem(eventId, { ...by, admins: await adminsOf(directory, caller) }, caller)
  const outcome = await sequencer.seal({ ...item, center, caller })
  if ('replay' in outcome) throw new Error('a closing from outside has no idempotency key')
  return outcome.result
}

export function closeAsOperator(needs: ClosingNeeds, caller: Caller, id: string, reason: string): Promise<Entry> {
  const eventId = recordUuid(id)
  if (eventId === null) throw unknownEvent()
  return closeFromOutside(needs, caller, eventId, { id: 'operator', rank: 'operator', family: [], reason })
}
