/** What the view of an open decision is made of, and what it can do. */
import type { Compared } from '@countersign/proof/deciding.ts'
import type { Decision, GivenApproval } from '@countersign/sdk'
import type { Read } from '../decision/reading.ts'
import type { Child } from './dom.ts'
import type { Draft } from './draft.ts'

export interface Deciding {
  /** The person who is signed in. */
  readonly name: string
  /** Their actor id. */
  readonly viewer: string
  readonly owner: string | undefined
  readonly decision: Decision
  readonly mine: GivenApproval | null
  readonly compared: Compared
  readonly draft: Draft
  /** What stands in the way, in a sentence or two. */
  readonly fault: Child
  /** What was in view. */
  readonly read: () => Read
  /** Scrolls to the values that have not been in view. */
  keepReading(): void
  decide(result: 'approved' | 'rejected'): Promise<void>
  comment(text: string): Promise<boolean>
  takeBack(): Promise<void>
  signOut(): Promise<void>
}
