/** A test person of a sandbox approves: judged, signed and sealed like any member, without a session and without a screen. */
import * as contract from '@countersign/contract/test-people.ts'
import { logName } from '@countersign/proof/chain.ts'
import { challengeOf, checkAssertion } from '@countersign/proof/passkey.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { now } from '../../../lib/clock.ts'
import { recordUuid } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SealItem } from '../../../sealing/batch.ts'
import type { Sequencer } from '../../../sealing/sequencer.ts'
import { type Eligibility, EligibilityBehind } from '../../identity/eligibility/api.ts'
import { standingGroups } from '../../identity/groups/api.ts'
import type { PasskeyHost } from '../../identity/passkeys/api.ts'
import {
  findTestPeople,
  requireSandbox,
  type TestMember,
  testPeople,
  testSigners,
} from '../../identity/test-people/api.ts'
import {
  approvalAnswer,
  approvalItem,
  asSigner,
  challengeItem,
  type SignedApproval,
  trialItem,
  unknownEvent,
} from '../decision-events/api.ts'
import { readingAgain } from './approval-routes.ts'
import { type Vouched, vouchFor } from './vouch.ts'

interface TestNeeds {
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly config: Pick<Config, 'logHost'>
  readonly directory: Directory
  readonly eligibility: Pick<Eligibility, 'catchUp'>
  readonly jobs: Pick<Jobs, 'wake'>
  readonly passkeyHost: PasskeyHost
  readonly sequencer: Sequencer
}

interface Asked {
  readonly eventId: string
  readonly result: 'approved' | 'rejected'
  readonly level: 'session' | 'passkey'
  readonly reason: string | undefined
}

interface Place {
  readonly center: CenterProfile
  readonly caller: Caller
}

interface Accepted {
  readonly person: TestMember
  readonly vouched: Vouched
  readonly signed: SignedApproval | undefined
}

/** Somebody else may be accepted: it is not this one's turn, no line admits them, or they have a place already. */
const isOfPerson = (error: unknown): error is Problem =>
  error instanceof Problem &&
  (error.code === 'POLICY_VIOLATION' ||
    (error.code === 'CONFLICT' && ('turn' in error.details || error.details.reason === 'seated')))

const refusing = (error: Error) => ({
  holds: { chains: [], rows: [] },
  judge: (): never => {
    throw error
  },
})

