import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerOverrides, softwareAuthenticator } from '../../../../../../tests/support/authenticator.ts'
import {
  beginRegistration,
  type Device,
  passkeyLogin,
  registerPasskey,
  testDevice,
} from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'
import { mostPasskeys } from '../register.ts'

const path = '/api/auth/passkeys'
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const session = async (person?: Person): Promise<string> =>
  (await server.signIn(person ?? (await server.world.person()))).accessToken

const post = async (token: string, rest: string, body?: object): Promise<[number, string | undefined, string]> => {
  const { status, body: said } = await server.call('POST', `${path}${rest}`, { token, ...(body && { body }) })
  return [status, said.error?.code, said.error?.message ?? '']
}
const register = async (token: string, body: object) => (await post(token, '/register', body)).slice(0, 2)

const creation = async (token: string): Promise<string> =>
  (await server.call('POST', `${path}/register/options`, { token })).body.data.publicKey.challenge

const later = async <T>(seconds: number, work: () => Promise<T>): Promise<T> => {
  const restore = useClock(() => Date.now() + seconds * 1000)
  try {
    return await work()
  } finally {
    restore()
  }
}

describe('201', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)('a key of the algorithm %s, which then signs in', async (algorithm) => {
    const token = await session()
    const device = testDevice(server, { algorithm, backupEligible: true, backedUp: true })
    const registered = await registerPasskey(server, token, { device })
    const [shown] = (await server.call('GET', path, { token })).body.data
    expect(shown).toMatchObject({ id: registered.id, confirmation: 'mail', backupEligible: true, lastUsedAt: null })
    expect(shown.thumbprint).toBe(device.thumbprint)
    expect((await passkeyLogin(server, registered)).status).toBe(200)
  })

  it('asks for discoverable keys of three algorithms, verified by the authenticator, and none that the person has', async () => {
    const token = await session()
    const { device } = await registerPasskey(server, token)
    const { publicKey } = (await server.call('POST', `${path}/register/options`, { token })).body.data
    expect(publicKey.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-7, -8, -257])
    expect(publicKey.authenticatorSelection).toMatchObject({ residentKey: 'required', userVerification: 'required' })
    expect([publicKey.attestation, publicKey.timeout, publicKey.rp.id]).toEqual(['none', 300_000, 'countersign.test'])
    expect(publicKey.excludeCredentials).toEqual([
      { id: device.credentialId, type: 'public-key', transports: ['internal'] },
    ])
    expect(Buffer.from(publicKey.challenge, 'base64url')).toHaveLength(32)
    expect(Buffer.from(publicKey.user.id, 'base64url')).toHaveLength(32)
  })

  it('is audited, and told by mail in the language of the center', async () => {
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center)
    const { accessToken } = await server.signIn(person, center.domain)
    const { id } = await registerPasskey(server, accessToken)
    await expect.poll(() => server.logs.join('')).toContain('[Countersign] 계정에 패스키가 등록되었습니다')
    const audited = await server.world.query(
      `select details from directory.audit_entries where target_id = $1 and actor_id = $2`,
      [id, person.actorId],
    )
    expect(audited).toEqual([{ details: { action: 'passkey.registered', confirmed: 'mail' } }])
  })

  it('is confirmed by an older passkey of the same person', async () => {
    const token = await session()
    const older = await registerPasskey(server, token)
    await registerPasskey(server, token, { older: older.device })
    const { body } = await server.call('GET', path, { token })
    expect(body.data.map((each: { confirmation: string }) => each.confirmation)).toEqual(['mail', 'passkey'])
  })
})

describe('403 FORBIDDEN', () => {
  it('a sign-in that is older than five minutes, also after a refresh or after entering a center', async () => {
    const center = await server.world.center()
    const person = await server.world.person()
    await server.world.member(person, center)
    const { accessToken, refreshToken } = await server.signIn(person, center.domain)
    await later(301, async () => {
      const refused = [403, 'FORBIDDEN']
      expect((await post(accessToken, '/register/options')).slice(0, 2)).toEqual(refused)
      const renewed = await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })
      expect((await post(renewed.body.data.accessToken, '/register/options')).slice(0, 2)).toEqual(refused)
      const token = renewed.body.data.accessToken
      const entered = await server.call('POST', '/api/auth/switch-center', { token, body: { centerId: center.id } })
      expect((await post(entered.body.data.accessToken, '/register/options')).slice(0, 2)).toEqual(refused)
    })
  })
})

