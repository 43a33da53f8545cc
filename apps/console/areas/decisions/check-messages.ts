/** What the page and its worker say to each other about one proof. */
import type { Checked } from './check.ts'

export interface CheckRequest {
  /** The exact text of the proof. */
  readonly text: string
  /** Whom to trust. */
  readonly policy: string
}

export type CheckAnswer = { readonly checked: Checked } | { readonly failure: string }
