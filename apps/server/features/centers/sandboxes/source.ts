/** Reads the rules of a center for its sandboxes. */
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Cells } from '../../../data/cells.ts'
import { isInherited } from '../../../data/center-profile.ts'
import { newestActionTypes } from '../../evidence/action-types/api.ts'
import { type Inheriting, standingPolicies } from '../../evidence/policies/api.ts'
import { standingGroups } from '../../identity/groups/api.ts'
import type { SourceRules } from './copying.ts'

export interface SourceNeeds {
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly sequencer: Inheriting
}

const isOwn = ({ policy }: { readonly policy: string }): boolean =>
  (JSON.parse(policy) as { readonly scope: string }).scope === 'center'

/** Shared policies reach a sandbox by themselves. */
export async function readRules({ cells, centers, sequencer }: SourceNeeds, centerId: number): Promise<SourceRules> {
  const center = await centers.profile(centerId)
  await sequencer.ensure(center)
  const caller = { requestId: 'sandbox-rules', actorId: null, centerId }
  return cells.of(center.cell).inTenant(
    caller,
    async (tx) => {
      const own = (await standingPolicies(tx)).filter(isOwn)
      return {
        policies: own.map(({ id, policy }) => ({ id, policy })),
        groups: (await standingGroups(tx)).map(({ id, name, people }) => ({
          ...{ id, name },
          actorIds: people.map(({ actorId }) => actorId),
        })),
        types: (await newestActionTypes(tx)).filter(({ deleted }) => !deleted).map(({ template }) => template),
        given: own.filter(({ id }) => isInherited(center, id)).map(({ id }) => id),
        isFixed: center.inherited?.isFixed ?? false,
      }
    },
    'read',
  )
}

/** The texts in force in a sandbox, by key. */
export async function typesIn({ cells, centers }: SourceNeeds, centerId: number): Promise<ReadonlyMap<string, string>> {
  const { cell } = await centers.profile(centerId)
  const caller = { requestId: 'sandbox-rules', actorId: null, centerId }
  const rows = await cells.of(cell).inTenant(caller, newestActionTypes, 'read')
  return new Map(rows.filter(({ deleted }) => !deleted).map(({ key, template }) => [key, template]))
}
