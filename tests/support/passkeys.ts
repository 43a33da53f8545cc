/** Passkeys of people in tests: a software authenticator at the host of the test server, and the calls that register it. */
import type { PasskeyAssertion } from '@countersign/proof/passkey.ts'
import { type AnswerOverrides, softwareAuthenticator } from './authenticator.ts'
import type { TestServer } from './server.ts'
import type { Center, Person } from './world.ts'

type Server = Pick<TestServer, 'call' | 'services' | 'signIn'>
export type Device = ReturnType<typeof testDevice>

/** An authenticator at the host of this server. `answer` is an assertion as the API takes it. */
export function testDevice(server: Server, options: Parameters<typeof softwareAuthenticator>[0] = {}) {
  const { rpId, origin } = server.services.passkeyHost
  const device = softwareAuthenticator({ rpId, origin, ...options })
  return {
    ...device,
    attestation(challenge: string, over?: AnswerOverrides) {
      const { id, response } = device.register(challenge, over)
      return { id, ...response }
    },
    answer(challenge: string, over?: AnswerOverrides): { id: string; userHandle?: string } & PasskeyAssertion {
      return { id: device.credentialId, ...device.assert(challenge, over) }
    },
  }
}

const path = '/api/auth/passkeys'
const at = (server: Server, token: string) => (rest: string, body?: object) =>
  server.call('POST', `${path}${rest}`, { token, ...(body && { body }) })

/** The first two requests of a registration. */
export async function beginRegistration(server: Server, token: string, device: Device) {
  const post = at(server, token)
  const { publicKey } = (await post('/register/options')).body.data
  const attested = await post('/register/attestation', { attestation: device.attestation(publicKey.challenge) })
  return { handle: publicKey.user.id as string, ...attested.body.data }
}

export interface Registered {
  readonly id: string
  readonly device: Device
  /** The name of the person at authenticators. */
  readonly handle: string
}

/** Registers a new passkey for a signed-in person, confirmed by an older one if there is one. */
export async function registerPasskey(
  server: Server,
  token: string,
  { device = testDevice(server), older }: { device?: Device; older?: Device } = {},
): Promise<Registered> {
  const { handle, publicKey } = await beginRegistration(server, token, device)
  const assertion = device.answer(publicKey.challenge)
  const confirmation = older && { confirmation: older.answer(publicKey.challenge) }
  const { status, body } = await at(server, token)('/register', { assertion, ...confirmation })
  if (status !== 201) throw new Error(`could not register a passkey: ${JSON.stringify(body)}`)
  return { id: body.data.id, device, handle }
}

/** Registers a passkey, brings it into the centers of the person, and has an ADMIN confirm it in one of them. */
export async function countingPasskey(
  server: Server,
  person: Person,
  center: Center,
  admin: Person,
  device?: Device,
): Promise<Registered> {
  const { accessToken } = await server.signIn(person, center.domain)
  const registered = await registerPasskey(server, accessToken, device && { device })
  await server.services.passkeyOutbox.deliver()
  const { accessToken: token } = await server.signIn(admin, center.domain)
  const confirming = `/api/centers/${center.id}/members/${person.actorId}/passkeys/${registered.id}/confirm`
  const { status, body } = await server.call('POST', confirming, { token, body: {} })
  if (status !== 200) throw new Error(`could not confirm a passkey: ${JSON.stringify(body)}`)
  return registered
}

export async function passkeyLogin(
  server: Server,
  { device, handle }: Pick<Registered, 'device' | 'handle'>,
  body: object = {},
) {
  const { publicKey } = (await server.call('POST', `${path}/login/options`)).body.data
  const assertion = { ...device.answer(publicKey.challenge), userHandle: handle }
  return server.call('POST', `${path}/login`, { body: { assertion, ...body } })
}
