/** For every operation that changes state: the exact audit entries that it writes. */
import type { Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cast, gather, kindFor } from '../../../../tests/isolation/access/cast.ts'
import { sampleEnv } from '../../../../tests/isolation/access/sample.ts'
import { samples } from '../../../../tests/isolation/access/samples.ts'
import { sendSample } from '../../../../tests/isolation/access/send-sample.ts'
import type { Answer } from '../../../../tests/support/contract-check.ts'
import { offenders } from '../../../../tests/support/offenders.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { auditRow } from '../audit.ts'

/** Type and `details.action` of each entry. An empty list means that the operation writes no entry on purpose. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'auth.login': ['session.changed start'],
  'auth.switchCenter': ['session.changed switch'],
  'auth.refreshToken': [],
  'auth.createSsoToken': [],
  'auth.verifySsoToken': [],
  'auth.logout': ['session.changed revoke'],
  'auth.startSession': ['session.changed start'],
  'auth.refreshSession': [],
  'auth.switchSession': ['session.changed switch'],
  'auth.endSession': ['session.changed revoke'],
  'sessions.end': ['session.changed revoke'],
  'auth.updateMe': ['settings.updated account.changed'],
  'auth.changePassword': ['settings.updated account.password'],
  // Asking for a code changes nothing; the code does.
  'auth.changeEmail': [],
  'auth.confirmEmail': ['settings.updated account.email'],
  'auth.changePhone': [],
  'auth.confirmPhone': ['settings.updated account.phone'],
  'auth.removePhone': ['settings.updated account.phone_removed'],
  'auth.deleteMe': ['session.changed revoke', 'settings.updated account.erased'],
  'auth.challengeStepUp': [],
  'auth.stepUp': ['session.changed step_up'],
  // Which browser a person is told in is their own affair, and ends with the session.
  'push.subscribe': [],
  'push.unsubscribe': [],
  // So are the own views; the sample deletes a shared one.
  'views.put': [],
  'views.delete': ['settings.updated view_removed'],
  'calendarFeed.create': ['settings.updated calendar_feed.created'],
  'calendarFeed.update': ['settings.updated calendar_feed.changed'],
  'calendarFeed.delete': ['settings.updated calendar_feed.removed'],

  // A request for a link changes nothing; the use of the link does.
  'auth.requestPasswordReset': [],
  'auth.signUp': [],
  'auth.confirmSignUp': ['settings.updated account.opened'],
  'auth.resetPassword': ['session.changed revoke'],
  'auth.readInvitation': [],
  'auth.acceptInvitation': ['membership.transitioned accept'],
  'auth.acceptOwnInvitation': ['membership.transitioned accept'],

  // A challenge changes nothing; the answer to it does.
  'passkeys.startRegistration': [],
  'passkeys.attest': [],
  'passkeys.register': ['settings.updated passkey.registered'],
  'passkeys.remove': ['settings.updated passkey.removed'],
  'passkeys.startLogin': [],
  'passkeys.login': ['session.changed start'],
  'memberPasskeys.challengeConfirmation': [],
  'memberPasskeys.confirm': ['settings.updated passkey.confirmed'],
  'partner.confirmPasskey': ['settings.updated passkey.confirmed'],
  'admin.confirmPasskey': ['settings.updated passkey.confirmed'],
  // The sample leaves it as it is.
  'adminPasskeys.set': [],

  // The way to a provider and back changes nothing; the session and the link do.
  'auth.startOidcLogin': [],
  'auth.finishOidcLogin': [],
  'auth.linkOidcAccount': ['settings.updated sign_in.linked'],
  'auth.unlinkOidcAccount': ['settings.updated sign_in.unlinked'],
  'auth.mailOidcLink': [],
  'auth.confirmOidcLink': ['settings.updated sign_in.linked', 'session.changed start'],
  'auth.startHandoff': [],
  'auth.issueHandoffCode': [],
  'auth.redeemHandoff': ['session.changed start'],
  'domains.add': ['settings.updated domain.added'],
  // An entry is written when the check changes whether the domain counts.
  'domains.check': [],
  'domains.remove': ['settings.updated domain.removed'],
  'domains.addAsPartner': ['settings.updated domain.added'],
  'domains.checkAsPartner': [],
  'domains.removeAsPartner': ['settings.updated domain.removed'],
  'logos.add': ['settings.updated logo'],
  'logos.addAsPartner': ['settings.updated logo'],
  'signInProviders.add': ['settings.updated provider.added'],
  'signInProviders.update': ['settings.updated provider.changed'],
  'signInProviders.check': [],
  'signInProviders.remove': ['settings.updated provider.removed'],
  'signInProviders.addAsPartner': ['settings.updated provider.added'],
  'signInProviders.updateAsPartner': ['settings.updated provider.changed'],
  'signInProviders.checkAsPartner': [],
  'signInProviders.removeAsPartner': ['settings.updated provider.removed'],

  'centers.updateSettings': ['settings.updated center'],
  'centers.rename': ['center.updated rename'],
  'instructors.setHours': ['settings.updated hours'],

  'children.create': ['membership.transitioned child_added', 'membership.transitioned approve'],
  'guardianships.invite': ['membership.transitioned invite', 'membership.transitioned guardianship_invite'],
  'guardianships.endAsCenter': ['membership.transitioned guardianship_end'],
  'guardianships.accept': ['membership.transitioned guardianship_accept'],
  'guardianships.end': ['membership.transitioned guardianship_end'],
  'members.import': ['membership.transitioned invite'],
  'members.invite': ['membership.transitioned invite'],
  'memberships.accept': ['membership.transitioned accept'],
  'memberships.leave': ['membership.transitioned leave'],
  'memberships.decline': ['membership.transitioned decline'],
  'memberships.approve': ['membership.transitioned approve'],
  'memberships.suspend': ['membership.transitioned suspend'],
  'memberships.reinstate': ['membership.transitioned reinstate'],
  'memberships.end': ['membership.transitioned end'],
  'bookings.create': ['center.updated booking_created'],
  'bookings.move': ['center.updated booking_moved'],
  'bookings.markAttended': ['center.updated booking_attended'],
  'bookings.markNoShow': ['center.updated booking_no_show'],
  'bookings.recordAttendance': ['center.updated booking_attended'],
  'bookings.cancelWithReason': ['center.updated booking_canceled'],
  'bookings.cancel': ['center.updated booking_canceled'],
  'bookingWaits.create': ['center.updated booking_wait_added'],
  'bookingWaits.delete': ['center.updated booking_wait_removed'],
  'bookingSeries.create': [
    'center.updated booking_created',
    'center.updated booking_created',
    'center.updated booking_series_created',
  ],
  'closures.add': ['settings.updated day_closed'],
  'closures.remove': ['settings.updated day_opened'],
  'holidays.adopt': ['settings.updated day_closed'],
  'memberships.reject': ['membership.transitioned reject'],
  'memberships.reinvite': ['membership.transitioned reinvite'],
  'memberships.update': ['membership.transitioned role'],
  'memberships.confirm': ['settings.updated eligibility.confirmed'],
  'partner.confirmMembership': ['settings.updated eligibility.confirmed'],
  'freezes.create': ['policy.changed frozen'],
  'freezes.lift': ['policy.changed lifted'],
  'partner.createFreeze': ['policy.changed frozen'],
  'partner.liftFreeze': ['policy.changed lifted'],

  'provisioning.createCenter': ['center.provisioned created'],

  'sandboxes.create': ['center.provisioned created', 'center.updated create-sandbox'],
  'sandboxes.add': ['center.provisioned created', 'api_key.changed created', 'center.updated create-sandbox'],
  'sandboxes.addAsMember': ['center.provisioned created', 'api_key.changed created', 'center.updated create-sandbox'],
  'sandboxes.refresh': ['center.updated refresh-sandbox'],
  'sandboxes.refreshAsMember': ['center.updated refresh-sandbox'],
  'sandboxes.end': ['center.updated end', 'center.updated end-sandbox'],
  'sandboxes.endAsMember': ['center.updated end', 'center.updated end-sandbox'],
  'sandboxes.reset': ['center.provisioned created', 'center.updated end', 'center.updated reset-sandbox'],
  'centerExports.create': ['center.updated begin-export'],
  'notificationChannels.create': ['settings.updated channel_added'],
  'notifications.put': ['settings.updated notifications.changed'],
  // A message to try a channel changes nothing.
  'notificationChannels.test': [],
  'notificationChannels.remove': ['settings.updated channel_removed'],

  'partner.createCenter': ['membership.transitioned invite', 'center.provisioned created'],
  'partner.updateCenter': ['center.updated rename'],
  'partner.nameCenterAdmin': ['membership.transitioned invite'],
  'partner.updateSettings': ['settings.updated partner'],
  'partnerInvitations.create': ['settings.updated invited'],
  'partnerInvitations.revoke': ['settings.updated invitation revoked'],
  'partnerAccounts.update': ['settings.updated account role changed'],
  'partnerAccounts.end': ['settings.updated account ended'],
  'admin.setCenterStatus': ['center.updated suspend'],
  'admin.updateSubscription': ['center.updated subscription'],
  'admin.acknowledgeAlarm': ['integrity.alarm acknowledged'],
  'admin.addPlan': ['settings.updated plan added'],
  'admin.addPlanVersion': ['settings.updated plan version added'],
  'admin.onboardPartner': [
    'settings.updated partner onboarded',
    'membership.transitioned invite',
    'center.provisioned created',
  ],

  'apiKeys.create': ['api_key.changed created'],
  'apiKeys.rotate': ['api_key.changed created', 'api_key.changed rotated'],
  'apiKeys.revoke': ['api_key.changed revoked'],
  // An event is evidence itself.
  'decisionEvents.record': [],
  'approvals.create': ['decision.sealed approved'],
  'decisionEvents.consume': ['decision.sealed consumed'],
  'decisionEvents.reportOutcome': ['decision.sealed outcome'],
  'decisionEvents.withdraw': ['decision.sealed rejected', 'decision.sealed withdrawn'],
  'decisions.withdraw': ['decision.sealed rejected', 'decision.sealed withdrawn'],
  'agents.decide': ['decision.sealed completed'],
  // It waits for a person, as the sample does.
  'agents.requestApproval': [],
  'decisions.ask': [],
  // The time of opening is sealed with the approval.
  'decisions.open': [],
  'decisions.challengeApproval': [],
  'decisions.approve': ['decision.sealed approved'],
  'decisions.takeBackApproval': ['decision.sealed approval_taken_back'],
  'testPeople.approve': ['decision.sealed approved'],
  'decisions.challengeConfirmation': [],
  'decisions.confirm': ['decision.sealed confirmed'],
  'decisions.closeEmergency': ['decision.sealed closed'],
  'partner.closeEmergency': ['decision.sealed closed'],
  'decisions.comment': ['decision.sealed commented'],
  'decisions.setDeputy': ['settings.updated deputy'],
  'decisions.endDeputy': ['settings.updated deputy_ended'],

  'dpus.createDemo': ['dpu.changed created'],
  'drafts.edit': ['dpu.changed draft_edited'],
  'drafts.send': ['dpu.changed draft_sent'],
  'drafts.refuse': ['dpu.changed draft_refused'],
  'dpus.challengeRaise': [],
  'dpus.update': ['dpu.changed level'],
  'dpus.redact': ['dpu.changed redacted'],
  'policies.create': ['policy.changed created'],
  'policies.update': ['policy.changed updated'],
  // The samples try an import, which changes nothing.
  'policies.import': [],
  'policies.importAsMember': [],
  'partner.updateCenterPolicy': ['policy.changed updated'],
  'policies.delete': ['policy.changed deleted'],
  'actionTypes.put': ['policy.changed action_type_created'],
  'actionTypes.delete': ['policy.changed action_type_deleted'],
  'groups.create': ['policy.changed group_created'],
  'groups.update': ['policy.changed group_updated'],
  'groups.confirm': ['policy.changed group_confirmed'],
  'groups.end': ['policy.changed group_ended'],

  'workflows.execute': ['workflow.executed started'],
  'executions.cancel': ['dpu.changed created', 'workflow.executed canceled'],

  'workflows.putSettings': ['settings.updated workflow'],

  'webhooks.registerAsMember': ['webhook.changed created'],
  'webhooks.updateAsMember': ['webhook.changed updated'],
  'webhooks.deleteAsMember': ['webhook.changed deleted'],
  'webhooks.rotateSecretAsMember': ['webhook.changed secret_rotated'],
  'webhooks.testAsMember': ['webhook.changed tested'],
  'webhooks.recoverAsMember': ['webhook.changed recovery_started'],
  'webhooks.retryEventAsMember': ['webhook.changed retried'],
  'webhooks.register': ['webhook.changed created'],
  'webhooks.update': ['webhook.changed updated'],
  'webhooks.delete': ['webhook.changed deleted'],
  'webhooks.rotateSecret': ['webhook.changed secret_rotated'],
  'webhooks.test': ['webhook.changed tested'],
  'webhooks.recover': ['webhook.changed recovery_started'],
  'webhooks.retryEvent': ['webhook.changed retried'],
  // Notifications from a companion app, which audits its own changes.
  'events.publish': [],
}

/** Their samples only try what would change, which is not stored for a replay. */
const tryingOut = ['policies.import', 'policies.importAsMember']

