/** One valid call of every operation, in the center of the cast. An operation without one fails the matrix. */
import { newId } from '@countersign/server/lib/ids.ts'
import { sampleEvent } from '../../support/samples.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'
import { centerSamples } from './samples-of-centers.ts'
import { emergencySamples } from './samples-of-emergencies.ts'
import { familySamples } from './samples-of-families.ts'
import { memberSamples } from './samples-of-members.ts'
import { operatorSamples } from './samples-of-operators.ts'
import { partnerSamples } from './samples-of-partners.ts'
import { passkeySamples } from './samples-of-passkeys.ts'
import { proofSamples } from './samples-of-proof.ts'
import { sessionSamples } from './samples-of-sessions.ts'
import { signInSamples } from './samples-of-sign-in.ts'
import { webhookSamples } from './samples-of-webhooks.ts'
import { workflowSamples } from './samples-of-workflows.ts'

const plain = (status = 200): Sample => ({ call: () => ({}), status })

const signedInAsAdmin = (server: TestServer, cast: Cast) => server.signIn(cast.admin, cast.center.domain)

export const samples: Readonly<Record<string, Sample>> = {
  'auth.login': {
    call: (_, { admin: { email, password } }) => ({ body: { email, password } }),
    status: 200,
  },
  'auth.getMe': plain(),
  'auth.switchCenter': {
    call: (_, { center }) => ({ body: { centerId: center.id } }),
    status: 200,
    foreign: { status: 403, code: 'NO_MEMBERSHIP' },
    nowhere: () => ({ body: { centerId: 2_000_000_000 } }),
  },
  'auth.refreshToken': {
    call: async (server, cast) => ({ body: { refreshToken: (await signedInAsAdmin(server, cast)).refreshToken } }),
    status: 200,
  },
  'auth.createSsoToken': { call: () => ({ body: { targetApp: 'lms' } }), status: 200 },
  'auth.verifySsoToken': {
    async call(server, cast) {
      const { accessToken: token } = await signedInAsAdmin(server, cast)
      const made = await server.call('POST', '/api/auth/sso/token', { token, body: { targetApp: 'lms' } })
      return { body: { token: made.body.data.token } }
    },
    status: 200,
  },
  'auth.logout': plain(204),
  ...sessionSamples,

  ...memberSamples,
  ...familySamples,
  ...passkeySamples,
  ...signInSamples,
  ...centerSamples,
  ...partnerSamples,
  ...operatorSamples,

  'apiKeys.create': { call: () => ({ body: { name: 'another', scopes: ['proof:read'] } }), status: 201 },
  'apiKeys.list': plain(),
  'apiKeys.getOwn': plain(),
  'apiKeys.rotate': {
    async call(server, cast) {
      const { accessToken: token } = await signedInAsAdmin(server, cast)
      const body = { name: 'to be rotated', scopes: ['proof:read'] }
      const made = await server.call('POST', '/api/api-keys', { token, body })
      return { params: { id: made.body.data.id }, body: {} }
    },
    status: 201,
    nowhere: () => ({ params: { id: newId('apiKey') }, body: {} }),
  },
  'apiKeys.revoke': {
    async call(server, cast) {
      const { accessToken: token } = await signedInAsAdmin(server, cast)
      const body = { name: 'to be revoked', scopes: ['proof:read'] }
      const made = await server.call('POST', '/api/api-keys', { token, body })
      return { params: { id: made.body.data.id } }
    },
    status: 204,
    nowhere: () => ({ params: { id: newId('apiKey') } }),
  },

  'decisionEvents.record': { call: () => ({ body: sampleEvent() }), status: 201 },
  'decisionEvents.list': plain(),
  ...proofSamples,
  ...emergencySamples,
  ...webhookSamples,
  'console.listInbox': plain(),
  'console.getToday': plain(),
  'console.getNotices': plain(),
  'decisions.getDeputies': plain(),
  'search.decisions': { call: () => ({ query: 'q=%ED%99%98%EB%B6%88' }), status: 200 },
  'search.all': { call: () => ({ query: 'q=%ED%99%98%EB%B6%88' }), status: 200 },
  'views.list': plain(),
  'views.put': {
    call: () => ({ body: { name: 'Refunds', filters: { tag: 'refunds' } } }),
    status: 200,
    namesNothing: true,
  },
  'views.delete': {
    async call(server, cast) {
      const { accessToken: token } = await signedInAsAdmin(server, cast)
      const body = { name: 'To be deleted', filters: { waiting: true }, shared: true }
      const saved = await server.call('PUT', '/api/views', { token, body })
      return { params: { id: saved.body.data.id } }
    },
    status: 204,
    others: { status: 403, code: 'FORBIDDEN' },
    nowhere: () => ({ params: { id: newId('savedView') } }),
  },
  'console.getOversight': plain(),
  'console.listOversightGroups': { call: () => ({ query: 'by=policy' }), status: 200 },
  'console.listAgents': plain(),
  'console.getTrace': {
    async call(server, { center }) {
      const token = await server.world.key(center)
      const { body } = await server.call('POST', '/api/v1/decision-events', { token, body: sampleEvent() })
      return { params: { id: body.data.id } }
    },
    status: 200,
    nowhere: () => ({ params: { id: newId('decisionEvent') } }),
  },
  'console.getIntegrity': plain(),
  'chains.listEntriesAsMember': { call: () => ({ params: { domain: 'proof' } }), status: 200, namesNothing: true },
  'console.dryRunPolicy': {
    call: () => ({
      body: { policy: { name: 'tried', match: { actionTypes: ['*'] }, guards: { humanReview: true } } },
    }),
    status: 200,
  },
  'partner.getIntegrity': plain(),
  'partner.listFreezes': plain(),
  ...workflowSamples,

  'system.getHome': plain(),
  'system.checkLive': plain(),
  'system.checkReady': plain(),
  'system.getJwks': plain(),
  'system.getOpenApi': plain(),
}
