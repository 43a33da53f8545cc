/** A session whose person signed in long ago: what guards the rules is refused until they show again that it is them. */
import { needsStepUp, type Operation } from '@countersign/contract/operation.ts'
import { operations } from '@countersign/contract/operations.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Cast, gather, kindFor } from './cast.ts'
import { sampleEnv } from './sample.ts'
import { samples } from './samples.ts'
import { sendSample } from './send-sample.ts'

let server: TestServer
let cast: Cast

beforeAll(async () => {
  server = await startServer({ env: sampleEnv })
  cast = await gather(server)
})
afterAll(() => server.close())

const sessionOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid

async function setSignIn(token: string, secondsAgo: number): Promise<void> {
  const sid = sessionOf(token)
  await server.world.query(
    `update directory.sessions set signed_in_at = now() - make_interval(secs => $2), stepped_up_at = null where id = $1`,
    [sid, secondsAgo],
  )
  server.services.authenticate.forget(`session:${sid}`)
}

/** What the body of a sample lacks for the operation to need a step-up. */
const demanding: Readonly<Record<string, object>> = {
  'apiKeys.create': { scopes: ['proof:approve'] },
  'members.import': { roles: ['ADMIN'] },
  'members.invite': { role: 'ADMIN' },
  'memberships.update': { roles: ['ADMIN', 'INSTRUCTOR'] },
  'partnerInvitations.create': { role: 'PARTNER_ADMIN' },
  'partnerAccounts.update': { role: 'PARTNER_ADMIN' },
}

/** Last those that make an ADMIN: other samples are about the only one. */
const guarded = operations
  .filter(({ spec }) => spec.stepUp)
  .toSorted((one, other) => Number(one.id in demanding) - Number(other.id in demanding))

it('declares it for the operations that guard the rules, and for no others', () => {
  const of = (within: string) => guarded.filter(({ spec }) => spec.stepUp?.within === within).map(({ id }) => id)
  expect(of('rules').sort()).toEqual([
    'actionTypes.delete',
    'actionTypes.put',
    'admin.setCenterStatus',
    'admin.updateSubscription',
    'adminPasskeys.set',
    'centerExports.create',
    'decisions.closeEmergency',
    'decisions.setDeputy',
    'domains.add',
    'domains.addAsPartner',
    'domains.remove',
    'domains.removeAsPartner',
    'dpus.redact',
    'freezes.lift',
    'groups.confirm',
    'groups.create',
    'groups.end',
    'groups.update',
    'partner.closeEmergency',
    'partner.liftFreeze',
    'partner.updateCenterPolicy',
    'policies.create',
    'policies.delete',
    'policies.importAsMember',
    'policies.update',
    'signInProviders.add',
    'signInProviders.addAsPartner',
    'signInProviders.remove',
    'signInProviders.removeAsPartner',
    'signInProviders.update',
    'signInProviders.updateAsPartner',
  ])
  expect(of('keys').sort()).toEqual([
    'admin.confirmPasskey',
    'apiKeys.create',
    'apiKeys.rotate',
    'auth.changeEmail',
    'auth.changePassword',
    'auth.changePhone',
    'auth.deleteMe',
    'auth.removePhone',
    'calendarFeed.create',
    'calendarFeed.update',
    'memberPasskeys.confirm',
    'members.import',
    'members.invite',
    'memberships.confirm',
    'memberships.update',
    'partner.confirmMembership',
    'partner.confirmPasskey',
    'partner.nameCenterAdmin',
    'partnerAccounts.end',
    'partnerAccounts.update',
    'partnerInvitations.create',
    'passkeys.startRegistration',
  ])
})

describe.each(guarded.map((operation) => [operation.id, operation] as const))('%s', (id, operation: Operation) => {
  it('is refused after its time, and accepted after a step-up', async () => {
    const made = await samples[id]?.call(server, cast)
    const body = demanding[id] ? { ...(made?.body as object), ...demanding[id] } : made?.body
    const call = { ...made, ...(body !== undefined && { body }) }
    const token = made?.token ?? ((await cast.credential('right', kindFor(operation.spec.access))) as string)
    const { stepUp } = operation.spec
    expect(stepUp && needsStepUp(stepUp, body)).toBe(true)
    const seconds = stepUp?.within === 'keys' ? 300 : 900
    await setSignIn(token, seconds + 2)
    const headers = { 'idempotency-key': `step-up-${id}` }
    const refused = await sendSample(server, operation, call, token, headers)
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      { reason: 'stepUp' },
    ])
    const person = operation.spec.access.kind === 'partner' ? cast.partnerAdmin : cast.admin
    const stepped = await server.call('POST', '/api/auth/step-up', { token, body: { password: person.password } })
    expect([id, stepped.status]).toEqual([id, 200])
    const { status } = await sendSample(server, operation, call, token, headers)
    expect(status).toBe(samples[id]?.status)
  })
})

it('asks nothing for a key without approvals and for a member without rules', async () => {
  const token = (await cast.credential('right', 'actor')) as string
  await setSignIn(token, 20 * 86_400)
  const key = await server.call('POST', '/api/api-keys', { token, body: { name: 'recorder', scopes: ['proof:write'] } })
  const path = `/api/centers/${cast.center.id}/members`
  const member = await server.call('POST', path, { token, body: { email: 'new@haneul.example', role: 'INSTRUCTOR' } })
  expect([key.status, member.status]).toEqual([201, 201])
})
