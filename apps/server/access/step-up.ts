/** Whether a person has recently confirmed their identity. Pure. */
import { type StepUp, stepUpMinutes } from '@countersign/contract/operation.ts'
import { nowMs } from '../lib/clock.ts'

/** How a session began: whoever runs a center's provider or domain could begin one too. */
export type Via = 'password' | 'passkey' | 'oidc' | 'domain'

/** When the person of a session confirmed their identity. */
export interface Proofs {
  readonly signedInAt: Date
  readonly steppedUpAt: Date | null
  /** By password or passkey, at the host of the service. */
  readonly provedAt: Date | null
  /** When a passkey last answered in this session. */
  readonly passkeyAt: Date | null
  /** The centers in which that passkey counts. */
  readonly passkeyCountsIn: readonly number[]
}

interface Known {
  readonly via: Via
  readonly proofs: Proofs
}

const isWithin = (at: Date | null, within: StepUp['within']): boolean =>
  at !== null && nowMs() - at.getTime() <= stepUpMinutes[within] * 60_000

export const isRecent = ({ signedInAt, steppedUpAt }: Proofs, within: StepUp['within']): boolean =>
  isWithin(signedInAt, within) || isWithin(steppedUpAt, within)

/** The same by passkey alone. */
export const isRecentByPasskey = ({ passkeyAt }: Proofs, within: StepUp['within']): boolean =>
  isWithin(passkeyAt, within)

/** Whether nobody but the person vouches for the session: it began with us, or they have stepped up with us since. */
export const isOwn = ({ via, proofs }: Known): boolean =>
  via === 'password' || via === 'passkey' || isWithin(proofs.provedAt, 'rules')
