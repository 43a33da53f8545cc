import { challengeOf } from '@countersign/proof/passkey.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerOverrides } from '../../../../../../tests/support/authenticator.ts'
import {
  beginRegistration,
  countingPasskey,
  type Device,
  registerPasskey,
  testDevice,
} from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { type Colleague, type Office, openOffice } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  [status, body.error?.code].filter((part) => part !== undefined)

interface Signer extends Colleague {
  readonly device: Device
  readonly passkeyId: string
}

interface SigningOffice extends Office {
  readonly signer: Signer
  newSigner(role?: string): Promise<Signer>
  challenge(who: Colleague, id: string, body?: object): ReturnType<TestServer['call']>
  /** Asks for a challenge, signs it and sends the approval. */
  sign(who: Signer, id: string, body?: object, over?: AnswerOverrides): ReturnType<TestServer['call']>
}

async function signingOffice(policy: object = {}): Promise<SigningOffice> {
  const office = await openOffice(server)
  await office.policy({ approval: { identity: 'passkey' }, ...policy })
  const newSigner = async (role = 'INSTRUCTOR'): Promise<Signer> => {
    const colleague = await office.join(role)
    const { id, device } = await countingPasskey(server, colleague.person, office.center, office.admin.person)
    return { ...colleague, device, passkeyId: id }
  }
  const challenge: SigningOffice['challenge'] = ({ token }, id, body = {}) =>
    server.call('POST', `/api/decisions/${id}/approvals/challenge`, { token, body: { result: 'approved', ...body } })
  return {
    ...office,
    signer: await newSigner(),
    newSigner,
    challenge,
    async sign(who, id, body = {}, over) {
      const asked = await challenge(who, id, body)
      if (asked.status !== 200) return asked
      const assertion = who.device.answer(asked.body.data.publicKey.challenge, over)
      return office.decide(who, id, { ...body, assertion })
    },
  }
}

describe('an approval that a passkey signed', () => {
  it('is sealed with the statement, the assertion and the binding of the key', async () => {
    const office = await signingOffice()
    const { id, actionDigest } = await office.record()
    const { statement, publicKey, expiresAt } = (await office.challenge(office.signer, id, { reason: 'Agreed.' })).body
      .data
    expect(publicKey).toMatchObject({
      challenge: Buffer.from(challengeOf(statement)).toString('base64url'),
      userVerification: 'required',
      allowCredentials: [{ id: office.signer.device.credentialId }],
    })
    expect(Date.parse(expiresAt) - Date.parse(statement.issuedAt)).toBe(300_000)
    const { id: credential, ...assertion } = office.signer.device.answer(publicKey.challenge)
    const given = await office.decide(office.signer, id, {
      reason: 'Agreed.',
      channel: 'page',
      assertion: { id: credential, ...assertion },
    })
    expect(outcome(given)).toEqual([200])
    const { evidence } = await office.read(id)
    const exported = (await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })).body
    expect(exported.evidence.approval).toMatchObject({
      approver: { id: office.signer.id },
      identity: { level: 'passkey', by: office.signer.id },
      channel: 'page',
      passkey: { ...assertion, binding: exported.evidence.bindings.at(-1).chain.hash, historySize: expect.any(Number) },
      reasonSalt: expect.any(String),
    })
    expect(exported.evidence.statement).toEqual(statement)
    expect(statement).toMatchObject({ eventId: id, actionDigest, approverId: office.signer.id, onBehalfOf: null })
    const bound = exported.evidence.bindings.map(({ action, confirmation }: Record<string, { how: string }>) => [
      action,
      confirmation?.how,
    ])
    expect(bound).toEqual([
      ['bound', 'mail'],
      ['confirmed', 'admin'],
    ])
    expect(exported.verification.bindingProofs).toHaveLength(2)
    expect(JSON.stringify(exported)).not.toContain(credential)
  })

  it('is a refusal too, and needs no guard', async () => {
    const office = await signingOffice()
    const { id } = await office.record()
    expect(outcome(await office.sign(office.signer, id, { result: 'rejected', reason: 'Too early.' }))).toEqual([200])
    expect(await office.read(id)).toMatchObject({ status: 'rejected', approvals: [{ identity: { level: 'passkey' } }] })
  })

  it('is asked for by the policy: a session is not enough', async () => {
    const office = await signingOffice()
    const { id } = await office.record()
    const refused = await office.decide(office.signer, id)
    expect(outcome(refused)).toEqual([422, 'POLICY_VIOLATION'])
    const policyId = expect.stringMatching(/^pol_/)
    const details = {
      ...{ reason: 'identity', identity: 'passkey' },
      ...{ policyId, rule: 'humanReview: true', guard: 'humanReview' },
    }
    expect(refused.body.error.details).toEqual(details)
    expect(outcome(await office.sign(office.signer, id))).toEqual([200])
  })

  it('names the member whose deputy signs', async () => {
    const office = await signingOffice({ approval: { identity: 'passkey', roles: ['ADMIN'] } })
    const { id } = await office.record()
    expect(outcome(await office.challenge(office.signer, id))).toEqual([422, 'POLICY_VIOLATION'])
    await office.deputy(office.admin, office.signer)
    expect(outcome(await office.sign(office.signer, id))).toEqual([200])
    expect((await office.read(id)).approvals).toMatchObject([{ onBehalfOf: office.admin.id }])
  })

  it('is refused for a member whose absence has ended since', async () => {
    const office = await signingOffice({ approval: { identity: 'passkey', roles: ['ADMIN'] } })
    const { id } = await office.record()
    await office.deputy(office.admin, office.signer)
    const approval = await office.challenge(office.signer, id)
    const { statement, publicKey } = approval.body.data
    expect(statement.onBehalfOf).toBe(office.admin.id)
    await office.deputy(office.admin, office.signer, -60_000)
    const assertion = office.signer.device.answer(publicKey.challenge)
    const given = await office.decide(office.signer, id, { assertion })
    expect(outcome(given)).toEqual([409, 'CONFLICT'])
    expect(given.body.error.message).toContain('no longer the deputy')
    expect(await office.read(id)).toMatchObject({ approvals: [] })
  })

  it('is answered again as before to the same Idempotency-Key, and refused to another one', async () => {
    const office = await signingOffice()
    const { id } = await office.record()
    const { publicKey } = (await office.challenge(office.signer, id)).body.data
    const shown = await office.shown(office.signer, id)
    const body = { result: 'approved', ...shown, assertion: office.signer.device.answer(publicKey.challenge) }
    const send = (key: string) =>
      server.call('POST', `/api/decisions/${id}/approvals`, {
        token: office.signer.token,
        headers: { 'idempotency-key': key },
        body,
      })
    const first = await send('once')
    expect(outcome(first)).toEqual([200])
    expect((await send('once')).body.data).toEqual(first.body.data)
    expect(outcome(await send('twice'))).toEqual([409, 'CONFLICT'])
  })

  it('is the first of two, and the second is signed by another person', async () => {
    const office = await signingOffice({ guards: { dualApproval: true } })
    const { id } = await office.record()
    expect(outcome(await office.sign(office.signer, id))).toEqual([200])
    expect(outcome(await office.sign(office.signer, id))).toEqual([409, 'CONFLICT'])
    expect(outcome(await office.sign(await office.newSigner(), id))).toEqual([200])
    const { evidence } = await office.read(id)
    const exported = (await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })).body
    expect(exported.evidence.prior0.statement.approverId).toBe(office.signer.id)
    expect(exported.evidence.bindings).toHaveLength(4)
  })
})

