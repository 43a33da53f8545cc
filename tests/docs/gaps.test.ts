/** Answers of docs/gaps.md that span several features. */
import * as auth from '@countersign/contract/auth.ts'
import * as centers from '@countersign/contract/centers.ts'
import * as decisionEvents from '@countersign/contract/decision-events.ts'
import { openApiDocument } from '@countersign/contract/openapi.ts'
import { operations } from '@countersign/contract/operations.ts'
import * as provisioning from '@countersign/contract/provisioning.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await server.world.key(await server.world.center())
})
afterAll(() => server.close())

describe('planned operations', () => {
  it.each([
    ['DELETE', '/api/partner/centers/1'],
    ['POST', '/api/partner/members/invite'],
    ['POST', '/api/workflows'],
    ['PATCH', '/api/workflows/w'],
    ['DELETE', '/api/workflows/w'],
  ])('%s %s is not routed: 404 in the shape of the platform', async (method, path) => {
    const { status, body } = await server.call(method, path, { body: {} })
    expect([status, body.success, body.error.code]).toEqual([404, false, 'NOT_FOUND'])
  })
})

describe('paths of the learning management system', () => {
  it.each(['/api/heartbeat', '/api/hrd/status', '/api/attendance/sessions'])('%s is not served', async (path) => {
    expect((await server.call('GET', path)).status).toBe(404)
  })
})

it('only the listed operations are public', () => {
  const open = operations.filter(({ spec }) => spec.access.kind === 'public').map(({ id }) => id)
  expect(open.sort()).toEqual([
    'auth.acceptInvitation',
    'auth.confirmOidcLink',
    'auth.confirmSignUp',
    'auth.endSession',
    'auth.finishOidcLogin',
    'auth.listSignInOptions',
    'auth.login',
    'auth.mailOidcLink',
    'auth.readInvitation',
    'auth.redeemHandoff',
    'auth.refreshSession',
    'auth.refreshToken',
    'auth.requestPasswordReset',
    'auth.resetPassword',
    'auth.signUp',
    'auth.startHandoff',
    'auth.startOidcLogin',
    'auth.startSession',
    'auth.verifySsoToken',
    // The address is the secret.
    'calendarFeed.read',
    'centers.getInfo',
    'centers.search',
    'evidence.getContext',
    'logs.get',
    'passkeys.login',
    'passkeys.startLogin',
    'provisioning.listCenterPlans',
    'provisioning.listLmsPlans',
    'publicVerification.verify',
    'system.checkLive',
    'system.checkReady',
    'system.getHome',
    'system.getJwks',
    'system.getOpenApi',
    'whitelabel.getConfig',
  ])
})

describe('the API version', () => {
  it('is in the OpenAPI description', () => {
    expect(openApiDocument()).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
  })

  it('cannot be chosen by a header or a parameter', async () => {
    const event = (headers: Record<string, string>, query = '') =>
      server.call('POST', `/api/v1/decision-events${query}`, { token: key, headers, body: sampleEvent() })
    const plain = Object.keys((await event({})).body.data)
    for (const name of ['accept-version', 'api-version', 'x-api-version']) {
      expect(Object.keys((await event({ [name]: '2' })).body.data)).toEqual(plain)
    }
    expect(Object.keys((await event({}, '?version=2')).body.data)).toEqual(plain)
    expect((await server.call('POST', '/api/v2/decision-events', { token: key, body: sampleEvent() })).status).toBe(404)
  })
})

describe('fields', () => {
  const fieldsOf = (schema: unknown): string[] =>
    Object.entries((schema as { properties: Record<string, { properties?: object }> }).properties).flatMap(
      ([name, field]) => [name, ...(field.properties ? fieldsOf(field).map((inner) => `${name}.${inner}`) : [])],
    )

  // Copied verbatim from the tables of the specification, parts 2.2, 2.3, 2.4, 2.6, 2.8 and 4.7.
  it.each([
    ['AuthResponse', auth.AuthSession, 'accessToken refreshToken expiresIn actor.id actor.email actor.name actor.role'],
    ['Membership', auth.Membership, 'id centerId centerName centerDomain role status invitedAt endedAt'],
    ['Center', centers.Center, 'id name centerDomain tenantType status vertical memberCount settings'],
    ['Subscription', provisioning.Subscription, 'planId planName status currentPeriodEnd seatLimit seatUsed'],
    [
      'decision event',
      decisionEvents.DecisionEvent,
      'id decisionId type status actor.id actor.type actor.name action.type action.description action.input action.output aiContext.model aiContext.provider aiContext.confidence aiContext.reasoning tags occurredAt evidence.id evidence.status evidence.chainHash evidence.chainIndex createdAt updatedAt',
    ],
    [
      'decision event in a list',
      decisionEvents.DecisionEventSummary,
      'id decisionId type status actor action.type tags createdAt updatedAt',
    ],
  ])('include all fields of the specification: %s', (_, schema, specified) => {
    expect(fieldsOf(schema)).toEqual(expect.arrayContaining(specified.split(' ')))
  })

  it('are refused in bodies and in lists of ours when unknown, and ignored in other queries', async () => {
    const body = { ...sampleEvent(), idempotencykey: 'a typo' }
    const refused = await server.call('POST', '/api/v1/decision-events', { token: key, body })
    expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, 'idempotencykey'])
    const statuses = []
    for (const path of ['decision-events', 'webhooks', 'chains/proof/entries']) {
      statuses.push((await server.call('GET', `/api/v1/${path}?utm_source=mail`, { token: key })).status)
    }
    expect(statuses).toEqual([422, 200, 422])
  })
})
