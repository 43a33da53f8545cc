/** What the views of one result need. */
import type { TrustPolicy } from '@countersign/proof/trust-policy.ts'
import type { Alteration } from '../alter.ts'
import type { Judged } from '../judge.ts'
import type { Language } from '../words.ts'

export interface Shown {
  readonly language: Language
  readonly judged: Judged
  readonly alteration: Alteration | null
  /** Of the record at this address, where the page has one. */
  readonly expectedHash: string | null
  readonly policy: UsedPolicy | null
  readonly canAlter: boolean
  readonly onAlter: () => void
  readonly onRestore: () => void
  readonly onAddPolicy: () => void
}

export interface UsedPolicy {
  readonly trust: TrustPolicy
  /** Whoever serves the page also said whom to trust, or whoever reads it did. */
  readonly from: 'trustFromServer' | 'trustFromYou'
}