describe('refused, and the decision stays open', () => {
  const conflict = [409, 'CONFLICT']
  const invalid = [400, 'VALIDATION_ERROR']

  it.each<[string, AnswerOverrides]>([
    ['another origin', { origin: 'https://other.example' }],
    ['another host', { rpId: 'other.example' }],
    ['a person who was not verified', { flags: 1 }],
    ['a person who was not present', { flags: 4 }],
    ['a page in a frame', { clientData: { crossOrigin: true } }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['a member twice', { rewrite: (text) => text.replace('{', '{"type":"webauthn.get",') }],
  ])('an assertion with %s', async (_, over) => {
    const office = await signingOffice()
    const { id } = await office.record()
    expect(outcome(await office.sign(office.signer, id, {}, over))).toEqual(invalid)
    expect((await office.read(id)).status).toBe('recorded')
  })

  type Attempt = (office: SigningOffice, id: string) => Promise<Awaited<ReturnType<TestServer['call']>>>
  const answerTo = async (office: SigningOffice, id: string, body: object = {}) => {
    const { publicKey } = (await office.challenge(office.signer, id, body)).body.data
    return office.signer.device.answer(publicKey.challenge)
  }
  const attempts: [string, unknown[], Attempt][] = [
    [
      'a challenge of another decision',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, (await office.record()).id)
        return office.decide(office.signer, id, { assertion })
      },
    ],
    [
      'a challenge of another member',
      conflict,
      async (office, id) => {
        const other = await office.newSigner()
        const { publicKey } = (await office.challenge(other, id)).body.data
        return office.decide(office.signer, id, { assertion: office.signer.device.answer(publicKey.challenge) })
      },
    ],
    [
      'the signature of another member',
      conflict,
      async (office, id) => {
        const other = await office.newSigner()
        const { publicKey } = (await office.challenge(office.signer, id)).body.data
        return office.decide(office.signer, id, { assertion: other.device.answer(publicKey.challenge) })
      },
    ],
    [
      'a signature of a key that is not the named one',
      invalid,
      async (office, id) => {
        const { publicKey } = (await office.challenge(office.signer, id)).body.data
        const forged = testDevice(server).answer(publicKey.challenge)
        const assertion = { ...forged, id: office.signer.device.credentialId }
        return office.decide(office.signer, id, { assertion })
      },
    ],
    [
      'an expired challenge',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, id)
        const restore = useClock(() => Date.now() + 301_000)
        return office.decide(office.signer, id, { assertion }).finally(restore)
      },
    ],
    [
      'a challenge for signing in',
      conflict,
      async (office, id) => {
        const { publicKey } = (await server.call('POST', '/api/auth/passkeys/login/options')).body.data
        return office.decide(office.signer, id, { assertion: office.signer.device.answer(publicKey.challenge) })
      },
    ],
    [
      'a challenge for registering',
      conflict,
      async (office, id) => {
        const { publicKey } = await beginRegistration(server, office.signer.token, testDevice(server))
        return office.decide(office.signer, id, { assertion: office.signer.device.answer(publicKey.challenge) })
      },
    ],
    [
      'another result than the signed one',
      conflict,
      async (office, id) =>
        office.decide(office.signer, id, { assertion: await answerTo(office, id, { result: 'rejected' }) }),
    ],
    [
      'another reason than the signed one',
      conflict,
      async (office, id) =>
        office.decide(office.signer, id, {
          reason: 'Other.',
          assertion: await answerTo(office, id, { reason: 'One.' }),
        }),
    ],
    [
      'a policy that was added after the challenge',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, id)
        await office.policy({ name: 'Another' })
        return office.decide(office.signer, id, { assertion })
      },
    ],
    [
      'a key that was removed after the challenge',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, id)
        const { passkeyId, token } = office.signer
        await server.call('DELETE', `/api/auth/passkeys/${passkeyId}`, { token })
        return office.decide(office.signer, id, { assertion })
      },
    ],
    [
      'a key that only a mail confirms',
      conflict,
      async (office, id) => {
        const { device } = await registerPasskey(server, office.signer.token)
        await server.services.passkeyOutbox.deliver()
        const { publicKey } = (await office.challenge(office.signer, id)).body.data
        return office.decide(office.signer, id, { assertion: device.answer(publicKey.challenge) })
      },
    ],
  ]
  it.each(attempts)('%s', async (_, expected, attempt) => {
    const office = await signingOffice()
    const { id } = await office.record()
    expect(outcome(await attempt(office, id))).toEqual(expected)
    expect((await office.read(id)).status).toBe('recorded')
  })

  it('a challenge where no key is confirmed, with what to do', async () => {
    const office = await signingOffice()
    const { id } = await office.record()
    const answer = await office.challenge(await office.join('INSTRUCTOR'), id)
    expect(outcome(answer)).toEqual(conflict)
    expect(answer.body.error.message).toContain('ask an administrator to confirm it')
  })

  it('a key whose binding is not sealed in this center yet, for a moment', async () => {
    const office = await signingOffice()
    const { id } = await office.record()
    const { device } = await registerPasskey(server, office.signer.token)
    const { publicKey } = (await office.challenge(office.signer, id)).body.data
    const assertion = device.answer(publicKey.challenge)
    const answer = await office.decide(office.signer, id, { assertion })
    expect(outcome(answer)).toEqual(conflict)
    expect(answer.headers.get('retry-after')).toBe('2')
  })
})

