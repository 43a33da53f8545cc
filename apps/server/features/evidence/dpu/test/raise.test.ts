/** Raises of the level that a passkey signs. */
import { challengeOf } from '@countersign/proof/passkey.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnswerOverrides } from '../../../../../../tests/support/authenticator.ts'
import { countingPasskey, type Device, registerPasskey, testDevice } from '../../../../../../tests/support/passkeys.ts'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Answer = Awaited<ReturnType<TestServer['call']>>
const outcome = ({ status, body }: Answer) => [status, body.error?.code].filter((part) => part !== undefined)
const conflict = [409, 'CONFLICT']
const invalid = [400, 'VALIDATION_ERROR']

interface Signer {
  readonly id: string
  readonly token: string
  readonly device: Device
  readonly passkeyId: string
}

interface SigningOffice extends ProofFixture {
  readonly signer: Signer
  newSigner(role?: string): Promise<Signer>
  challenge(who: Pick<Signer, 'token'>, id: string, evidenceLevel?: string): Promise<Answer>
  put(who: Pick<Signer, 'token'>, id: string, body: object): Promise<Answer>
  /** Asks for a challenge, signs it and raises the level. */
  sign(who: Signer, id: string, evidenceLevel?: string, over?: AnswerOverrides): Promise<Answer>
}

async function signingOffice(guards: object = { humanReview: true }, opened?: ProofFixture): Promise<SigningOffice> {
  const fixture = opened ?? (await openProofFixture(server))
  await fixture.policy({ ...guards }, { approval: { identity: 'passkey' } })
  const newSigner = async (role = 'ADMIN'): Promise<Signer> => {
    const person = await server.world.person()
    await server.world.member(person, fixture.center, role)
    const { id, device } = await countingPasskey(server, person, fixture.center, fixture.admin)
    const { accessToken: token } = await server.signIn(person, fixture.center.domain)
    return { id: person.actorId, token, device, passkeyId: id }
  }
  const challenge: SigningOffice['challenge'] = ({ token }, id, evidenceLevel = 'AUDIT_READY') =>
    server.call('POST', `/api/dpu/${id}/challenge`, { token, body: { evidenceLevel } })
  const put: SigningOffice['put'] = ({ token }, id, body) => server.call('PUT', `/api/dpu/${id}`, { token, body })
  return {
    ...fixture,
    signer: await newSigner(),
    newSigner,
    challenge,
    put,
    async sign(who, id, evidenceLevel = 'AUDIT_READY', over) {
      const asked = await challenge(who, id, evidenceLevel)
      if (asked.status !== 200) return asked
      return put(who, id, { evidenceLevel, assertion: who.device.answer(asked.body.data.publicKey.challenge, over) })
    },
  }
}

const exportOf = async ({ platform }: ProofFixture, id: string) => (await platform('GET', `/api/dpu/${id}/export`)).body

/** What a verifier says of the raises, where the policy names the host of this server. */
const verdictOf = (document: unknown) => {
  const { rpId, origin } = server.services.passkeyHost
  const { valid, problems, raises } = verifyExport(document, [{ rpId, origins: [origin] }])
  return { valid, problems, raises: raises.map((each) => each?.status ?? null) }
}
const held = { valid: true, problems: [], raises: ['holds'] }

