/** Valid calls of the operations on sessions of browsers. */
import { newId } from '@countersign/server/lib/ids.ts'
import { newBrowserKeys } from '../../support/push-service.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample, SampleCall } from './sample.ts'

const signIn = (server: TestServer, { admin, center }: Cast) => server.signIn(admin, center.domain)

/** A request of the browser that holds the session, from the page of the server. */
const inBrowser = async (server: TestServer, cast: Cast): Promise<SampleCall> => ({
  headers: {
    cookie: `refresh_token=${(await signIn(server, cast)).refreshToken}`,
    origin: 'http://countersign.test',
  },
})

export const sessionSamples: Readonly<Record<string, Sample>> = {
  'auth.startSession': {
    call: (_, { admin: { email, password } }) => ({ body: { email, password } }),
    status: 200,
  },
  'auth.refreshSession': { call: inBrowser, status: 200 },
  'auth.switchSession': {
    call: (_, { center }) => ({ body: { centerId: center.id } }),
    status: 200,
    foreign: { status: 403, code: 'NO_MEMBERSHIP' },
    nowhere: () => ({ body: { centerId: 2_000_000_000 } }),
  },
  'auth.endSession': { call: inBrowser, status: 204 },
  'push.get': { call: () => ({}), status: 200 },
  'push.subscribe': {
    call: () => ({
      body: { endpoint: `https://fcm.googleapis.com/fcm/send/${newId('session')}`, keys: newBrowserKeys().keys },
    }),
    status: 204,
  },
  'push.unsubscribe': { call: () => ({}), status: 204 },
  'sessions.list': { call: () => ({}), status: 200 },
  'sessions.end': {
    async call(server, cast) {
      const { accessToken: token } = await signIn(server, cast)
      const { body } = await server.call('GET', '/api/auth/sessions', { token })
      return { params: { id: body.data.find((each: { current: boolean }) => each.current).id } }
    },
    status: 204,
    others: { status: 404, code: 'NOT_FOUND' },
    nowhere: () => ({ params: { id: newId('session') } }),
  },
}
