/** Valid calls of the operations on passkeys. */
import { newId, newUuid } from '@countersign/server/lib/ids.ts'
import { beginRegistration, countingPasskey, registerPasskey, testDevice } from '../../support/passkeys.ts'
import type { TestServer } from '../../support/server.ts'
import type { Person } from '../../support/world.ts'
import type { Cast } from './cast.ts'
import type { Sample } from './sample.ts'

const asAdmin = async (server: TestServer, { admin, center }: Cast): Promise<string> =>
  (await server.signIn(admin, center.domain)).accessToken

/** Each person has few passkeys at a time: those of an earlier sample are removed. */
async function removeAll(server: TestServer, token: string): Promise<void> {
  const { body } = await server.call('GET', '/api/auth/passkeys', { token })
  for (const { id } of body.data) await server.call('DELETE', `/api/auth/passkeys/${id}`, { token })
}

async function memberWithPasskey(server: TestServer, { center }: Cast) {
  const person: Person = await server.world.person()
  await server.world.member(person, center, 'INSTRUCTOR')
  const { id } = await registerPasskey(server, (await server.signIn(person, center.domain)).accessToken)
  await server.services.passkeyOutbox.deliver()
  return { actorId: person.actorId, id }
}

/** Of the only ADMIN of the center. */
async function passkeyOfAdmin(server: TestServer, cast: Cast) {
  const token = await asAdmin(server, cast)
  await removeAll(server, token)
  const { id } = await registerPasskey(server, token)
  await server.services.passkeyOutbox.deliver()
  return { centerId: String(cast.center.id), actorId: cast.admin.actorId, id }
}

async function confirmedByPartner(server: TestServer, cast: Cast): Promise<void> {
  const { centerId, actorId, id } = await passkeyOfAdmin(server, cast)
  const token = (await cast.credential('right', 'partner')) as string
  await server.call('POST', `/api/partner/centers/${centerId}/members/${actorId}/passkeys/${id}/confirm`, { token })
}

/** The staff gets passkeys that count. Other samples need a center with one ADMIN, so the one who confirms leaves. */
async function giveKeys(server: TestServer, { center, admin, instructor }: Cast): Promise<void> {
  const confirming = await server.world.person()
  await server.world.member(confirming, center, 'ADMIN')
  for (const person of [admin, instructor]) {
    await removeAll(server, (await server.signIn(person, center.domain)).accessToken)
    await countingPasskey(server, person, center, confirming)
  }
  await server.world.setMembership(confirming, center, { status: 'ENDED' })
}

export const withKeys = (sample: Sample): Sample => ({
  ...sample,
  async call(server, cast) {
    await giveKeys(server, cast)
    return sample.call(server, cast)
  },
})

const nobody = ({ center }: Cast) => ({
  params: { center: center.domain, actorId: newUuid(), id: newId('passkey') },
})

/** A challenge belongs to the session that asked for it. */
const gone = { status: 409, code: 'CONFLICT' }
const notTheirs = { others: gone, foreign: gone } as const

export const passkeySamples: Readonly<Record<string, Sample>> = {
  'passkeys.list': { call: () => ({}), status: 200 },
  'passkeys.startRegistration': { call: () => ({}), status: 200 },
  'passkeys.attest': {
    async call(server, cast) {
      const token = await asAdmin(server, cast)
      await removeAll(server, token)
      const { publicKey } = (await server.call('POST', '/api/auth/passkeys/register/options', { token })).body.data
      return { token, body: { attestation: testDevice(server).attestation(publicKey.challenge) } }
    },
    status: 200,
    ...notTheirs,
    nowhere: () => ({ body: { attestation: foreignAttestation } }),
  },
  'passkeys.register': {
    async call(server, cast) {
      const device = testDevice(server)
      const token = await asAdmin(server, cast)
      await removeAll(server, token)
      const { publicKey } = await beginRegistration(server, token, device)
      return { token, body: { assertion: device.answer(publicKey.challenge) } }
    },
    status: 201,
    ...notTheirs,
    nowhere: () => ({ body: { assertion: foreignAssertion } }),
  },
  'passkeys.remove': {
    async call(server, cast) {
      const token = await asAdmin(server, cast)
      await removeAll(server, token)
      return { params: { id: (await registerPasskey(server, token)).id } }
    },
    status: 204,
    others: { status: 404, code: 'NOT_FOUND' },
    nowhere: () => ({ params: { id: newId('passkey') } }),
  },
  'passkeys.startLogin': { call: () => ({}), status: 200 },
  'passkeys.login': {
    async call(server, cast) {
      const token = await asAdmin(server, cast)
      await removeAll(server, token)
      const { device, handle } = await registerPasskey(server, token)
      const { publicKey } = (await server.call('POST', '/api/auth/passkeys/login/options')).body.data
      return { body: { assertion: { ...device.answer(publicKey.challenge), userHandle: handle } } }
    },
    status: 200,
  },

  'auth.challengeStepUp': {
    async call(server, cast) {
      const token = await asAdmin(server, cast)
      await removeAll(server, token)
      await registerPasskey(server, token)
      return {}
    },
    status: 200,
    // They have no passkey.
    ...notTheirs,
    // It names nothing: whoever has no passkey gets this answer.
    nowhere: () => ({}),
  },
  'auth.stepUp': { call: (_, { admin }) => ({ body: { password: admin.password } }), status: 200 },

  'memberPasskeys.list': {
    async call(server, cast) {
      const { actorId } = await memberWithPasskey(server, cast)
      return { params: { center: cast.center.domain, actorId } }
    },
    status: 200,
    nowhere: nobody,
  },
  'memberPasskeys.challengeConfirmation': {
    async call(server, cast) {
      await confirmedByPartner(server, cast)
      return { params: { center: cast.center.domain, ...(await memberWithPasskey(server, cast)) } }
    },
    status: 200,
    nowhere: nobody,
  },
  'memberPasskeys.confirm': {
    async call(server, cast) {
      return { params: { center: cast.center.domain, ...(await memberWithPasskey(server, cast)) }, body: {} }
    },
    status: 200,
    nowhere: (cast) => ({ ...nobody(cast), body: {} }),
  },
  'partner.confirmPasskey': {
    async call(server, cast) {
      return { params: await passkeyOfAdmin(server, cast) }
    },
    status: 200,
    foreign: { status: 404, code: 'CENTER_NOT_FOUND' },
    nowhere: () => ({ params: { centerId: '2000000000', actorId: newUuid(), id: newId('passkey') } }),
  },
  'partner.listPasskeys': { call: () => ({}), status: 200 },
  'admin.listPasskeys': { call: () => ({}), status: 200 },
  'admin.confirmPasskey': {
    async call(server, cast) {
      return { params: await passkeyOfAdmin(server, cast) }
    },
    status: 200,
    nowhere: () => ({ params: { centerId: '2000000000', actorId: newUuid(), id: newId('passkey') } }),
  },
  'passkeys.getStanding': { call: () => ({}), status: 200 },
  'adminPasskeys.get': { call: (_, { center }) => ({ params: { center: center.domain } }), status: 200 },
  'adminPasskeys.set': {
    call: (_, { center }) => ({ params: { center: center.domain }, body: { required: false } }),
    status: 200,
  },
}

const clientDataJSON = Buffer.from(
  JSON.stringify({ type: 'webauthn.get', challenge: Buffer.alloc(32, 9).toString('base64url') }),
).toString('base64url')
const foreignAttestation = { id: 'AAAA', clientDataJSON, attestationObject: 'AAAA' }
const foreignAssertion = { id: 'AAAA', clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' }