describe('a raise that a passkey signed', () => {
  it('is sealed with the statement, the assertion and the binding of the key', async () => {
    const office = await signingOffice()
    const { id, chainHash } = await office.unit()
    const { statement, publicKey, expiresAt } = (await office.challenge(office.signer, id)).body.data
    expect(statement).toMatchObject({
      type: 'countersign-raise-v1',
      dpuId: id,
      evidenceLevel: 'AUDIT_READY',
      previous: `sha256:${chainHash}`,
      approverId: office.signer.id,
      policies: [{ version: 1 }],
    })
    expect(statement.log).toMatch(/\/history$/)
    expect(publicKey).toMatchObject({
      challenge: Buffer.from(challengeOf(statement)).toString('base64url'),
      allowCredentials: [{ id: office.signer.device.credentialId }],
    })
    expect(Date.parse(expiresAt) - Date.parse(statement.issuedAt)).toBe(300_000)
    const { id: credential, ...assertion } = office.signer.device.answer(publicKey.challenge)
    const body = { evidenceLevel: 'AUDIT_READY', assertion: { id: credential, ...assertion } }
    const raised = await office.put(office.signer, id, body)
    expect([raised.status, raised.body.data]).toMatchObject([200, { evidenceLevel: 'AUDIT_READY', status: 'sealed' }])

    const exported = await exportOf(office, id)
    const [entry] = exported.evidence.history
    const binding = exported.evidence.bindings.at(-1).chain.hash
    expect(entry).toMatchObject({
      type: 'level',
      by: { id: office.signer.id },
      passkey: { ...assertion, statement, binding, historySize: entry.chain.index },
    })
    expect(exported.evidence.bindings.map(({ action }: { action: string }) => action)).toEqual(['bound', 'confirmed'])
    expect(exported.verification.bindingProofs).toHaveLength(2)
    expect(JSON.stringify(exported)).not.toContain(credential)
    expect(verdictOf(exported)).toEqual(held)
    expect((await office.platform('GET', `/api/dpu/${id}/verify`)).body.data).toMatchObject({ valid: true })
  })

  it('raises a decision that an agent completed, and stays true after the key is removed', async () => {
    const opened = await openProofFixture(server)
    const { id } = (await opened.decide()).body.data.dpu
    const office = await signingOffice({ humanReview: true }, opened)
    expect(outcome(await office.sign(office.signer, id))).toEqual([200])
    expect(verdictOf(await exportOf(office, id))).toEqual(held)
    const { passkeyId, token } = office.signer
    await server.call('DELETE', `/api/auth/passkeys/${passkeyId}`, { token })
    await server.services.passkeyOutbox.deliver()
    expect(verdictOf(await exportOf(office, id))).toEqual(held)
  })

  it('is asked for by the policy: a session is not enough', async () => {
    const office = await signingOffice()
    const { id } = await office.unit()
    const refused = await office.raise(id, 'DOCUMENTED', office.signer.token)
    expect(outcome(refused)).toEqual([422, 'POLICY_VIOLATION'])
    expect(refused.body.error.message).toContain('/challenge')
    const policyId = expect.stringMatching(/^pol_/)
    const details = {
      ...{ reason: 'identity', identity: 'passkey' },
      ...{ policyId, rule: 'humanReview: true', guard: 'humanReview' },
    }
    expect(refused.body.error.details).toEqual(details)
    expect(outcome(await office.sign(office.signer, id, 'DOCUMENTED'))).toEqual([200])
  })

  it('is given by two people one after the other, under dual approval', async () => {
    const office = await signingOffice({ dualApproval: true })
    const { id } = await office.unit()
    expect(outcome(await office.sign(office.signer, id))).toEqual([422, 'POLICY_VIOLATION'])
    expect(outcome(await office.sign(office.signer, id, 'DOCUMENTED'))).toEqual([200])
    expect(outcome(await office.sign(office.signer, id))).toEqual(conflict)
    expect(outcome(await office.sign(await office.newSigner(), id))).toEqual([200])
    const exported = await exportOf(office, id)
    expect(exported.evidence.bindings).toHaveLength(4)
    expect(verdictOf(exported)).toEqual({ ...held, raises: ['holds', 'holds'] })
  })
})

