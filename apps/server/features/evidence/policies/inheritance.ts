/** What a new center takes over from its partner. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import type { RuleCopy } from './copied.ts'
import { bodyText } from './policy.ts'

/** As the directory keeps them with the center; `policy` is the canonical text. */
export interface InheritedPolicies {
  readonly isFixed: boolean
  /** The id of the partner; of a sandbox, whoever made it. */
  readonly by: string
  readonly policies: RuleCopy['policies']
  /** Of a sandbox: what else it begins with, and which of its policies are those that its center has inherited. */
  readonly copied?: Pick<RuleCopy, 'groups' | 'types'> & { readonly given: readonly string[] }
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