export const testApprovalRoutes = (needs: TestNeeds): Route[] => {
  const { cells, config, directory, eligibility, jobs, passkeyHost: host, sequencer } = needs
  const signerOf = testSigners(needs)

  const membersOf = (caller: Caller) =>
    directory.asCenter(caller, (tx) => findTestPeople(tx, testPeople(caller.centerId)), 'read')

  async function seal<T>({ center, caller }: Place, item: Pick<SealItem<T>, 'holds' | 'judge'>): Promise<T> {
    const outcome = await sequencer.seal({ ...item, center, caller })
    if ('replay' in outcome) throw new Error('a trial has no idempotency key')
    return outcome.result
  }

  /** Signs the statement that a challenge of this sandbox holds, as a browser would, and checks it as a verifier would. */
  async function signedBy(
    place: Place,
    asked: Asked,
    { voucher, standing, earlierKeys }: Vouched,
  ): Promise<SignedApproval> {
    const { actorId } = voucher
    const signer = await signerOf(place.center, place.caller, actorId)
    const { eventId, result, reason } = asked
    const log = logName(config.logHost, place.center.centerId, 'proof')
    const item = challengeItem(
      eventId,
      {
        ...{ result, reason, actorId, standing, earlierKeys, log, rpId: host.rpId },
        ...{ vouchers: [asSigner(voucher)] as const, hasKey: true, seen: {}, shown: null },
      },
      place.center,
    )
    const { statement, challenge } = await seal(place, item)
    const signed = challengeOf(statement)
    const assertion = signer.sign(signed)
    const { key, passkeyId } = signer
    const fault = checkAssertion(assertion, { key, challenge: signed, rpId: host.rpId, origins: [host.origin] })
    if (fault !== null) throw new Error(`a test person's signature does not hold: ${fault}`)
    return { challenge, statement, passkeyId, key, assertion }
  }

  /** Throws where this person would be refused. */
  const tried = (place: Place, asked: Asked, person: TestMember): Promise<Accepted> =>
    readingAgain(eligibility, place.center.centerId, async (withPeople) => {
      const { eventId, result, reason, level } = asked
      const { actor_id: actorId, membership_id: membershipId, role } = person
      const entered = { cell: place.center.cell, centerId: place.center.centerId, membershipId, role, roles: [role] }
      const proofs = { signedInAt: now(), steppedUpAt: null, provedAt: null }
      const principal = { actorId, entered, via: 'password', proofs } as unknown as Parameters<typeof vouchFor>[1]
      const caller = { ...place.caller, actorId }
      const vouched = await vouchFor({ cells, directory }, principal, caller, eventId, { withPeople })
      if (vouched.unsealed !== undefined) throw new EligibilityBehind(vouched.unsealed)
      const { voucher, standing, earlierKeys } = vouched
      if (level === 'passkey') return { person, vouched, signed: await signedBy(place, asked, vouched) }
      await seal(place, trialItem(eventId, { result, reason, voucher, standing, earlierKeys }, place.center))
      return { person, vouched, signed: undefined }
    })

  /** The first of them who is accepted; if none is, why the first was not. */
  async function accepted(place: Place, asked: Asked, people: readonly TestMember[]): Promise<Accepted> {
    let refusal: unknown
    for (const person of people) {
      try {
        return await tried(place, asked, person)
      } catch (error) {
        if (!isOfPerson(error)) throw error
        refusal ??= error
      }
    }
    throw (
      refusal ??
      new Problem('CONFLICT', 'This sandbox has no test people. Refresh the sandbox, then try again.', {
        details: { reason: 'noTestPeople' },
      })
    )
  }

  return [
    route(contract.listTestPeople, async ({ tx }, reply) => {
      requireSandbox(tx.caller.centerId)
      const [members, groups] = [await membersOf(tx.caller), await standingGroups(tx)]
      return reply(
        200,
        members.map(({ actor_id: id, name, role }) => ({
          ...{ id, name, role },
          groups: groups.filter(({ people }) => people.some(({ actorId }) => actorId === id)).map((each) => each.name),
        })),
      )
    }),

    route(contract.approveAsTestPerson, async ({ body, center, caller, sequence }, reply) => {
      requireSandbox(center.centerId)
      const eventId = recordUuid(body.eventId)
      if (eventId === null) throw unknownEvent()
      const { result, level, reason, personId } = body
      const members = await membersOf(caller)
      const people =
        personId === undefined ? members : members.filter(({ actor_id }) => actor_id === personId.toLowerCase())
      if (people.length === 0 && personId !== undefined) {
        throw new Problem(
          'NOT_FOUND',
          'This sandbox has no test person with this ID. List its test people with GET /api/v1/sandbox/people.',
        )
      }
      const asked = { eventId, result, level, reason }
      const found = await accepted({ center, caller }, asked, people).catch((error: unknown) => error as Error)
      // The batch looks for the answer of an earlier request with the same Idempotency-Key first.
      if (found instanceof Error) return sequence(refusing(found), (none: never) => none)
      const { person, vouched, signed } = found
      const { voucher, standing, earlierKeys } = vouched
      const given = {
        ...{ voucher, standing, earlierKeys, result },
        approver: { id: person.actor_id, type: 'human', name: person.name } as const,
        ...(reason !== undefined && { reason }),
        ...(signed && { signed }),
        ...{ isTest: true, channel: 'api' as const, decidedAt: now().toISOString() },
      }
      return sequence(approvalItem(eventId, given, center, caller), (approved) => {
        jobs.wake(center.cell, 'waiting-decisions', { centerId: center.centerId })
        return reply(200, approvalAnswer(approved))
      })
    }),
  ]
}
