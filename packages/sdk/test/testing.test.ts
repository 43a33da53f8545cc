/** What the SDK offers to tests of other programs: it must behave as the service does, and say what the contract says. */
import { createPublicKey, hash, type JsonWebKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertKeepsContract } from '../../../tests/support/contract-check.ts'
import { openProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { Countersign } from '../countersign.ts'
import { guard } from '../guard.ts'
import { fakeCountersign, softwarePasskey, testApproval } from '../testing.ts'
import { startScriptedServer } from './scripted-server.ts'

interface Refund {
  readonly won: number
}

describe('the fake server', () => {
  /** Every answer is compared with the contract, as those of the real server are. */
  async function checked(options: Parameters<typeof fakeCountersign>[0] = {}) {
    const fake = await fakeCountersign(options)
    const seen: string[] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await fake.fetch(input, init)
      const { pathname } = new URL(String(input))
      const [method, text] = [init?.method ?? 'GET', await response.clone().text()]
      seen.push(`${method} ${pathname.replaceAll(/(evt|evd)_\w+/g, '$1')} ${response.status}`)
      assertKeepsContract(method, pathname, {
        ...response,
        status: response.status,
        headers: response.headers,
        text,
        body: JSON.parse(text),
      })
      return response
    }
    const client = new Countersign({ baseUrl: 'https://fake.countersign.test', apiKey: 'csk_test_fake', fetch })
    const ran: number[] = []
    const process = (more: object = {}) =>
      guard<Refund, { paid: number }>(
        {
          action: 'refund.issue',
          run: ({ won }) => {
            ran.push(won)
            return { paid: won }
          },
        },
        { ...fake.options, client, agent: { id: 'refund-agent' }, ...more },
      )
    return { fake, seen, ran, process }
  }
  const reasonOf = (call: Promise<unknown>) =>
    call.then(
      () => 'ran',
      ({ reason }: { reason: string }) => reason,
    )

  it('asks, seals, proves, and runs once, for a guard that makes all of its own checks', async () => {
    const { fake, seen, ran, process } = await checked()
    const call = { callId: 'run-1/call-1' }
    expect(await reasonOf(process()({ won: 82 }, call))).toBe('waiting')
    const [waiting] = fake.waiting()
    fake.approve(waiting?.id ?? '', { name: 'Ian Lee', reason: 'Lost.' })
    expect(await reasonOf(process()({ won: 820 }, call))).toBe('changed')
    expect(await process({ requires: 'session' })({ won: 82 }, call)).toEqual({ paid: 82 })
    expect(await reasonOf(process()({ won: 82 }, call))).toBe('done')
    expect(await process({ onDone: 'replay' })({ won: 82 }, call)).toEqual({ paid: 82 })
    expect(await reasonOf(process({ requires: 'passkey', onDone: 'replay' })({ won: 82 }, call))).toBe('unverified')
    expect([ran, fake.waiting()]).toEqual([[82], []])
    expect(new Set(seen)).toEqual(
      new Set([
        // It has no streams: a program that waits asks again.
        'GET /api/v1/decision-events/evt/stream 404',
        'POST /api/v1/agents/decide 201',
        'POST /api/v1/agents/decide 200',
        'POST /api/v1/agents/decide 409',
        'GET /api/v1/decision-events 200',
        'GET /api/v1/decision-events/evt 200',
        'GET /api/v1/evidence/evd/export 200',
        'POST /api/v1/decision-events/evt/consume 200',
        'POST /api/v1/decision-events/evt/consume 409',
        'POST /api/v1/decision-events/evt/outcome 200',
      ]),
    )
  })

  it('refuses in the words of a person, lets a decision expire or be withdrawn, and stops an agent', async () => {
    const { fake, ran, process } = await checked()
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (callId) => (await process().ask({ won: 82 }, { callId })).eventId ?? ''),
    )
    fake.refuse(ids[0] ?? '', { name: 'Ian Lee', reason: 'Too much.' })
    fake.expire(ids[1] ?? '')
    await fake.client.decisions.withdraw(ids[2] ?? '')
    fake.approve(ids[3] ?? '')
    fake.freeze('refund-agent')
    const states = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((callId) => reasonOf(process()({ won: 82 }, { callId }))),
    )
    expect(states).toEqual(['refused', 'expired', 'withdrawn', 'frozen', 'frozen'])
    expect(await process().ask({ won: 82 }, { callId: 'a' })).toMatchObject({
      refusal: { by: 'Ian Lee', reason: 'Too much.' },
    })
    fake.freeze('refund-agent', false)
    expect(await reasonOf(process()({ won: 82 }, { callId: 'd' }))).toBe('ran')
    expect(ran).toEqual([82])
  })

  it('asks only about what the program says, and lets approvals end', async () => {
    let now = Date.now()
    const clock = { now: () => now, sleep: async () => {} }
    const asks = ({ input }: { input?: Record<string, unknown> }) => Number(input?.won) > 100
    const { fake, ran, process } = await checked({ asks, usableForSeconds: 60, clock })
    expect(await reasonOf(process()({ won: 82 }, { callId: 'small' }))).toBe('ran')
    const { eventId } = await process().ask({ won: 820 }, { callId: 'large' })
    fake.approve(eventId ?? '')
    now += 61_000
    expect(await reasonOf(process()({ won: 820 }, { callId: 'large' }))).toBe('waiting')
    expect([fake.waiting().map(({ decisionId }) => decisionId), ran]).toEqual([['large~1'], [82]])
  })

  it('makes proofs that no program takes for more than test data, and that no other fake makes', async () => {
    const { fake, process } = await checked({ asks: () => false })
    expect(() => process({ sandbox: false })).toThrow('is a sandbox')
    const other = await fakeCountersign()
    expect(await reasonOf(process({ trust: other.options.trust })({ won: 82 }, { callId: 'x' }))).toBe('unverified')
    expect(fake.options.sandbox).toBe(true)
  })
})

