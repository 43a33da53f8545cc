import { operations } from '@countersign/contract/operations.ts'
import { expect, it } from 'vitest'
import { startServer } from '../support/server.ts'
import { fuzz } from './requests.ts'

/**
 * Random requests cannot create the state that these need: a mailed token, a membership in the right state, a slot, the
 * caller's own id, two ids that belong together, a path of a record, an index in a chain. These have their own tests.
 */
const needState = new Set([
  'auth.acceptInvitation',
  'auth.acceptOwnInvitation',
  'auth.readInvitation',
  'auth.deleteMe',
  'auth.confirmSignUp',
  'auth.resetPassword',
  'auth.confirmEmail',
  'auth.confirmPhone',
  'memberships.accept',
  'memberships.leave',
  'memberships.decline',
  'memberships.approve',
  'memberships.suspend',
  'memberships.reinstate',
  'memberships.end',
  'memberships.reject',
  'memberships.reinvite',
  'memberships.update',
  'memberships.confirm',
  'partner.confirmMembership',
  'freezes.lift',
  'partner.createFreeze',
  'partner.liftFreeze',
  'children.create',
  'guardianships.invite',
  'guardianships.endAsCenter',
  'guardianships.accept',
  'guardianships.end',
  'provisioning.createCenter',
  'bookings.create',
  'bookings.cancel',
  'bookings.cancelWithReason',
  'bookings.move',
  'bookings.markAttended',
  'bookings.markNoShow',
  'closures.remove',
  'bookingSeries.preview',
  'bookingWaits.create',
  'bookingWaits.delete',
  'views.delete',
  'calendarFeed.update',
  'calendarFeed.read',
  'decisions.ask',
  'bookingSeries.create',
  'bookingSeries.get',
  'holidays.adopt',
  'webhooks.listAttempts',
  'webhooks.getRecovery',
  'dpus.redact',
  'workflows.execute',
  'executions.list',
  'executions.get',
  'executions.cancel',
  'chains.getInclusionProof',
  'chains.getConsistencyProof',
  // A decision that waits for this caller's approval, an emergency approval, a question of another gateway, a sandbox.
  'decisions.challengeApproval',
  'decisions.approve',
  'decisions.takeBackApproval',
  'decisions.challengeConfirmation',
  'decisions.confirm',
  'decisions.closeEmergency',
  'partner.closeEmergency',
  'agents.requestApproval',
  'sandboxes.refresh',
  'sandboxes.refreshAsMember',
  'sandboxes.end',
  'sandboxes.endAsMember',
  'testPeople.list',
  'testPeople.approve',
  // A provider of sign-in that answers, a name in DNS, an export that is complete.
  'auth.startOidcLogin',
  'auth.finishOidcLogin',
  'auth.linkOidcAccount',
  'auth.unlinkOidcAccount',
  'auth.mailOidcLink',
  'auth.confirmOidcLink',
  'auth.startHandoff',
  'auth.issueHandoffCode',
  'auth.redeemHandoff',
  'domains.check',
  'domains.remove',
  'domains.checkAsPartner',
  'domains.removeAsPartner',
  'signInProviders.add',
  'signInProviders.update',
  'signInProviders.check',
  'signInProviders.remove',
  'signInProviders.addAsPartner',
  'signInProviders.updateAsPartner',
  'signInProviders.checkAsPartner',
  'signInProviders.removeAsPartner',
  'centerExports.getFile',
  'centerExports.download',
  // A signature of a passkey, or a passkey that was registered with one.
  'passkeys.attest',
  'passkeys.register',
  'passkeys.remove',
  'passkeys.login',
  'memberPasskeys.challengeConfirmation',
  'memberPasskeys.confirm',
  'partner.confirmPasskey',
  'partner.nameCenterAdmin',
])

// A dozen for each operation on average; operations with large bodies get more of them than others.
const count = 12 * operations.length

it('answers generated requests within the contract, without server errors and without internals', {
  timeout: 600_000,
}, async () => {
  const server = await startServer()
  const report = await fuzz({ ...server, publicUrl: server.services.config.publicUrl }, { count, seed: 20261115 })
  const complaints = server.logs.filter((line) => Number(JSON.parse(line).level) >= 50)
  await server.close()
  expect(report.failure).toBeNull()
  expect(complaints).toEqual([])
  expect(report.requests).toBeGreaterThanOrEqual(count)
  // A run whose requests are all refused would prove nothing. Some operations have no success by
  // chance.
  const succeeded = operations.filter(({ id }) =>
    [...(report.reached.get(id)?.keys() ?? [])].some((status) => status < 300),
  )
  const idle = operations.filter((operation) => !succeeded.includes(operation) && !needState.has(operation.id))
  expect(idle.length, `no request succeeded for ${idle.map(({ id }) => id).join(', ')}`).toBeLessThan(
    operations.length / 4,
  )
  // One in a hundred is left out by chance.
  const missed = operations.filter(({ id }) => !report.reached.has(id)).map(({ id }) => id)
  expect(missed.length, `no request for ${missed.join(', ')}`).toBeLessThan(operations.length / 100)
  const statuses = Object.keys(report.byStatus).map(Number)
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 409, 422]))
})