describe('refused, and the record stays as it was', () => {
  it.each<[string, AnswerOverrides]>([
    ['another origin', { origin: 'https://other.example' }],
    ['a person who was not verified', { flags: 1 }],
    ['a page in a frame', { clientData: { crossOrigin: true } }],
  ])('an assertion with %s', async (_, over) => {
    const office = await signingOffice()
    const { id } = await office.unit()
    expect(outcome(await office.sign(office.signer, id, 'DOCUMENTED', over))).toEqual(invalid)
    expect((await office.platform('GET', `/api/dpu/${id}`)).body.data.evidenceLevel).toBe('DRAFT')
  })

  type Attempt = (office: SigningOffice, id: string) => Promise<Answer>
  const answerTo = async (office: SigningOffice, id: string, who = office.signer) =>
    who.device.answer((await office.challenge(who, id, 'DOCUMENTED')).body.data.publicKey.challenge)
  const raiseWith = (office: SigningOffice, id: string, assertion: object, more: object = {}) =>
    office.put(office.signer, id, { evidenceLevel: 'DOCUMENTED', assertion, ...more })
  const attempts: [string, unknown[], Attempt][] = [
    [
      'a challenge of another record',
      conflict,
      async (office, id) => raiseWith(office, id, await answerTo(office, String((await office.unit()).id))),
    ],
    [
      'a challenge of another member',
      conflict,
      async (office, id) => {
        const { publicKey } = (await office.challenge(await office.newSigner(), id, 'DOCUMENTED')).body.data
        return raiseWith(office, id, office.signer.device.answer(publicKey.challenge))
      },
    ],
    [
      'the signature of another member',
      conflict,
      async (office, id) => {
        const { publicKey } = (await office.challenge(office.signer, id, 'DOCUMENTED')).body.data
        return raiseWith(office, id, (await office.newSigner()).device.answer(publicKey.challenge))
      },
    ],
    [
      'a signature of a key that is not the named one',
      invalid,
      async (office, id) => {
        const { publicKey } = (await office.challenge(office.signer, id, 'DOCUMENTED')).body.data
        const forged = testDevice(server).answer(publicKey.challenge)
        return raiseWith(office, id, { ...forged, id: office.signer.device.credentialId })
      },
    ],
    [
      'an expired challenge',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, id)
        const restore = useClock(() => Date.now() + 301_000)
        return raiseWith(office, id, assertion).finally(restore)
      },
    ],
    [
      'a challenge for signing in',
      conflict,
      async (office, id) => {
        const { publicKey } = (await server.call('POST', '/api/auth/passkeys/login/options')).body.data
        return raiseWith(office, id, office.signer.device.answer(publicKey.challenge))
      },
    ],
    [
      'a challenge for an approval',
      conflict,
      async (office, id) => {
        const event = await office.record()
        const { publicKey } = (
          await server.call('POST', `/api/decisions/${event.id}/approvals/challenge`, {
            token: office.signer.token,
            body: { result: 'approved' },
          })
        ).body.data
        return raiseWith(office, id, office.signer.device.answer(publicKey.challenge))
      },
    ],
    [
      'another level than the signed one',
      conflict,
      async (office, id) => raiseWith(office, id, await answerTo(office, id), { evidenceLevel: 'AUDIT_READY' }),
    ],
    [
      'metadata beside the level',
      invalid,
      async (office, id) => raiseWith(office, id, await answerTo(office, id), { metadata: { reason: 'Seen.' } }),
    ],
    [
      'no level',
      invalid,
      async (office, id) => office.put(office.signer, id, { assertion: await answerTo(office, id) }),
    ],
    [
      'a record that has changed since the challenge',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, id)
        await office.put(office.signer, id, { metadata: { reason: 'Another.' } })
        return raiseWith(office, id, assertion)
      },
    ],
    [
      'a policy that was added after the challenge',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, id)
        await office.policy({ humanReview: true }, { name: 'Another' })
        return raiseWith(office, id, assertion)
      },
    ],
    [
      'a key that was removed after the challenge',
      conflict,
      async (office, id) => {
        const assertion = await answerTo(office, id)
        const { passkeyId, token } = office.signer
        await server.call('DELETE', `/api/auth/passkeys/${passkeyId}`, { token })
        return raiseWith(office, id, assertion)
      },
    ],
    [
      'a key that only a mail confirms',
      conflict,
      async (office, id) => {
        const { device } = await registerPasskey(server, office.signer.token)
        await server.services.passkeyOutbox.deliver()
        const { publicKey } = (await office.challenge(office.signer, id, 'DOCUMENTED')).body.data
        return raiseWith(office, id, device.answer(publicKey.challenge))
      },
    ],
  ]
  it.each(attempts)('%s', async (_, expected, attempt) => {
    const office = await signingOffice()
    const { id } = await office.unit()
    expect(outcome(await attempt(office, id))).toEqual(expected)
    expect((await office.platform('GET', `/api/dpu/${id}`)).body.data.evidenceLevel).toBe('DRAFT')
  })

  it('an approval with the challenge of a raise', async () => {
    const office = await signingOffice()
    const event = await office.record()
    const assertion = await answerTo(office, String((await office.unit()).id))
    expect(outcome(await office.approveAsMember(event.id, { assertion }, office.signer.token))).toEqual(conflict)
  })
})

