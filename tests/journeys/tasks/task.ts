/** A task is what one person wants to get done, from the page that signing in leads to, with a limit of clicks. */
import type { Person } from '../../support/world.ts'
import type { Hand } from './hand.ts'
import type { TaskPlace } from './place.ts'

export type Role =
  | 'founder'
  | 'director'
  | 'second administrator'
  | 'instructor'
  | 'parent'
  | 'client'
  | 'partner'
  | 'operator'
  | 'auditor'

export interface Task {
  readonly role: Role
  readonly what: string
  /** The most clicks or taps. */
  readonly limit: number
  readonly onPhone?: boolean
  /** Where a person without a session begins; everybody else begins where signing in leads to. */
  readonly begins?: string
  readonly who?: (place: TaskPlace) => Person
  /** What others did before; not counted. */
  readonly before?: (place: TaskPlace) => Promise<void>
  readonly run: (hand: Hand, place: TaskPlace) => Promise<void>
}
