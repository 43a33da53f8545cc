/** What the SDK offers to tests of other programs: it must behave as the service does, and say what the contract says. */
import { createPublicKey, hash, type JsonWebKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
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

  interface Step {
    readonly call?: string
    readonly won?: number
    readonly says?: string
    readonly refusal?: object
    readonly [name: string]: unknown
  }
  interface Case {
    readonly name: string
    readonly asksAbove?: number
    readonly usableForSeconds?: number
    readonly steps: readonly Step[]
    readonly ran: readonly number[]
    readonly waiting: readonly string[]
    readonly exchanges?: readonly string[]
  }
  // The fake server of the package for Python plays them too.
  const cases = JSON.parse(readFileSync(new URL('fake-cases.json', import.meta.url), 'utf8')) as Case[]

  it.each(cases)('$name', async ({ asksAbove = 0, usableForSeconds, steps, ...wanted }) => {
    let now = Date.now()
    const clock = { now: () => now, sleep: async () => {} }
    const asks = ({ input }: { input?: Record<string, unknown> }) => Number(input?.won) > asksAbove
    const { fake, seen, ran, process } = await checked({ asks, clock, ...(usableForSeconds && { usableForSeconds }) })
    const events = new Map<string, string>()
    const eventOf = (id: unknown) => events.get(String(id)) ?? ''
    async function call({ call: callId = '', won = 0, says, refusal, requires, onDone }: Step) {
      const made = process({ ...(requires ? { requires } : {}), ...(onDone ? { onDone } : {}) })({ won }, { callId })
      const error = await made.then(
        (paid) => void expect(paid).toEqual({ paid: won }),
        (reason) => reason,
      )
      expect(error?.reason ?? 'ran', `${callId} ${won}`).toBe(says)
      if (says === 'waiting') events.set(callId, error.eventId)
      if (refusal) expect(error.refusal).toEqual(refusal)
    }
    for (const { name, reason, ...step } of steps) {
      const by = { ...(name ? { name: String(name) } : {}), ...(reason ? { reason: String(reason) } : {}) }
      if (step.call !== undefined) await call(step)
      else if (step.approve) fake.approve(eventOf(step.approve), by)
      else if (step.refuse) fake.refuse(eventOf(step.refuse), by)
      else if (step.expire) fake.expire(eventOf(step.expire))
      else if (step.withdraw) await fake.client.decisions.withdraw(eventOf(step.withdraw))
      else if (step.freeze !== undefined) fake.freeze('refund-agent', step.freeze === true)
      else now += Number(step.pass) * 1000
    }
    expect([ran, fake.waiting().map(({ decisionId }) => decisionId)]).toEqual([wanted.ran, wanted.waiting])
    // It has no streams: a program that waits asks again.
    const others = [...new Set(seen)].filter((each) => !each.endsWith('/stream 404'))
    if (wanted.exchanges) expect(others.sort()).toEqual(wanted.exchanges)
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
