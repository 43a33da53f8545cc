/** What the view of an open decision is made of, and what it can do. */
import type { Compared } from '@countersign/proof/deciding.ts'
import type { Child } from './dom.ts'
import type { Decision, Given, Me } from './types.ts'

export interface Draft {
  reason: string
  comment: string
}

export interface Deciding {
  readonly me: Me
  readonly owner: string | undefined
  readonly decision: Decision
  readonly mine: Given | null
  readonly compared: Compared
  readonly draft: Draft
  /** What stands in the way, in a sentence or two. */
  readonly fault: Child
  /** Scrolls to the values that have not been in view. */
  keepReading(): void
  decide(result: 'approved' | 'rejected'): Promise<void>
  comment(text: string): Promise<boolean>
  takeBack(): Promise<void>
  signOut(): Promise<void>
}

export const asksForPasskey = ({ waiting }: Decision): boolean =>
  waiting?.rules.some(({ identity }) => identity === 'passkey') ?? false