describe('409 CONFLICT', () => {
  const gone = [409, 'CONFLICT']

  it('a challenge that was used, has expired, or belongs to another session', async () => {
    const [person, device] = [await server.world.person(), testDevice(server)]
    const [token, other] = [await session(person), await session(person)]
    const attestation = device.attestation(await creation(token))
    expect((await post(token, '/register/attestation', { attestation }))[0]).toBe(200)
    expect((await post(token, '/register/attestation', { attestation })).slice(0, 2)).toEqual(gone)
    const foreign = { attestation: device.attestation(await creation(other)) }
    expect((await post(token, '/register/attestation', foreign)).slice(0, 2)).toEqual(gone)
    const old = { attestation: device.attestation(await creation(token)) }
    await later(301, async () => {
      expect((await post(token, '/register/attestation', old)).slice(0, 2)).toEqual(gone)
    })
  })

  it('a statement that was signed before, has expired, or belongs to another session', async () => {
    const [person, device] = [await server.world.person(), testDevice(server)]
    const [token, other] = [await session(person), await session(person)]
    const { publicKey } = await beginRegistration(server, token, device)
    const assertion = device.answer(publicKey.challenge)
    expect(await register(other, { assertion })).toEqual(gone)
    expect(await later(301, () => register(token, { assertion }))).toEqual(gone)
    expect(await register(token, { assertion })).toEqual([201, undefined])
    expect(await register(token, { assertion })).toEqual(gone)
  })

  it('the challenge of a sign-in', async () => {
    const [token, device] = [await session(), testDevice(server)]
    const { publicKey } = (await server.call('POST', `${path}/login/options`)).body.data
    expect(await register(token, { assertion: device.answer(publicKey.challenge) })).toEqual(gone)
    const attestation = device.attestation(publicKey.challenge)
    expect((await post(token, '/register/attestation', { attestation })).slice(0, 2)).toEqual(gone)
  })

  it('a challenge that is for the other step', async () => {
    const [token, device] = [await session(), testDevice(server)]
    expect(await register(token, { assertion: device.answer(await creation(token)) })).toEqual(gone)
    const { publicKey } = await beginRegistration(server, token, device)
    const attestation = device.attestation(publicKey.challenge)
    expect((await post(token, '/register/attestation', { attestation })).slice(0, 2)).toEqual(gone)
  })

  /** Ends a registration with whatever key the device shows. */
  const attempt = async (token: string, device: Device, over: AnswerOverrides = {}, id = device.credentialId) => {
    const attestation = { ...device.attestation(await creation(token), over), id }
    const { body } = await server.call('POST', `${path}/register/attestation`, { token, body: { attestation } })
    return register(token, { assertion: { ...device.answer(body.data.publicKey.challenge), id } })
  }

  it('a passkey that is bound to another person, also after its removal', async () => {
    const [token, other] = [await session(), await session()]
    const { id, device } = await registerPasskey(server, token)
    expect(await attempt(other, device)).toEqual(gone)
    await server.call('DELETE', `${path}/${id}`, { token })
    expect(await attempt(other, device)).toEqual(gone)
    expect(await attempt(token, device)).toEqual(gone)
  })

  it('a key that is bound to another person under another credential id', async () => {
    const { device } = await registerPasskey(server, await session())
    const renamed = randomBytes(16)
    const reshape = (bytes: Buffer) => {
      renamed.copy(bytes, 37 + 16 + 2)
      return bytes
    }
    expect(await attempt(await session(), device, { reshape }, renamed.toString('base64url'))).toEqual(gone)
  })

  it('more passkeys than a person may have', async () => {
    const token = await session()
    const last = testDevice(server)
    const { publicKey } = await beginRegistration(server, token, last)
    for (let n = 0; n < mostPasskeys; n++) await registerPasskey(server, token)
    expect(await register(token, { assertion: last.answer(publicKey.challenge) })).toEqual(gone)
    expect((await post(token, '/register/options')).slice(0, 2)).toEqual(gone)
  })

  it('all but one of fifty concurrent answers', async () => {
    const [token, device] = [await session(), testDevice(server)]
    const { publicKey } = await beginRegistration(server, token, device)
    const assertion = device.answer(publicKey.challenge)
    const answers = await Promise.all(Array.from({ length: 50 }, () => register(token, { assertion })))
    expect(answers.filter(([status]) => status === 201)).toHaveLength(1)
    expect(answers.filter(([status]) => status === 409)).toHaveLength(49)
  })
})

