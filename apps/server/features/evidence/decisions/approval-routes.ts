/** A member approves or refuses a decision: signed in, or with a passkey that signs the statement of a challenge. */
import * as contract from '@countersign/contract/decision-approvals.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { logName } from '@countersign/proof/chain.ts'
import { reasonDigest } from '@countersign/proof/passkey.ts'
import type { Config } from '../../../config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { recordUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
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
  notingRefusal,
  type SignedApproval,
  unknownEvent,
} from '../decision-events/api.ts'
import { type Vouched, vouchFor } from './vouch.ts'

interface ApprovalNeeds {
  readonly cells: Cells
  readonly config: Pick<Config, 'logHost'>
  readonly directory: Directory
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
    throw new Problem('CONFLICT', 'The passkey signed another result or reason. Ask for a new challenge and sign that.')
  }
  const passkeyId = await verifyBy({ directory, host }, caller, key, { actorId, statement, assertion })
  return { challenge, statement, passkeyId, assertion }
}

export const approvalRoutes = (needs: ApprovalNeeds): Route[] => {
  const { cells, config, directory, passkeyHost } = needs
  return [
    route(contract.challengeApproval, async ({ params, body, principal, center, caller, sequence }, reply) => {
      const eventId = eventOfPath(params.eventId)
      const { actorId } = principal
      const [{ voucher, otherwise }, keys] = await Promise.all([
        vouchFor({ cells, directory }, principal, caller, eventId),
        countingPasskeys({ cells, directory }, caller, center.cell, actorId),
      ])
      const asked = {
        ...body,
        actorId,
        vouchers: [asSigner(voucher), ...otherwise.map(asSigner)] as const,
        hasKey: keys.length > 0,
        rpId: passkeyHost.rpId,
        log: logName(config.logHost, center.centerId, 'proof'),
      }
      const item = challengeItem(eventId, asked, center)
      const asking = sequence(item, ({ statement, reason_salt, challenge, expires_at }) =>
        reply(200, {
          statement: { ...statement, result: body.result, policies: [...statement.policies] },
          reasonSalt: reason_salt,
          publicKey: requestOptions(passkeyHost, challenge, keys),
          expiresAt: expires_at,
        }),
      )
      return notingRefusal(cells, { center, caller, eventId }, asking)
    }),

    route(contract.approveDecision, async ({ params, body, principal, center, caller, sequence }, reply) => {
      const eventId = eventOfPath(params.eventId)
      const { actorId: id, name } = principal
      const { result, reason, channel = 'console', assertion, ...seen } = body
      const signing = assertion && { challenge: challengeIn(assertion.clientDataJSON).toString('base64url'), assertion }
      const vouched = await vouchFor({ cells, directory }, principal, caller, eventId, signing)
      const { voucher, otherwise, openedAt, challenge } = vouched
      if (signing && !challenge) return sequence(withoutChallenge, (none) => none)
      const signed =
        signing && challenge && (await signedBy(needs, caller, vouched, challenge, { ...signing, result, reason }))
      const given = {
        ...{ voucher, otherwise, openedAt },
        approver: { id, type: 'human', name } as const,
        result,
        ...(reason !== undefined && { reason }),
        ...(signed && { signed }),
        seen,
        channel,
        decidedAt: now().toISOString(),
      }
      const item = approvalItem(eventId, given, center, caller)
      const approving = sequence(item, (approved) => reply(200, approvalAnswer(approved)))
      return notingRefusal(cells, { center, caller, eventId }, approving)
    }),
  ]
}
