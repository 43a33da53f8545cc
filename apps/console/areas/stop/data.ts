/** What the page reads beside the stops themselves: how much waits of what is stopped, and who may stop it. */
import type { NewFreeze } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

type Covered = Pick<NewFreeze, 'actorId' | 'keyId' | 'actionTypes'>

/** What waits and what runs of all that a stop covers. `index`: of its entry, around which runs are counted. */
export const coverageQuery = (center: string, { actorId, keyId, actionTypes }: Covered, index: number | null = null) =>
  queryOptions({
    queryKey: ['decisions', 'covered', center, actorId, keyId, actionTypes, index],
    queryFn: ({ signal }) =>
      api.freezes.getCoverage(
        {
          ...(actorId !== undefined && { actorId }),
          ...(keyId !== undefined && { keyId }),
          ...(actionTypes && { actionTypes: actionTypes.join(',') }),
          ...(index !== null && { index }),
        },
        { signal },
      ),
  })

/** Names of the administrators, who are the only people of the center that stop and lift. */
export const adminsQuery = (center: string) =>
  queryOptions({
    queryKey: ['members', center, 'admins'],
    queryFn: async ({ signal }) => {
      const { data } = await api.members.list(center, { role: 'ADMIN', limit: 100 }, { signal })
      return new Map(data.flatMap(({ actorId, name }) => (actorId === null ? [] : [[actorId, name] as const])))
    },
  })
