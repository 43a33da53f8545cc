/** The authenticated caller. A handler receives the kind that its operation declares, as a type. */
import type { ActorRole, MembershipStatus, PartnerRole, Scope } from '@countersign/contract/enums.ts'
import type { Access } from '@countersign/contract/operation.ts'
import { Problem } from '../lib/problem.ts'
import type { CenterProfiles, KnownCenter } from './center-profiles.ts'
import { type Confinement, outside } from './confinement.ts'
import type { Proofs, Via } from './step-up.ts'

/** A center and the caller's membership in it, read from the directory, never from the token. */
export interface MembershipStanding {
  readonly membershipId: string
  readonly centerId: number
  readonly centerDomain: string
  readonly centerName: string
  readonly centerStatus: string
  readonly suspendedBy: 'partner' | 'operator' | null
  readonly cell: string
  /** The highest of `roles`. */
  readonly role: ActorRole
  /** The highest first. */
  readonly roles: readonly ActorRole[]
  readonly status: MembershipStatus
}

export interface PartnerAccount {
  readonly id: string
  readonly role: PartnerRole
}

export interface ActorPrincipal {
  readonly kind: 'actor'
  readonly actorId: string
  readonly sessionId: string
  readonly email: string
  readonly phone: string | null
  /** In the entered center, the name by which it knows the person; seals carry it. */
  readonly name: string
  readonly language: 'ko' | 'en' | null
  /** The membership's role in the entered center; without one the actor's own role, which grants no rights. */
  readonly role: ActorRole
  /** The partner that this person acts for, read from the directory on every request. */
  readonly partner: PartnerAccount | null
  readonly isOperator: boolean
  /** The center this session entered; null when it entered none. */
  readonly entered: MembershipStanding | { readonly centerId: number; readonly status: null } | null
  readonly confinement: Confinement
  /** The custom domain that the session began on. */
  readonly site: string | null
  readonly via: Via
  readonly proofs: Proofs
}

/** A caller in good standing in a center. */
export interface MemberPrincipal extends ActorPrincipal {
  readonly entered: MembershipStanding
}

export interface PartnerPrincipal extends ActorPrincipal {
  readonly partner: PartnerAccount
}

export interface BoundActor {
  readonly id: string
  readonly type: string
}

export interface KeyPrincipal {
  readonly kind: 'key'
  readonly keyId: string
  /** The typed id of the key: the name under which audit entries, seals and lists know it. */
  readonly actorId: string
  /** The ids of the keys that it replaced or that replace it, and its own: who recorded, approves or is stopped is one of them. */
  readonly line: readonly string[]
  readonly centerId: number
  readonly cell: string
  readonly scopes: readonly Scope[]
  readonly rateLimit: number | null
  /** The only actor as whom the key records, and whose decisions it sees; null for a key that records as anyone. */
  readonly boundTo: BoundActor | null
  /** Bound, and from before bound keys lost webhooks. */
  readonly keepsWebhooks: boolean
  /** Read together with the key. */
  readonly center: KnownCenter
}

export type Principal = ActorPrincipal | KeyPrincipal

/** A caller inside a center, whichever credential it has. */
export type CenterPrincipal = MemberPrincipal | KeyPrincipal

export const cellOf = (principal: CenterPrincipal): string =>
  principal.kind === 'key' ? principal.cell : principal.entered.cell

/** The center was read together with a key. */
export const centerOf = (centers: Pick<CenterProfiles, 'profile'>, principal: CenterPrincipal) =>
  principal.kind === 'key' ? principal.center : centers.profile(principal.entered.centerId)

/** As whom a transaction runs. */
export const callerIn = (principal: CenterPrincipal, requestId: string) => ({
  requestId,
  actorId: principal.actorId,
  centerId: principal.kind === 'key' ? principal.centerId : principal.entered.centerId,
})

export type PrincipalOf<A extends Access> = A extends { kind: 'key' }
  ? KeyPrincipal
  : A extends { kind: 'actor'; center: 'required' | 'addressed' }
    ? MemberPrincipal
    : A extends { kind: 'partner' }
      ? PartnerPrincipal
      : A extends { kind: 'actor' | 'operator' }
        ? ActorPrincipal
        : null

export const suspender = { partner: 'its partner', operator: 'the operator' } as const

/** The only check of a membership: login, switch-center, refresh and every request use it. */
export function requireGoodStanding(entered: ActorPrincipal['entered']): MembershipStanding {
  switch (entered?.status) {
    case 'ACTIVE':
      break
    case 'SUSPENDED':
      throw new Problem(
        'MEMBERSHIP_SUSPENDED',
        'Your membership in this center is suspended. Ask an administrator of the center to reinstate it.',
      )
    case 'ENDED':
      throw new Problem(
        'MEMBERSHIP_ENDED',
        'Your membership in this center has ended. Ask an administrator of the center to invite you again.',
      )
    default:
      throw new Problem(
        'NO_MEMBERSHIP',
        "You don't have an active membership in this center. Ask an administrator of the center to invite you.",
      )
  }
  if (entered.centerStatus === 'SUSPENDED') {
    const by = entered.suspendedBy ?? 'operator'
    throw new Problem('CENTER_SUSPENDED', `This center was suspended by ${suspender[by]}, who can reinstate it.`, {
      details: { reason: 'center', by },
    })
  }
  if (entered.centerStatus !== 'ACTIVE')
    throw new Problem(
      'CENTER_SUSPENDED',
      "This center has been closed and can't be entered anymore. Choose another center.",
    )
  return entered
}