/** POST operations that change nothing. */
const asking = [
  ...['centers.search', 'console.dryRunPolicy', 'policies.check', 'policies.checkAsMember'],
  'provisioning.checkSubdomain',
]

/** Of a person without a center. */
const ofAccounts = ['auth.confirmSignUp', 'auth.deleteMe']

interface Entry {
  readonly what: string
  readonly center_id: number
  readonly request_id: string
  readonly actor_id: string | null
  readonly target_type: string
  readonly target_id: string
  readonly details: Record<string, unknown>
}

let server: TestServer
let cast: Cast

beforeAll(async () => {
  server = await startServer({ env: sampleEnv })
  cast = await gather(server)
})
afterAll(() => server.close())

const entriesOf = async (answer: Answer): Promise<Entry[]> =>
  server.world.query<Entry>(
    `select type || ' ' || (details ->> 'action') as what, center_id, request_id, actor_id, target_type, target_id, details
     from (
       select * from directory.audit_entries union all select * from cell.audit_entries
       union all select center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details
       from cell.seal_audit_entries) entries
     where request_id = $1 order by occurred_at, id`,
    [answer.headers.get('x-request-id')],
  )

const count = async (): Promise<number> =>
  (
    await server.world.query(`select id from directory.audit_entries union all select id from cell.audit_entries
      union all select id from cell.seal_audit_entries`)
  ).length

