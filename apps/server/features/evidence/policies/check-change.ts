/** Who could make a policy less strict, before it is made. Pure. */
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import type { checkPolicies } from '@countersign/contract/policy-check.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import { lineOf, placesIn } from '@countersign/proof/line.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { type Candidate, canFillAll } from '../../../governance/line.ts'
import { type Applied, ownLine } from '../../../governance/policies.ts'
import { type Requirements, requirementsOf } from '../../../governance/requirements.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { type Able, ableAt, shownPeople } from './check-people.ts'

type Change = PayloadOf<SpecOf<typeof checkPolicies>, 200>['policies'][number]['change']

export interface Changing {
  readonly center: CenterProfile
  /** The member who would ask for the change, and their other accounts. */
  readonly asker: ReadonlySet<string>
  readonly able: readonly Able[]
  /** Everybody who may approve now, or could in the last month. */
  readonly ever: readonly Candidate[]
}

function changerOf({ id, body }: Applied, { centerId, inherited }: CenterProfile): Change['by'] {
  if (body.scope !== 'center') return 'operator'
  if (inherited?.isFixed && inherited.ids.some((each) => each === uuidOf('policy', id))) return 'partner'
  if (isSandboxCenter(centerId)) return 'asker'
  return requirementsOf([{ id, body, version: 0, digest: '' }], null) ? 'line' : 'administrator'
}

/** A change that loosens waits for the line of the policy itself, and where it asks nobody for another ADMIN. */
export function changeOf(policy: Applied, { center, asker, able, ever }: Changing): Change {
  const by = changerOf(policy, center)
  if (by !== 'line' && by !== 'administrator')
    return { by, approvals: 0, people: [], peopleCount: 0, aloneAfterWait: false }
  const asking = by === 'line' ? policy : ownLine
  const asked = requirementsOf([asking], null) as Requirements
  const line = lineOf(asking)
  const others = able.filter(({ actorId }) => !asker.has(actorId))
  const people = new Set(line.steps.flatMap((step) => ableAt(asked, line, step, others)))
  return {
    by,
    approvals: placesIn(line),
    ...shownPeople(others.filter((each) => people.has(each))),
    aloneAfterWait: !canFillAll(
      line,
      ever.filter(({ actorId }) => !asker.has(actorId)),
    ),
  }
}
