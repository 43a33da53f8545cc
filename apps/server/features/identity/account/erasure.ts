/** The end of an account. What others rely on stays: what was sealed, who did what, and the children of a center. */
import type * as contract from '@countersign/contract/account.ts'
import type { Static } from 'typebox'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import type { Context } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { homeOf } from '../../../mail/voice.ts'
import { endAllSessions } from '../auth/api.ts'
import { endGuardianships } from '../families/api.ts'
import { notePasskeyChange } from '../passkeys/api.ts'
import * as queries from './erasure-queries.ts'
import { lockAccount, sessionLives } from './queries.ts'

export interface ErasureNeeds {
  readonly authenticate: Authenticator
  readonly mail: Mail
}

type Erasure = Static<typeof contract.AccountErasure>

/** Says the same before and after. */
async function erasureOf(tx: IdentityTx, people: readonly string[]): Promise<Erasure> {
  const obstacles = [...(await queries.obstaclesOf(tx, people))]
  const { memberships, centers, guarded, kept, passkeys, sessions } = await queries.standingOf(tx, people)
  return {
    obstacles,
    ends: { memberships: [...memberships], children: guarded, passkeys, sessions },
    keeps: { centers: [...centers], children: kept },
  }
}

export const previewErasure = ({
  principal,
  identity,
}: Pick<Context<typeof contract.getErasure.spec>, 'principal' | 'identity'>): Promise<Erasure> =>
  identity(async (tx) => erasureOf(tx, await queries.lockPerson(tx, principal.actorId)))

const passing = { passing: true } as const

const refusals: Readonly<Record<queries.ObstacleRow['reason'], (name: string) => Problem>> = {
  OPERATOR: () =>
    new Problem(
      'CONFLICT',
      "You're an operator of this installation. Have another operator withdraw this right first.",
      { ...passing, details: { reason: 'lastOperator' } },
    ),
  LAST_PARTNER_ADMIN: (name) =>
    new Problem(
      'CONFLICT',
      `You're the last administrator of the partner "${name}". Invite another PARTNER_ADMIN there first.`,
      { ...passing, details: { reason: 'lastPartnerAdmin' } },
    ),
  LAST_ADMIN: (name) =>
    new Problem(
      'CONFLICT',
      `You're the last administrator of "${name}". Make another member an administrator there first, or ask the operator to close the center.`,
      { ...passing, details: { reason: 'lastAdmin' } },
    ),
  OWN_WORKSPACE: (name) =>
    new Problem('CONFLICT', `"${name}" is your own workspace. Ask the operator to close it first.`, {
      ...passing,
      details: { reason: 'ownWorkspace' },
    }),
}

export async function eraseAccount(
  { authenticate, mail }: ErasureNeeds,
  { principal, identity, language, query }: Context<typeof contract.deleteMe.spec>,
): Promise<Erasure> {
  const { actorId, sessionId } = principal
  if (query.actorId.toLowerCase() !== actorId)
    throw new Problem(
      'CONFLICT',
      'You\'re signed in to another account than "actorId" names, so nothing was deleted. Sign in to the account that you want to delete.',
      { details: { reason: 'otherAccount' } },
    )
  const { erasure, forget } = await identity(async (tx) => {
    const people = await queries.lockPerson(tx, actorId)
    if (!(await sessionLives(tx, sessionId)))
      throw new Problem('UNAUTHORIZED', 'This session has ended. Sign in again.')
    await queries.lockCentersOf(tx, people)
    const erasure = await erasureOf(tx, people)
    const [obstacle] = erasure.obstacles
    if (obstacle) throw refusals[obstacle.reason](obstacle.name ?? '')
    const { email, language: spoken } = await lockAccount(tx, actorId)
    const home = await homeOf(tx, actorId)
    await endRights(tx, actorId, people)
    const sessions: string[] = []
    for (const each of people) sessions.push(...(await endAllSessions(tx, each, 'erased')))
    await queries.erase(tx, people)
    const ended = await queries.endMemberships(tx, people)
    await audit(
      tx,
      ...ended.map(({ id, center_id: centerId, was }) => ({
        ...{ type: 'membership.transitioned' as const, action: 'erased' as const, actorId, centerId },
        target: { type: 'membership', id: typedId('membership', id) },
        details: { from: was, to: 'ENDED' },
      })),
      {
        type: 'settings.updated',
        action: 'account.erased',
        target: { type: 'actor', id: actorId },
        actorId,
        centerId: 0,
      },
    )
    const said = spoken ?? language
    if (email !== null && mail.canSend)
      await mail.queue(tx, {
        ...{ to: email, centerId: home, mail: 'accountErased', facts: { at: now().toISOString() } },
        ...(said && { language: said }),
      })
    const forget = [
      ...sessions.map((id) => `session:${id}`),
      ...people.map((id) => `actor:${id}`),
      ...ended.map(({ center_id: id }) => `center:${id}`),
    ]
    return { erasure, forget }
  })
  authenticate.forget('people', ...forget)
  return erasure
}

/** Two who leave at once: the name was read before. */
const partnerAlone = () =>
  new Problem('CONFLICT', "You're the partner's last administrator. Invite another PARTNER_ADMIN first.", {
    ...passing,
    details: { reason: 'lastPartnerAdmin' },
  })

async function endRights(tx: IdentityTx, actorId: string, people: readonly string[]): Promise<void> {
  const left = await queries.leavePartners(tx, people).catch(meaning({ last_partner_admin: partnerAlone }))
  await audit(
    tx,
    ...left.map(({ partner_id: id }) => ({
      ...{
        type: 'settings.updated' as const,
        action: 'partner account erased' as const,
        target: { type: 'partner', id },
      },
      ...{ details: { accountId: actorId }, actorId, centerId: 0 },
    })),
  )
  await endGuardianships(tx, people)
  for (const owner of new Set((await queries.removePasskeys(tx, people)).map(({ actor_id }) => actor_id))) {
    await notePasskeyChange(tx, owner)
  }
}