/** Changes of members by the samples before: whoever asks who counts delivers them, with entries of their own. */
const deliverMembers = () => server.services.eligibility.deliver()

const changing = operations.filter(({ id, spec }) => spec.method !== 'GET' && !asking.includes(id))

/**
 * The sample call with a caller who has the right to make it. For a password reset, an actor with open sessions exists.
 */
async function callOf(id: string) {
  const call = await (samples[id] as (typeof samples)[string]).call(server, cast)
  if (id === 'auth.resetPassword') {
    await server.world.query(
      `insert into directory.sessions (id, actor_id, center_id, expires_at)
       select gen_random_uuid(), actor_id, $1, now() + interval '1 day' from directory.password_resets order by expires_at desc limit 1`,
      [cast.center.id],
    )
  }
  return call
}

it('lists every operation that changes state', () => {
  expect(changing.map(({ id }) => id).toSorted()).toEqual(Object.keys(expected).toSorted())
})

const idOf = ({ id }: Operation): string => id
const credentialFor = ({ spec }: Operation) => cast.credential('right', kindFor(spec.access))

describe('an operation that changes state', () => {
  const writesItsEntries = async (operation: Operation, wanted = expected[operation.id]) => {
    const { id } = operation
    const { access } = operation.spec
    const call = await callOf(id)
    const token = call.token ?? (await credentialFor(operation))
    await deliverMembers()
    const before = await count()
    const answer = await sendSample(server, operation, call, token)
    expect(answer.status).toBe(samples[id]?.status)
    const entries = await entriesOf(answer)
    // Entries of one millisecond have no order.
    expect(entries.map(({ what }) => what).toSorted()).toEqual(wanted?.toSorted())
    // No entry has another request id either.
    expect((await count()) - before).toBe(entries.length)
    for (const entry of entries) {
      expect(entry.actor_id).toMatch(access.kind === 'key' ? /^key_[0-9a-z]{26}$/ : /^[0-9a-f-]{36}$/)
      expect(entry.target_id).not.toBe('')
      // Only entries about a partner itself, a plan, and an account that begins or ends have no center.
      const ownNone = ['partner', 'plan'].includes(entry.target_type) || ofAccounts.includes(id)
      expect(entry.center_id === 0).toBe(ownNone)
      const callers = {
        actor: cast.admin,
        partner: cast.partnerAdmin,
        operator: cast.operator,
        key: null,
        public: null,
      }
      if (id !== 'auth.deleteMe') expect(entry.actor_id).toBe(callers[access.kind]?.actorId ?? entry.actor_id)
      expect(JSON.stringify(entry.details)).not.toMatch(/cs[rtipulmhbc]_[\w-]{20}|whsec_|a password/)
    }
  }

  it('writes exactly its entries, with actor, center and target', { timeout: 180_000 }, async () => {
    expect(await offenders(changing, idOf, (operation) => writesItsEntries(operation))).toEqual([])
  })

  it('is listed when it writes others', async () => {
    const invites = changing.filter(({ id }) => id === 'members.invite')
    const others = ['membership.transitioned accept']
    const listed = await offenders(invites, idOf, (operation) => writesItsEntries(operation, others))
    expect(listed).toEqual([expect.stringMatching(/^members\.invite: /)])
  })

  it('writes no entry when it is refused', { timeout: 180_000 }, async () => {
    // Without a body and without a caller nothing is refused.
    const refusable = changing.filter(({ spec }) => spec.access.kind !== 'public' || spec.body)
    const written = await offenders(refusable, idOf, async (operation) => {
      const { id } = operation
      const call = await callOf(id)
      // Where the body may be any object, an array is refused.
      const wrong = operation.spec.id === 'partner.updateSettings' ? [] : { unheardOf: 1 }
      const refused = operation.spec.body
        ? await sendSample(server, operation, { ...call, body: wrong }, await credentialFor(operation))
        : await sendSample(server, operation, call, await cast.credential('expired', kindFor(operation.spec.access)))
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(await entriesOf(refused)).toEqual([])
    })
    expect(written).toEqual([])
  })

  it('writes no entry for a replay', { timeout: 180_000 }, async () => {
    const replayed = changing.filter(({ id, idempotent }) => idempotent && !tryingOut.includes(id))
    const written = await offenders(replayed, idOf, async (operation) => {
      const { id } = operation
      const call = await callOf(id)
      const token = call.token ?? (await credentialFor(operation))
      const headers = { 'idempotency-key': `audit-${id}` }
      const first = await sendSample(server, operation, call, token, headers)
      const before = await count()
      const replay = await sendSample(server, operation, call, token, headers)
      expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
      expect((await count()) - before).toBe(0)
    })
    expect(written).toEqual([])
  })
})