describe('400 VALIDATION_ERROR', () => {
  // The last four bytes of its COSE key are the exponent, with its length.
  const rsa = softwareAuthenticator({ algorithm: 'RS256' }).cose
  const replaced = (cose: Buffer) => (device: Device) => ({
    reshape: (bytes: Buffer) => Buffer.concat([bytes.subarray(0, bytes.length - device.cose.length), cose]),
  })
  const withExponent = (hex: string) => Buffer.concat([rsa.subarray(0, rsa.length - 4), Buffer.from(hex, 'hex')])

  it.each<[string, (device: Device) => AnswerOverrides, RegExp]>([
    ['an RSA key with the exponent 1', replaced(withExponent('4101')), /its key isn't accepted/],
    ['an RSA key with the exponent 3', replaced(withExponent('4103')), /its key isn't accepted/],
    ['bytes after the key', (device) => replaced(Buffer.concat([device.cose, Buffer.from([0])]))(device), /./],
    ['another origin', () => ({ origin: 'http://evil.test' }), /origin/],
    ['another host', () => ({ rpId: 'evil.test' }), /RP ID/],
    ['a person who was not verified', () => ({ flags: 1 | 64 }), /verif/],
    ['nobody present', () => ({ flags: 4 | 64 }), /present/],
    ['the type of a sign-in', () => ({ type: 'webauthn.get' }), /type/],
    ['a frame of another page', () => ({ clientData: { crossOrigin: true } }), /another site/],
    ['a frame, without crossOrigin', () => ({ clientData: { topOrigin: 'http://evil.test' } }), /another site/],
  ])('a credential with %s', async (_, over, why) => {
    const [token, device] = [await session(), testDevice(server)]
    const attestation = device.attestation(await creation(token), over(device))
    const [status, code, message] = await post(token, '/register/attestation', { attestation })
    expect([status, code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(message).toMatch(why)
  })

  it('a key that its owner never held: the attestation shows a foreign public key, and nobody signs', async () => {
    const [token, own, foreign] = [await session(), testDevice(server), testDevice(server)]
    const attestation = own.attestation(await creation(token), replaced(foreign.cose)(own))
    const { body } = await server.call('POST', `${path}/register/attestation`, { token, body: { attestation } })
    expect(body.data.statement.thumbprint).toBe(foreign.thumbprint)
    const assertion = own.answer(body.data.publicKey.challenge)
    expect(await register(token, { assertion })).toEqual([400, 'VALIDATION_ERROR'])
    expect((await server.call('GET', path, { token })).body.data).toEqual([])
  })

  it('a confirmation by a passkey of another person, by the new key itself, or by an unknown one', async () => {
    const [token, device] = [await session(), testDevice(server)]
    const others = [(await registerPasskey(server, await session())).device, device, testDevice(server)]
    for (const other of others) {
      const { publicKey } = await beginRegistration(server, token, device)
      const body = { assertion: device.answer(publicKey.challenge), confirmation: other.answer(publicKey.challenge) }
      expect(await register(token, body)).toEqual([400, 'VALIDATION_ERROR'])
    }
  })
})

describe('removing', () => {
  it('404 for a passkey of another person, an unknown one and a removed one', async () => {
    const token = await session()
    const { id } = await registerPasskey(server, token)
    const remove = async (by: string) => (await server.call('DELETE', `${path}/${id}`, { token: by })).status
    expect([await remove(await session()), await remove(token), await remove(token)]).toEqual([404, 204, 404])
  })
})
