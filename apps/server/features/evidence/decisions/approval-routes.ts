/** A member approves, refuses or withdraws a decision: signed in, or with a passkey that signs the statement of a challenge. */
import * as contract from '@countersign/contract/decision-approvals.ts'
import { withdrawDecision } from '@countersign/contract/decisions.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { logName } from '@countersign/proof/chain.ts'
import type { Shown } from '@countersign/proof/control.ts'
import { reasonDigest } from '@countersign/proof/passkey.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { isOwn } from '../../../governance/policies.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { now } from '../../../lib/clock.ts'
import { recordUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { type Eligibility, EligibilityBehind, everApproving } from '../../identity/eligibility/api.ts'
import {
  challengeIn,
  countingPasskeys,
  type PasskeyHost,
  requestOptions,
  verifyBy,
  withoutChallenge,
} from '../../identity/passkeys/api.ts'
import {
  approvalAnswer,
  approvalItem,
  asSigner,
  challengeItem,
  type Fallback,
  notingRefusal,
  PeopleUnknown,
  ReadAgain,
  type SignedApproval,
  takeBackItem,
  unknownEvent,
  withdrawalItem,
} from '../decision-events/api.ts'
import { effectOf } from '../rule-changes/api.ts'
import { type Vouched, vouchFor } from './vouch.ts'

interface ApprovalNeeds {
  readonly cells: Cells
  readonly config: Pick<Config, 'logHost' | 'rulesWaitSeconds'>
  readonly directory: Directory
  readonly eligibility: Pick<Eligibility, 'catchUp'>
  readonly jobs: Pick<Jobs, 'wake'>
  readonly passkeyHost: PasskeyHost
}

type Body = BodyOf<(typeof contract.approveDecision)['spec']>
interface Signed {
  readonly challenge: string
  readonly result: Body['result']
  readonly reason: string | undefined
  readonly assertion: NonNullable<Body['assertion']>
}

function eventOfPath(id: string): string {
  const eventId = recordUuid(id)
  if (eventId === null) throw unknownEvent()
  return eventId
}

/** Verifies the signature before the batch opens: no item of a batch waits for the directory or for a key. */
async function signedBy(
  { directory, passkeyHost: host }: ApprovalNeeds,
  caller: Caller,
  { key, voucher: { actorId } }: Vouched,
  { statement, reason_salt }: NonNullable<Vouched['challenge']>,
  { challenge, result, reason, assertion }: Signed,
): Promise<SignedApproval> {
  const digest = reason === undefined || reason_salt === null ? null : reasonDigest(reason_salt, reason)
  const isSame =
    statement.result === result &&
    statement.reasonDigest === digest &&
    (reason === undefined) === (statement.reasonDigest === null)
  if (!isSame) {
    throw new Problem(
      'CONFLICT',
      'Your passkey signed a different result or comment. Get a new challenge and sign it.',
      { details: { reason: 'otherSigned' } },
    )
  }
  const passkeyId = await verifyBy({ directory, host }, caller, key, { actorId, statement, assertion })
  return { challenge, statement, passkeyId, key: (key as NonNullable<typeof key>).key, assertion }
}

/** Of a change of rules: everybody who could approve it now, or could in the last month. */
async function fallbackFor(
  { config, directory }: ApprovalNeeds,
  caller: Caller,
  { actionType }: Vouched,
): Promise<Fallback | undefined> {
  if (!isOwn(actionType)) return undefined
  const others = await directory.asCenter(caller, (tx) => everApproving(tx, now()), 'read')
  return { afterSeconds: config.rulesWaitSeconds, others }
}

/** A refusal waits for nothing. */
function requireSealed({ unsealed }: Vouched, result: Body['result']): void {
  if (unsealed !== undefined && result === 'approved') throw new EligibilityBehind(unsealed)
}

/** What a passkey signed counts, whatever the request says beside it. */
const stated = (shown: Shown | null | undefined) => (shown ? { shown } : {})

/**
 * An approval that comes between reading and judging makes both begin again; so does a role that is not sealed yet, and a
 * policy with steps, for which everybody who could fill them is read. `withPeople`: whether that is so.
 */
export async function readingAgain<T>(
  eligibility: ApprovalNeeds['eligibility'],
  centerId: number,
  work: (withPeople: boolean) => Promise<T>,
): Promise<T> {
  let withPeople = false
  for (let left = 3; ; left--) {
    try {
      return await work(withPeople)
    } catch (error) {
      const isBehind = error instanceof EligibilityBehind
      if (error instanceof PeopleUnknown && !withPeople) {
        withPeople = true
        left++
        continue
      }
      if (left === 1 || !(isBehind || error instanceof ReadAgain)) throw error
      if (isBehind) await eligibility.catchUp(centerId, error.membershipId)
    }
  }
}

export const approvalRoutes = (needs: ApprovalNeeds): Route[] => {
  const { cells, config, directory, eligibility, passkeyHost } = needs
  return [
    route(contract.challengeApproval, ({ params, body, principal, center, caller, sequence }, reply) =>
      readingAgain(eligibility, center.centerId, async (withPeople) => {
        const eventId = eventOfPath(params.eventId)
        const { actorId } = principal
        const { result, reason, emergency = false, shown = null, ...seen } = body
        const [vouched, keys] = await Promise.all([
          vouchFor({ cells, directory }, principal, caller, eventId, { withPeople }),
          countingPasskeys({ cells, directory }, caller, center.cell, actorId),
        ])
        requireSealed(vouched, result)
        const { voucher, otherwise, standing, earlierKeys } = vouched
        const fallback = await fallbackFor(needs, caller, vouched)
        const asked = {
          ...{ result, reason, emergency, seen, shown, standing, earlierKeys, fallback },
          actorId,
          vouchers: [asSigner(voucher), ...otherwise.map(asSigner)] as const,
          hasKey: keys.length > 0,
          rpId: passkeyHost.rpId,
          log: logName(config.logHost, center.centerId, 'proof'),
        }
        const item = challengeItem(eventId, asked, center)
        const asking = sequence(item, ({ statement, reason_salt, challenge, expires_at }) =>
          reply(200, {
            statement: {
              ...statement,
              approvedActionDigest: null,
              result: body.result,
              policies: [...statement.policies],
            },
            reasonSalt: reason_salt,
            publicKey: requestOptions(passkeyHost, challenge, keys),
            expiresAt: expires_at,
          }),
        )
        return notingRefusal(cells, { center, caller, eventId }, asking)
      }),
    ),

    route(contract.approveDecision, ({ params, body, principal, center, caller, sequence }, reply) =>
      readingAgain(eligibility, center.centerId, async (withPeople) => {
        const eventId = eventOfPath(params.eventId)
        const { actorId: id, name } = principal
        const { result, reason, emergency = false, channel = 'console', assertion, shown, ...seen } = body
        const signing = assertion && {
          challenge: challengeIn(assertion.clientDataJSON).toString('base64url'),
          assertion,
        }
        const vouched = await vouchFor({ cells, directory }, principal, caller, eventId, { signing, withPeople })
        requireSealed(vouched, result)
        const { voucher, otherwise, openedAt, openedDigest, standing, earlierKeys, challenge, actionType } = vouched
        const effect = effectOf({ id: eventId, actionType }, center, caller)
        const fallback = await fallbackFor(needs, caller, vouched)
        if (signing && !challenge) return sequence(withoutChallenge, (none) => none)
        const signed =
          signing && challenge && (await signedBy(needs, caller, vouched, challenge, { ...signing, result, reason }))
        const given = {
          ...{ voucher, otherwise, openedAt, standing, earlierKeys },
          approver: { id, type: 'human', name } as const,
          ...{ result, emergency },
          ...(reason !== undefined && { reason }),
          ...(signed && { signed }),
          seen: { ...seen, openedDigest },
          ...(effect && { effect }),
          ...(fallback && { fallback }),
          control: { via: principal.via, ...stated(signed ? signed.statement.shown : shown) },
          channel,
          decidedAt: now().toISOString(),
        }
        const item = approvalItem(eventId, given, center, caller)
        const approving = sequence(item, (approved) => {
          // The refusal is committed; the answer follows the commit.
          if (approved.replaced) {
            throw new Problem(
              'CONFLICT',
              'The policy has changed since this change was requested, so the request was refused. Request the change again.',
              { details: { reason: 'policyChanged' } },
            )
          }
          // It may be the turn of others now, or over.
          needs.jobs.wake(center.cell, 'waiting-decisions', { centerId: center.centerId })
          return reply(200, approvalAnswer(approved))
        })
        return notingRefusal(cells, { center, caller, eventId }, approving)
      }),
    ),

    route(withdrawDecision, ({ params, body, principal, center, caller, sequence }, reply) => {
      const eventId = eventOfPath('id' in params ? params.id : params.eventId)
      const item = withdrawalItem(eventId, principal, body.reason, center, caller)
      return sequence(item, ({ event, entry }) =>
        reply(200, {
          eventId: typedId('decisionEvent', event.id),
          decisionId: event.decision_id,
          withdrawnAt: entry.sealedAt,
          sealedHash: entry.hash,
        }),
      )
    }),

    route(contract.takeBackApproval, ({ params, principal, center, caller, sequence }, reply) =>
      sequence(takeBackItem(eventOfPath(params.eventId), principal.actorId, center, caller), (taken) =>
        reply(200, taken),
      ),
    ),
  ]
}