describe('a challenge is refused', () => {
  it('like the raise itself', async () => {
    const office = await signingOffice()
    const { id } = await office.unit()
    const instructor = await office.newSigner('INSTRUCTOR')
    expect(outcome(await office.challenge(instructor, id))).toEqual([403, 'INSUFFICIENT_ROLE'])
    expect(outcome(await office.sign(office.signer, id, 'DOCUMENTED'))).toEqual([200])
    expect(outcome(await office.challenge(office.signer, id, 'DRAFT'))).toEqual([400, 'INVALID_EVIDENCE_LEVEL'])
    expect(outcome(await office.sign(office.signer, id))).toEqual([200])
    expect(outcome(await office.challenge(office.signer, id))).toEqual([403, 'DPU_SEALED'])
  })

  it('where no key is confirmed, with what to do', async () => {
    const office = await signingOffice()
    const { id } = await office.unit()
    const answer = await office.challenge(office, id)
    expect(outcome(answer)).toEqual(conflict)
    expect(answer.body.error.message).toContain('ask an administrator to confirm it')
  })
})

it('a repeated request with its Idempotency-Key gets the answer of the first', async () => {
  const office = await signingOffice()
  const { id } = await office.unit()
  const { publicKey } = (await office.challenge(office.signer, id)).body.data
  const body = { evidenceLevel: 'AUDIT_READY', assertion: office.signer.device.answer(publicKey.challenge) }
  const send = () =>
    server.call('PUT', `/api/dpu/${id}`, {
      token: office.signer.token,
      headers: { 'idempotency-key': 'raise-once' },
      body,
    })
  const first = await send()
  expect(outcome(first)).toEqual([200])
  expect((await send()).body.data).toEqual(first.body.data)
})

it('of fifty requests with one assertion one raises the level', async () => {
  const office = await signingOffice()
  const { id } = await office.unit()
  const { publicKey } = (await office.challenge(office.signer, id)).body.data
  const assertion = office.signer.device.answer(publicKey.challenge)
  const body = { evidenceLevel: 'AUDIT_READY', assertion }
  const answers = await Promise.all(Array.from({ length: 50 }, () => office.put(office.signer, id, body)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  // The others find the challenge spent, or the record sealed.
  expect(answers.filter(({ status }) => ![200, 403, 409].includes(status))).toEqual([])
  expect((await exportOf(office, id)).evidence.history).toHaveLength(1)
})

it('a signature that is changed in the database is found, and the record is not exported', async () => {
  const office = await signingOffice()
  const { id } = await office.unit()
  expect(outcome(await office.sign(office.signer, id))).toEqual([200])
  const forger = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await forger.connect()
  await forger.query('set session_replication_role = replica')
  const change = (path: string, value: string) =>
    forger.query(
      `update cell.history set disclosed = jsonb_set(disclosed::jsonb, $2, $3::jsonb)::json
       where center_id = $1 and disclosed -> 'passkey' is not null`,
      [office.center.id, path, value],
    )
  const { rows } = await forger.query<{ disclosed: object }>(
    `select disclosed from cell.history where center_id = $1 and disclosed -> 'passkey' is not null`,
    [office.center.id],
  )
  for (const [path, value] of [
    ['{passkey,signature}', '"AAAA"'],
    ['{passkey,statement,approverId}', '"somebody"'],
    ['{passkey}', '"gone"'],
  ] as const) {
    await change(path, value)
    const { body } = await office.platform('GET', '/api/dpu/verify-chain?mode=records')
    expect([path, body.data.valid, body.data.domains.history.valid]).toEqual([path, false, false])
    expect(outcome(await office.platform('GET', `/api/dpu/${id}/export`))).toEqual([422, 'CHAIN_BROKEN'])
    await forger.query(
      `update cell.history set disclosed = $2 where center_id = $1 and disclosed -> 'passkey' is not null`,
      [office.center.id, JSON.stringify(rows[0]?.disclosed)],
    )
  }
  await forger.end()
})
