/** Every way in which an answer of a passkey is refused, for all that a passkey signs. */
import { type ConfirmStatement, challengeOf } from '@countersign/proof/passkey.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerOverrides } from '../../../../../../tests/support/authenticator.ts'
import {
  beginRegistration,
  countingPasskey,
  type Device,
  type Registered,
  registerPasskey,
  testDevice,
} from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { typedId } from '../../../../lib/ids.ts'
import { countingPasskeys, passkeyRows, requestOptions, verifyPasskey } from '../api.ts'

let server: TestServer
let center: Center
let admin: Person
let person: Person
let own: Registered

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  ;[admin, person] = [await server.world.person(), await server.world.person()]
  await server.world.member(admin, center, 'ADMIN')
  await server.world.member(person, center, 'INSTRUCTOR')
  own = await countingPasskey(server, person, center, admin)
})
afterAll(() => server.close())

const changed = (text: string, change: (bytes: Buffer) => Buffer): string =>
  change(Buffer.from(text, 'base64url')).toString('base64url')

type Answer = ReturnType<Device['answer']>
interface Case extends AnswerOverrides {
  /** Changes the answer after the signature. */
  readonly after?: (answer: Answer) => Answer
  readonly fault: RegExp
}

const twice = (member: string) => (text: string) => text.replace('"challenge"', `"${member}":"AAAA","challenge"`)

/** The last character of 43 carries four spare bits: another one decodes to the same bytes. */
const respelled = (text: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const spare = text.length % 4 === 0 ? 0 : 1
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1) as string) + spare]
}

