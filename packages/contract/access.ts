/** Short forms for who may call an operation. */
import type { ActorRole, PartnerRole, Scope } from './enums.ts'
import type { Access } from './operation.ts'

type KeyAccess = Access & { readonly kind: 'key' }

/** An API key of a center with this scope. */
export const key = <const O extends Pick<KeyAccess, 'or' | 'bound'> = object>(scope: Scope, options?: O) =>
  ({ kind: 'key', scope, ...options }) as { readonly kind: 'key'; readonly scope: Scope } & O

/** A signed-in person who has entered a center as an ACTIVE member with one of these roles. */
export const member = (...roles: readonly [ActorRole, ...ActorRole[]]) =>
  ({ kind: 'actor', center: 'required', roles }) as const

/** The same, in the center that the path names. */
export const memberOf = (...roles: readonly [ActorRole, ...ActorRole[]]) =>
  ({ kind: 'actor', center: 'addressed', roles }) as const

/** A person who acts for a partner, with one of these roles. */
export const partner = (...roles: readonly [PartnerRole, ...PartnerRole[]]) => ({ kind: 'partner', roles }) as const

/** Shared parts of operations that centers and partners both have, each for themselves. */
export const ofCenter = { tag: 'Centers', store: 'directory', access: memberOf('ADMIN') } as const
export const ofPartner = { tag: 'Partners', store: 'partner', access: partner('PARTNER_ADMIN') } as const
export const readByPartner = { ...ofPartner, access: partner('PARTNER_ADMIN', 'PARTNER_OPERATOR') } as const
