/**
 * Sessions that are good for some centers only. Whoever runs the provider or the domain that such a session began with could
 * start one for any person linked to it, so it reaches the centers of that owner and nothing else of the person: no other
 * center, no account of a partner, no right of an operator, no passkey or password.
 */
import { Problem } from '../lib/problem.ts'

/** A center, or a partner with all its centers. */
export interface CenterOwner {
  readonly centerId: number | null
  readonly partnerId: string | null
}

/** Every owner must admit a center. Empty: the session is not confined. */
export type Confinement = readonly CenterOwner[]

interface OwnedCenter {
  readonly center_id: number
  readonly partner_id: string | null
}

export const admits = (confinement: Confinement, center: OwnedCenter): boolean =>
  confinement.every(({ centerId, partnerId }) =>
    partnerId === null ? centerId === center.center_id : partnerId === center.partner_id,
  )

export const admittedOf = <T extends OwnedCenter>(confinement: Confinement, centers: readonly T[]): T[] =>
  centers.filter((center) => admits(confinement, center))

export const outside = (): Problem =>
  new Problem(
    'FORBIDDEN',
    'This session is limited to the centers of your sign-in provider or domain. Sign in with your password or passkey to do this.',
    { details: { reason: 'confined' } },
  )