describe('a test person of a sandbox', () => {
  it('is sent as the API says, with the key of a sandbox only', async () => {
    const server = await startScriptedServer()
    try {
      server.script({ body: { data: {} } })
      const approval = { eventId: 'evt_1', result: 'approved', level: 'passkey', reason: 'Checked.' } as const
      await testApproval(approval, { baseUrl: `${server.url}/`, apiKey: 'csk_test_x' })
      expect(server.seen).toMatchObject([
        { method: 'POST', url: '/api/v1/sandbox/approvals', headers: { authorization: 'Bearer csk_test_x' } },
      ])
      expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual(approval)
      await expect(testApproval(approval, { baseUrl: server.url, apiKey: 'csk_live_x' })).rejects.toThrow('csk_test_')
    } finally {
      await server.close()
    }
  })
})

describe('the passkey in software', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  it('is registered as any other, and signs in the form of WebAuthn every time', async () => {
    const { instructorToken: token } = await openProofFixture(server)
    const passkey = await softwarePasskey(server.services.passkeyHost.origin)
    const post = (rest: string, body?: object) =>
      server.call('POST', `/api/auth/passkeys${rest}`, { token, ...(body && { body }) })
    const { publicKey } = (await post('/register/options')).body.data
    const attestation = await passkey.attestation(publicKey.challenge)
    const { challenge } = (await post('/register/attestation', { attestation })).body.data.publicKey
    expect((await post('/register', { assertion: await passkey.assertion(challenge) })).status).toBe(201)

    const cose = Buffer.from(attestation.attestationObject, 'base64url').subarray(-77)
    const [x, y] = [cose.subarray(10, 42), cose.subarray(45)].map((bytes) => bytes.toString('base64url'))
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as JsonWebKey, format: 'jwk' })
    // Among so many signatures are integers of all lengths.
    for (let each = 0; each < 300; each++) {
      const parts = await passkey.assertion('Y2hhbGxlbmdl')
      const [data, client, signature] = [parts.authenticatorData, parts.clientDataJSON, parts.signature].map((text) =>
        Buffer.from(text, 'base64url'),
      ) as [Buffer, Buffer, Buffer]
      const signed = Buffer.concat([data, hash('sha256', client, 'buffer')])
      expect(verify('sha256', signed, key, signature)).toBe(true)
    }
  })
})
