/** Members by the beginning of a word of their name or address, for the search. */
import type { Caller, Directory, DirectoryTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import { pageOfMembers } from './list-queries.ts'

const place = { after: null, offset: 0 }

export async function membersFound(directory: Directory, caller: Caller, search: string, limit: number) {
  const rows = await directory.asCenter(caller, (tx) => pageOfMembers(tx, { search }, { ...place, limit }), 'read')
  return rows.map(({ id, actor_id, name, address, roles, status }) => ({
    membershipId: typedId('membership', id),
    actorId: actor_id,
    name,
    email: address,
    roles: [...roles],
    status,
  }))
}

export const actorsNamed = async (tx: DirectoryTx, search: string): Promise<string[]> =>
  (await pageOfMembers(tx, { search }, { ...place, limit: 10 })).map(({ actor_id }) => actor_id)
