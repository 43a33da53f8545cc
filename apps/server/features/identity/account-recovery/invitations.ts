/** Invitations by mail: read, accepted with a new password, or accepted by somebody who is signed in. */
import type * as contract from '@countersign/contract/entry.ts'
import type { MembershipStatus } from '@countersign/contract/enums.ts'
import { nameOfAddress } from '@countersign/contract/names.ts'
import { hashToken } from '../../../access/opaque-token.ts'
import { requireSound } from '../../../access/password-rules.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import { acceptPartnerInvitation } from '../../centers/partner/api.ts'
import { emailIdentifier } from '../auth/api.ts'
import { acceptInvited } from '../families/api.ts'
import { makeMove } from '../members/api.ts'
import * as queries from './queries.ts'
import { badToken, type RecoveryNeeds } from './recovery.ts'

type AcceptNeeds = Pick<RecoveryNeeds, 'authenticate'>

export async function readInvitation({ body, identity }: Context<typeof contract.readInvitation.spec>) {
  const found = await identity((tx) => queries.readInvitation(tx, hashToken(body.token)), 'read')
  if (!found) throw badToken()
  const { center_name: centerName, partner_name: partnerName, partner_role: partnerRole, email, name } = found
  return {
    ...{
      centerName,
      partnerName,
      terms: found.vertical && completeSettings(found.vertical, found.settings).terms,
      partnerRole,
      email,
      role: found.role,
      guardian: found.guardian,
      inviter: found.inviter,
    },
    name: name === nameOfAddress(email) ? null : name,
    hasAccount: found.has_account,
    expiresAt: found.expires_at.toISOString(),
  }
}

export async function acceptInvitation(
  { passwords, authenticate }: RecoveryNeeds,
  { body, identity }: Context<typeof contract.acceptInvitation.spec>,
) {
  const passwordHash = await passwords.hash(body.password)
  return identity(async (tx) => {
    const chosen = async (actorId: string): Promise<string> => {
      requireSound(body.password, await queries.namesAround(tx, actorId))
      if (body.name !== undefined) await queries.nameActor(tx, actorId, body.name.trim())
      return passwordHash
    }
    return accept({ authenticate }, tx, {
      hash: hashToken(body.token),
      prove: (actorId, identifier) => queries.proveAddress(tx, actorId, identifier, chosen),
    })
  })
}

const notYours = () =>
  new Problem(
    'CONFLICT',
    'This invitation is for another email address than yours, so it was not accepted. Sign in with the address that was invited.',
    { details: { reason: 'otherAddress' } },
  )

/** The token shows that the person reads the mailbox, and the session who they are: both have to be the same person. */
export function acceptOwnInvitation(
  { authenticate }: AcceptNeeds,
  { body, principal, identity }: Context<typeof contract.acceptOwnInvitation.spec>,
) {
  return identity(async (tx) => {
    const accepted = await accept({ authenticate }, tx, {
      hash: hashToken(body.token),
      async prove(actorId, identifier) {
        if (!(await queries.isInvited(tx, principal.actorId, actorId))) throw notYours()
        // The address signs in already: somebody else's stays theirs, and no password is chosen.
        await queries.proveAddress(tx, actorId, identifier, () => Promise.reject(notYours()))
      },
    })
    // Who belongs to whose family follows from verified addresses.
    tx.afterCommit(() => authenticate.forget('people', `actor:${principal.actorId}`))
    return accepted
  })
}

interface Accepting {
  readonly hash: Buffer
  /** Verifies the address of the person who was invited, or throws. */
  readonly prove: (actorId: string, identifier: string) => Promise<void>
}

async function accept({ authenticate }: AcceptNeeds, tx: IdentityTx, { hash, prove }: Accepting) {
  const invitation = await queries.takeInvitation(tx, hash)
  if (!invitation) {
    const accepted = await acceptPartnerInvitation(authenticate, tx, hash, prove)
    if (!accepted) throw badToken()
    return { status: 'ACTIVE' as const, centerDomain: null, centerName: null, ...accepted }
  }
  const { membership_id: id, center_id: centerId, actor_id: actorId, approved } = invitation
  const membership = { id, centerId, actorId }
  const by = { ...tx, caller: { ...tx.caller, actorId } }
  await prove(actorId, emailIdentifier(invitation.email))
  const status = invitation.status as MembershipStatus
  const place = { centerDomain: invitation.center_domain, centerName: invitation.center_name, partnerName: null }
  const guarded = await acceptInvited(by, centerId, actorId)
  // A member who accepts a guardianship stays what they are.
  if (guarded > 0 && ['ACTIVE', 'PENDING'].includes(status)) return { status, ...place }
  await makeMove(authenticate, by, membership, 'accept', status)
  if (approved) await makeMove(authenticate, by, membership, 'approve', 'PENDING')
  return { status: approved ? ('ACTIVE' as const) : ('PENDING' as const), ...place }
}
