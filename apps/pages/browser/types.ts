/** What the operations answer, by the types of the contract. */
import type { me } from '@countersign/contract/auth.ts'
import type { getCenter } from '@countersign/contract/centers.ts'
import type { getInbox } from '@countersign/contract/console-inbox.ts'
import type { approveDecision } from '@countersign/contract/decision-approvals.ts'
import type { readDecision } from '@countersign/contract/decisions.ts'
import type { PayloadOf, SpecOf } from '@countersign/contract/operation.ts'
import type { passkeyLogin } from '@countersign/contract/passkeys.ts'

export type Me = PayloadOf<(typeof me)['spec'], 200>
export type Decision = PayloadOf<SpecOf<typeof readDecision>, 200>
export type CenterDetails = PayloadOf<(typeof getCenter)['spec'], 200>
export type Approval = PayloadOf<(typeof approveDecision)['spec'], 200>
export type SignedIn = PayloadOf<(typeof passkeyLogin)['spec'], 200>
export type Given = Decision['approvals'][number]
export type Waiting = NonNullable<Decision['waiting']>
export type Center = Me['memberships'][number]

/** The decision that waits next. */
export interface Waiter {
  readonly item: PayloadOf<(typeof getInbox)['spec'], 200>
  readonly count: number
  /** There are more than were counted. */
  readonly isMore: boolean
}