const cases: Readonly<Record<string, Case>> = {
  'another origin': { origin: 'http://evil.test', fault: /origin/ },
  'another port of the host': { origin: 'http://countersign.test:81', fault: /origin/ },
  'another host': { rpId: 'evil.test', fault: /host/ },
  'a frame of another page': { clientData: { crossOrigin: true }, fault: /framed/ },
  'a frame, without crossOrigin': { clientData: { topOrigin: 'http://evil.test' }, fault: /framed/ },
  'the type of a registration': { type: 'webauthn.create', fault: /type/ },
  'nobody present': { flags: 4, fault: /user/ },
  'a person who was not verified': { flags: 1, fault: /user/ },
  'another backup flag than at registration': { flags: 1 | 4 | 8, fault: /backup/ },
  'backed up without being eligible': { flags: 1 | 4 | 16, fault: /authenticator-data/ },
  'a key inside': { flags: 1 | 4 | 64, fault: /authenticator-data/ },
  'bytes after the counter': {
    reshape: (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
    fault: /authenticator-data/,
  },
  'a byte less': { reshape: (bytes) => bytes.subarray(0, 36), fault: /authenticator-data/ },
  'the challenge twice': { rewrite: twice('challenge'), fault: /client-data/ },
  'the challenge twice, once escaped': { rewrite: twice('\\u0063hallenge'), fault: /client-data/ },
  'a byte order mark': { rewrite: (text) => `\uFEFF${text}`, fault: /client-data|doesn't contain a challenge/ },
  'a byte after the signature': {
    after: (answer) => ({
      ...answer,
      signature: changed(answer.signature, (b) => Buffer.concat([b, Buffer.from([0])])),
    }),
    fault: /signature/,
  },
  'a signature with a longer integer': {
    after: (answer) => ({
      ...answer,
      signature: changed(answer.signature, (bytes) => {
        const length = bytes[3] as number
        const padded = Buffer.concat([bytes.subarray(0, 4), Buffer.from([0]), bytes.subarray(4)])
        padded[1] = (bytes[1] as number) + 1
        padded[3] = length + 1
        return padded
      }),
    }),
    fault: /signature/,
  },
  'a second spelling': {
    after: (answer) => ({ ...answer, authenticatorData: respelled(answer.authenticatorData) }),
    fault: /spelling/,
  },
  'other data than were signed': {
    after: (answer) => ({
      ...answer,
      authenticatorData: changed(answer.authenticatorData, (bytes) => {
        bytes[36] = 9
        return bytes
      }),
    }),
    fault: /signature/,
  },
}

const answered = (device: Device, challenge: string, { after, fault: _, ...over }: Case): Answer => {
  const answer = device.answer(challenge, over)
  return after ? after(answer) : answer
}

const statement = (): ConfirmStatement => ({
  ...{ type: 'countersign-passkey-confirm-v1', log: 'log.test/c/1/history', actorId: admin.actorId, thumbprint: 'x' },
  ...{ confirmerId: person.actorId, rpId: 'countersign.test', nonce: String(Math.random()), issuedAt: 'now' },
})

function verified(device: Device, one: Case | null, said: ConfirmStatement = statement()) {
  const challenge = Buffer.from(challengeOf(said)).toString('base64url')
  const assertion = one ? answered(device, challenge, one) : device.answer(challenge)
  const needs = { directory: server.services.directory, host: server.services.passkeyHost }
  const caller = { requestId: 'req_test', actorId: person.actorId, centerId: center.id }
  return verifyPasskey(needs, caller, { actorId: person.actorId, statement: said, assertion })
}

describe('a statement', () => {
  it('is accepted with a good answer, and names the passkey', async () => {
    expect(typedId('passkey', await verified(own.device, null))).toBe(own.id)
  })

  it.each(Object.entries(cases))('is refused with %s', async (_, one) => {
    await expect(verified(own.device, one)).rejects.toThrow(one.fault)
  })

  it('is refused where another statement was signed', async () => {
    const other = Buffer.from(challengeOf(statement())).toString('base64url')
    const answer = own.device.answer(other)
    await expect(verified(own.device, { after: () => answer, fault: /./ })).rejects.toThrow(/challenge/)
  })

  it.each([
    ['an unknown passkey', async () => testDevice(server)],
    ['a passkey of another person', async () => (await registerPasskey(server, await signedIn(admin))).device],
    [
      'another key under this credential',
      async (): Promise<Device> => ({
        ...testDevice(server),
        answer: (c) => ({ ...testDevice(server).answer(c), id: own.device.credentialId }),
      }),
    ],
  ])('is refused by %s', async (_, device) => {
    await expect(verified(await device(), null)).rejects.toThrow(/isn't yours|signature/)
  })

  it('is refused by a passkey that was removed', async () => {
    const token = await signedIn(person)
    const gone = await registerPasskey(server, token)
    await server.call('DELETE', `/api/auth/passkeys/${gone.id}`, { token })
    await expect(verified(gone.device, null)).rejects.toThrow(/removed/)
  })

  it('is refused with a counter that does not rise', async () => {
    const token = await signedIn(person)
    const { device } = await registerPasskey(server, token)
    await verified(device, { counter: 7, fault: /./ })
    await expect(verified(device, { counter: 7, fault: /./ })).rejects.toThrow(/counter/i)
    await verified(device, { counter: 8, fault: /./ })
  })
})

const signedIn = async (who: Person): Promise<string> => (await server.signIn(who, center.domain)).accessToken

describe('a new key is refused', () => {
  it.each(Object.entries(cases))('with %s', async (_, one) => {
    const token = await signedIn(person)
    const device = testDevice(server)
    const { publicKey } = await beginRegistration(server, token, device)
    const assertion = answered(device, publicKey.challenge, one)
    const { status, body } = await server.call('POST', '/api/auth/passkeys/register', { token, body: { assertion } })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.message).toMatch(one.fault)
  })
})

describe('signing in is refused', () => {
  it.each(Object.entries(cases))('with %s', async (_, one) => {
    const { publicKey } = (await server.call('POST', '/api/auth/passkeys/login/options')).body.data
    const assertion = { ...answered(own.device, publicKey.challenge, one), userHandle: own.handle }
    const { status, body } = await server.call('POST', '/api/auth/passkeys/login', { body: { assertion } })
    // Data that hold no challenge are no answer at all.
    expect([status, body.error.code]).toBeOneOf([
      [401, 'INVALID_CREDENTIALS'],
      [400, 'VALIDATION_ERROR'],
    ])
  })
})

it('asks the keys that count in the center', async () => {
  const { cells, directory, passkeyHost } = server.services
  const caller = { requestId: 'req_test', actorId: person.actorId, centerId: center.id }
  const keys = await countingPasskeys({ cells, directory }, caller, 'main', person.actorId)
  expect(requestOptions(passkeyHost, 'the challenge', keys)).toEqual({
    challenge: 'the challenge',
    rpId: 'countersign.test',
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [{ id: own.device.credentialId, type: 'public-key', transports: ['internal'] }],
  })
  expect(passkeyRows.name).toBe('passkeys')
})
