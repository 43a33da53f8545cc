/** Members confirm what somebody approved in an emergency, object to it, or close the matter. */
import * as contract from '@countersign/contract/decision-confirmations.ts'
import { logName } from '@countersign/proof/chain.ts'
import type { ConfirmationStatement } from '@countersign/proof/passkey.ts'
import { reasonDigest } from '@countersign/proof/passkey.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { familyOf, isPartnersCenter } from '../../../access/queries.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { recordUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import type { Eligibility } from '../../identity/eligibility/api.ts'
import { EligibilityBehind } from '../../identity/eligibility/api.ts'
import {
  challengeIn,
  countingPasskeys,
  type PasskeyHost,
  requestOptions,
  verifyBy,
  withoutChallenge,
} from '../../identity/passkeys/api.ts'
import {
  closingItem,
  confirmationChallengeItem,
  confirmationItem,
  type SignedConfirmation,
  unknownEvent,
} from '../decision-events/api.ts'
import { type ExportConfig, findWhole } from '../dpu/api.ts'
import { readingAgain } from './approval-routes.ts'
import { adminsOf, closeFromOutside } from './closing.ts'
import { sealedDecision } from './sealed-decision.ts'
import { vouchFor } from './vouch.ts'

interface ConfirmationNeeds {
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly config: ExportConfig & Pick<Config, 'logHost'>
  readonly directory: Directory
  readonly eligibility: Pick<Eligibility, 'catchUp'>
  readonly jobs: Pick<Jobs, 'wake'>
  readonly passkeyHost: PasskeyHost
  readonly sequencer: Pick<Sequencer, 'seal'>
}

function eventOfPath(id: string): string {
  const eventId = recordUuid(id)
  if (eventId === null) throw unknownEvent()
  return eventId
}

export const confirmationRoutes = (needs: ConfirmationNeeds): Route[] => {
  const { cells, config, directory, eligibility, jobs, passkeyHost } = needs
  /** A record that does not hold is not confirmed. What was sealed does not change until the batch. */
  const sealedIn = (cell: string, caller: Caller, eventId: string) =>
    cells.of(cell).inTenant(
      caller,
      async (tx: TenantTx) => {
        const stored = await findWhole(tx, eventId, config)
        return stored && sealedDecision(tx, stored)
      },
      'read',
    )

  return [
    route(contract.challengeEmergencyConfirmation, ({ params, body, principal, center, caller, sequence }, reply) =>
      readingAgain(eligibility, center.centerId, async () => {
        const eventId = eventOfPath(params.eventId)
        const [vouched, keys, sealed] = await Promise.all([
          vouchFor({ cells, directory }, principal, caller, eventId, { withPeople: true }),
          countingPasskeys({ cells, directory }, caller, center.cell, principal.actorId),
          sealedIn(center.cell, caller, eventId),
        ])
        if (vouched.unsealed !== undefined) throw new EligibilityBehind(vouched.unsealed)
        const asked = {
          ...body,
          vouchers: [vouched.voucher, ...vouched.otherwise] as const,
          people: vouched.standing.people ?? [],
          ...{ sealed, hasKey: keys.length > 0, rpId: passkeyHost.rpId },
          log: logName(config.logHost, center.centerId, 'history'),
        }
        const item = confirmationChallengeItem(eventId, asked, center)
        return sequence(item, ({ statement, reason_salt, challenge, expires_at }) =>
          reply(200, {
            statement: { ...statement, result: body.result },
            reasonSalt: reason_salt,
            publicKey: requestOptions(passkeyHost, challenge, keys),
            expiresAt: expires_at,
          }),
        )
      }),
    ),

    route(contract.confirmDecision, ({ params, body, principal, center, caller, sequence }, reply) =>
      readingAgain(eligibility, center.centerId, async () => {
        const eventId = eventOfPath(params.eventId)
        const { result, reason, assertion } = body
        const signing = assertion && {
          challenge: challengeIn(assertion.clientDataJSON).toString('base64url'),
          assertion,
        }
        const [vouched, sealed] = await Promise.all([
          vouchFor({ cells, directory }, principal, caller, eventId, { signing, withPeople: true }),
          sealedIn(center.cell, caller, eventId),
        ])
        if (vouched.unsealed !== undefined) throw new EligibilityBehind(vouched.unsealed)
        if (signing && !vouched.challenge) return sequence(withoutChallenge, (none) => none)
        let signed: SignedConfirmation | undefined
        if (signing && vouched.challenge) {
          const { key, challenge } = vouched
          const statement = requireSame(challenge, result, reason)
          const { actorId } = principal
          const asserted = { actorId, statement, assertion: signing.assertion }
          const passkeyId = await verifyBy({ directory, host: passkeyHost }, caller, key, asserted)
          signed = { ...signing, statement, passkeyId, key: (key as NonNullable<typeof key>).key }
        }
        const asked = {
          ...{ result, reason, sealed, signed },
          vouchers: [vouched.voucher, ...vouched.otherwise] as const,
          people: vouched.standing.people ?? [],
        }
        const answer = await sequence(confirmationItem(eventId, asked, caller), ({ event, entry, complete }) =>
          reply(200, {
            eventId: typedId('decisionEvent', event.id),
            ...{ result, complete },
            confirmedAt: entry.sealedAt,
            chainHash: entry.hash,
          }),
        )
        // It may be the turn of others now, or administrators have to know.
        jobs.wake(center.cell, 'waiting-decisions', { centerId: center.centerId })
        return answer
      }),
    ),

    route(contract.closeEmergency, ({ params, body, principal, center, caller, sequence }, reply) =>
      readingAgain(eligibility, center.centerId, async () => {
        const eventId = eventOfPath(params.eventId)
        const { voucher: member, unsealed } = await vouchFor({ cells, directory }, principal, caller, eventId)
        if (unsealed !== undefined) throw new EligibilityBehind(unsealed)
        const admins = await adminsOf(directory, caller)
        const { family } = member
        const by = { id: principal.actorId, rank: 'center', family, member, reason: body.reason, admins } as const
        return sequence(closingItem(eventId, by, caller), (entry) =>
          reply(200, {
            eventId: typedId('decisionEvent', eventId),
            closedAt: entry.sealedAt,
            chainHash: entry.hash,
          }),
        )
      }),
    ),

    route(contract.closeEmergencyAsPartner, async ({ params, body, principal, requestId, tx }, reply) => {
      const { centerId } = params
      if (!(await isPartnersCenter(tx, centerId))) {
        throw new Problem(
          'CENTER_NOT_FOUND',
          "This partner has no center with this ID. List the partner's centers to find the ID.",
        )
      }
      const eventId = eventOfPath(params.eventId)
      const caller = { requestId, actorId: principal.actorId, centerId }
      const family = await directory.identity(caller, (own) => familyOf(own, principal.actorId), 'read')
      const by = { id: principal.actorId, rank: 'partner', family, reason: body.reason } as const
      const entry = await closeFromOutside(needs, caller, eventId, by)
      return reply(200, {
        eventId: typedId('decisionEvent', eventId),
        closedAt: entry.sealedAt,
        chainHash: entry.hash,
      })
    }),
  ]
}

/** What a passkey signed is what is sent. */
function requireSame(
  { statement, reason_salt }: { readonly statement: { readonly type: string }; readonly reason_salt: string | null },
  result: string,
  reason: string | undefined,
): ConfirmationStatement {
  const said = statement as ConfirmationStatement
  const digest = reason === undefined || reason_salt === null ? null : reasonDigest(reason_salt, reason)
  const isSame =
    said.type === 'countersign-confirm-v1' &&
    said.result === result &&
    said.reasonDigest === digest &&
    (reason === undefined) === (said.reasonDigest === null)
  if (isSame) return said
  throw new Problem('CONFLICT', 'Your passkey signed a different result or comment. Get a new challenge and sign it.', {
    details: { reason: 'otherSigned' },
  })
}