const covers: Record<Scope, readonly Scope[]> = {
  decide: ['proof:read', 'decide'],
  'proof:read': ['proof:read'],
  'proof:write': ['proof:read', 'proof:write'],
  'proof:approve': ['proof:read', 'proof:approve'],
  'events:write': ['events:write'],
  'webhooks:write': ['webhooks:write'],
  'policies:write': ['policies:write'],
  'sandboxes:write': ['sandboxes:write'],
}

/** Refuses a principal that the operation's declared access does not admit. Runs before the body is read. */
export function authorize(access: Access, principal: Principal | null): void {
  if (access.kind === 'public') return
  if (access.kind === 'key') {
    if (principal?.kind !== 'key')
      throw new Problem(
        'UNAUTHORIZED',
        'This request needs an API key. Send one in the "Authorization: Bearer" header.',
      )
    const admitted = (scope: Scope) => covers[scope].some((each) => each === access.scope || each === access.or)
    if (!principal.scopes.some(admitted)) {
      throw new Problem('FORBIDDEN', `This key doesn't have the "${access.scope}" scope. Use a key that has it.`, {
        details: { reason: 'scope' },
      })
    }
    const reaches = access.bound === true || (access.bound === 'kept' && principal.keepsWebhooks)
    if (principal.boundTo !== null && !reaches) {
      throw new Problem(
        'FORBIDDEN',
        `This key is limited to the actor "${principal.boundTo.id}" and can't do this. Use a key without an actor.`,
        { details: { reason: 'boundKey' } },
      )
    }
    return
  }
  if (principal?.kind !== 'actor')
    throw new Problem(
      'UNAUTHORIZED',
      'You aren\'t signed in. Send your access token in the "Authorization: Bearer" header.',
    )
  if (access.kind === 'operator') {
    if (principal.isOperator) return
    throw new Problem('FORBIDDEN', "Only the platform's operators can do this. Ask an operator.", {
      details: { reason: 'operatorOnly' },
    })
  }
  if (access.kind === 'partner') {
    requirePartnerRole(access.roles, principal.partner)
    return
  }
  const needsCenter = access.center === 'required' || access.center === 'addressed'
  if (principal.confinement.length > 0 && !needsCenter && !access.confined) throw outside()
  if (access.center === 'optional') return
  if (principal.entered === null) {
    if (access.center === 'if-entered') return
    throw new Problem(
      'NO_MEMBERSHIP',
      "This request needs a center, and you haven't entered one. Enter a center with POST /api/auth/switch-center.",
    )
  }
  const { roles } = requireGoodStanding(principal.entered)
  if (access.roles && !roles.some((role) => access.roles?.includes(role))) {
    throw new Problem(
      'INSUFFICIENT_ROLE',
      `This needs the ${access.roles.join(' or ')} role, but your role in this center is ${roles.join(' and ')}. Ask someone with the required role.`,
    )
  }
}

/** Whether a decision, or a unit that is none (null), exists for this key: a bound one knows only those of its actor, and what it recorded or took itself. */
export function isVisibleTo(
  { actorId, boundTo }: Pick<KeyPrincipal, 'actorId' | 'boundTo'>,
  decision: { readonly actor: object; readonly recorded_by: string | null } | null | undefined,
  consumedBy?: string,
): boolean {
  if (boundTo === null || decision?.recorded_by === actorId || consumedBy === actorId) return true
  const { id, type } = (decision?.actor ?? {}) as Partial<BoundActor>
  return boundTo.id === id && boundTo.type === type
}

/** Refuses a key that is bound to another actor than the one it records as. */
export function requireActor({ boundTo }: KeyPrincipal, actor: BoundActor): void {
  if (boundTo === null || (boundTo.id === actor.id && boundTo.type === actor.type)) return
  throw new Problem(
    'FORBIDDEN',
    `This key can only record decisions by "${boundTo.id}", whose type is ${boundTo.type}. Use the key of the actor who decided.`,
    { details: { reason: 'boundKey' } },
  )
}

function requirePartnerRole(roles: readonly PartnerRole[], account: PartnerAccount | null): void {
  if (!account)
    throw new Problem(
      'FORBIDDEN',
      "Only a partner's account can do this, and yours doesn't belong to a partner. Sign in with a partner's account.",
      { details: { reason: 'partnerOnly' } },
    )
  if (!roles.includes(account.role))
    throw new Problem(
      'INSUFFICIENT_ROLE',
      `This needs the ${roles.join(' or ')} role, but your role for this partner is ${account.role}. Ask someone with the required role.`,
    )
}