it.each(asking)('%s writes no entry', async (id) => {
  const operation = operations.find((each) => each.id === id) as (typeof operations)[number]
  const token = await credentialFor(operation)
  const call = await callOf(id)
  await deliverMembers()
  const before = await count()
  const answer = await sendSample(server, operation, call, token)
  expect([answer.status, await count()]).toEqual([200, before])
})

it('writes both state changes of an invitation that was approved in advance', async () => {
  const call = await callOf('auth.acceptInvitation')
  await server.world.query('update directory.invitations set approved = true')
  const operation = operations.find((each) => each.id === 'auth.acceptInvitation') as (typeof operations)[number]
  const entries = await entriesOf(await sendSample(server, operation, call, undefined))
  expect(entries.map(({ what, details }) => [what, details.from, details.to])).toEqual([
    ['membership.transitioned accept', 'INVITED', 'PENDING'],
    ['membership.transitioned approve', 'PENDING', 'ACTIVE'],
  ])
})

it('cuts texts, so that the size of an entry does not depend on its cause', () => {
  const caller = { requestId: 'req', actorId: null, centerId: 1 }
  const entry = { type: 'integrity.alarm', action: 'found', target: { type: 'chain', id: 'dpu' } } as const
  const { details } = auditRow(caller, { ...entry, details: { reason: 'x'.repeat(100_000), brokenAt: 7 } })
  expect(details).toEqual({ action: 'found', reason: 'x'.repeat(1000), brokenAt: 7 })
})

it.each(['update cell.seal_entries set action = 2', 'delete from cell.seal_entries', 'truncate cell.seal_entries'])(
  'refuses for every role: %s',
  async (text) => {
    await server.world.query(
      `insert into cell.seal_entries (occurred_at, chain_index, center_id, event_id, action, chain_hash, request)
       values (now(), 0, 1, gen_random_uuid(), 1, sha256(''), '\\x00')`,
    )
    await expect(server.world.query(text)).rejects.toThrow(/append-only/)
  },
)

describe.each(['directory.audit_entries', 'cell.audit_entries'])('%s', (table) => {
  it.each(['update', 'delete', 'truncate'])('refuses %s for every role', async (kind) => {
    const text =
      { update: `update ${table} set type = 'x'`, delete: `delete from ${table}` }[kind] ?? `truncate ${table}`
    if (table.startsWith('cell')) {
      await server.world.query(
        `insert into ${table} (center_id, id, type, occurred_at, request_id, target_type, target_id, details)
         values (1, gen_random_uuid(), 'settings.updated', now(), 'req', 'center', '1', '{}')`,
      )
    }
    await expect(server.world.query(text)).rejects.toThrow(/append-only/)
  })
})
