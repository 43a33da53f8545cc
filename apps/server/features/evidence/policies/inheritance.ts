/** What a new center takes over from its partner. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { bodyText } from './policy.ts'

/** As the directory keeps them with the center; `policy` is the canonical text. */
export interface InheritedPolicies {
  readonly isFixed: boolean
  /** The id of the partner. */
  readonly by: string
  readonly policies: readonly { readonly id: string; readonly policy: string }[]
}

export interface Inheriting extends Sequencer {
  /** Resolves when the cell has every policy that the center inherited. */
  ensure(center: CenterProfile): Promise<void> | undefined
}

/** What a new center of a partner keeps: each policy with an id of its own. */
export const inheritedFrom = (
  partner: { readonly id: string; readonly isFixed: boolean },
  bodies: readonly Omit<PolicyBody, 'scope'>[],
): InheritedPolicies | null =>
  bodies.length === 0
    ? null
    : {
        isFixed: partner.isFixed,
        by: typedId('partner', partner.id),
        policies: bodies.map((body) => ({ id: newUuid(), policy: bodyText({ ...body, scope: 'center' }) })),
      }

/** The same policies for another center: that of a sandbox. */
export const inheritedAgain = (given: InheritedPolicies | null): InheritedPolicies | null =>
  given && { ...given, policies: given.policies.map(({ policy }) => ({ id: newUuid(), policy })) }