it('of fifty requests with one assertion one seals', async () => {
  const office = await signingOffice()
  const { id } = await office.record()
  const { publicKey } = (await office.challenge(office.signer, id)).body.data
  const assertion = office.signer.device.answer(publicKey.challenge)
  const answers = await Promise.all(Array.from({ length: 50 }, () => office.decide(office.signer, id, { assertion })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
})

it('a redaction of the approver removes the statement that names them, and the proof still holds', async () => {
  const office = await signingOffice()
  const { id } = await office.record()
  expect(outcome(await office.sign(office.signer, id, { reason: 'Agreed.' }))).toEqual([200])
  const { evidence } = await office.read(id)
  const redaction = { paths: ['approval.approver.id', 'approval.reason'], reason: 'asked for' }
  const redacted = await server.call('POST', `/api/dpu/${evidence.id}/redactions`, {
    token: office.admin.token,
    body: redaction,
  })
  expect(outcome(redacted)).toEqual([201])
  const exported = (await server.call('GET', `/api/v1/evidence/${evidence.id}/export`, { token: office.key })).body
  expect(exported.evidence.approval.passkey).toEqual({
    binding: expect.any(String),
    historySize: expect.any(Number),
    authenticatorData: expect.any(String),
    clientDataJSON: expect.any(String),
    signature: expect.any(String),
  })
  expect(exported.evidence.approval).not.toHaveProperty('reasonSalt')
})
