import { useClock } from '@countersign/server/lib/clock.ts'
import { newId } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type StoredSalts, saltsOf } from '../../dpu/packed-salts.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Confidential values, none of which may be in an answer. */
const rich = {
  decisionId: undefined,
  actor: { id: 'agent-of-secrets', type: 'ai_agent', name: 'Planner Grey' },
  action: {
    type: 'plan.whisper',
    description: 'Three quiet sessions',
    input: { learner: '김하늘', note: 'shy' },
    output: { sessions: 31415926535 },
  },
  aiContext: {
    model: 'model-of-secrets',
    provider: 'house-of-secrets',
    confidence: 0.87654,
    reasoning: 'Slept badly.',
  },
  tags: ['hush-tag'],
}
const approval = { approver: { id: 'therapist-of-secrets', type: 'human', name: '박지우' }, reason: 'I saw it myself.' }

let fixture: ProofFixture
let server: TestServer
let event: { id: string; evidence: { id: string } }

beforeAll(async () => {
  server = await startServer()
  fixture = await openProofFixture(server)
  await sealedEvent()
  event = await sealedEvent(rich, approval)
})
afterAll(() => server.close())

async function sealedEvent(overrides = {}, by = {}) {
  const made = await fixture.record(sampleEvent(overrides))
  const { status, text } = await fixture.approve(made.id, by)
  if (status !== 200) throw new Error(text)
  return made
}
const look = (id: string, headers: Record<string, string> = {}) => server.call('GET', `/verify/${id}`, { headers })
/** Fetches without the contract check, because pages are not in the contract. */
const page = (id: string) => fetch(`${server.url}/verify/${id}`, { headers: { accept: browser } })
const served = (html: string) =>
  JSON.parse(/<script type="application\/json" id="served">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

describe('200', () => {
  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.5'])('answers %s with facts', async (accept) => {
    const { status, body, headers } = await look(event.id, { accept })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(headers.get('vary')).toContain('accept')
    const exported = (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
    expect(body).toMatchObject({
      eventId: event.id,
      status: 'sealed',
      domain: 'proof',
      log: exported.evidence.log,
      chainIndex: exported.evidence.chain.index,
      chainHash: exported.evidence.chain.hash,
      sealedAt: exported.evidence.sealedAt,
      evidenceLevel: 'AUDIT_READY',
      result: 'approved',
      verified: { valid: true, hash: true, link: true, place: true, tree: true, chain: true },
      anchoring: 'logged',
    })
    expect(body.verified.message).toBe('The stored entry still matches its hash and continues the previous entry.')
    expect(body.checkpoint.note).toContain(`${body.log}\n${body.checkpoint.size}\n${body.checkpoint.root}\n`)
    expect(body.inclusionProof.length).toBeGreaterThan(0)
  })

  it('says that a decision was refused', async () => {
    const { id } = await sealedEvent({}, { result: 'rejected' })
    expect((await look(id)).body).toMatchObject({ status: 'sealed', result: 'rejected' })
    expect(served(await (await page(id)).text()).facts).toMatchObject({ result: 'rejected' })
  })

  it('finds a decision by the id of its event, its evidence or its DPU', async () => {
    const rest = event.id.slice('evt_'.length)
    for (const id of [event.id, event.evidence.id, `dpu_${rest}`]) {
      const { status, body } = await look(id)
      expect([status, body.eventId, body.dpuId]).toEqual([200, event.id, `dpu_${rest}`])
    }
  })

  it('finds a DPU by its own id once it is AUDIT_READY', async () => {
    const dpu = await fixture.unit({ content: 'A DPU of its own' })
    expect((await look(dpu.id)).status).toBe(404)
    await fixture.raise(dpu.id, 'AUDIT_READY')
    const { status, body } = await look(dpu.id)
    expect([status, body.eventId, body.domain, body.result]).toEqual([200, dpu.id, 'dpu', null])
    expect((await look(dpu.id.replace('dpu_', 'evt_'))).status).toBe(404)
    const exported = (await fixture.platform('GET', `/api/dpu/${dpu.id}/export`)).body
    expect(exported.verification.verifyUrl).toMatch(new RegExp(`/verify/${dpu.id}$`))
    expect(body.chainHash).toBe(exported.verification.chainHash)
  })

  it('sends browsers the page with the same facts as data', async () => {
    const response = await page(event.id)
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const { facts, policy } = served(html)
    const { body } = await look(event.id)
    expect(facts).toEqual({ ...body, verifiedAt: facts.verifiedAt })
    expect(policy).toBe((await server.call('GET', '/.well-known/countersign-log.json')).body.policy)
  })

  it('allows the page its own script and no connection', async () => {
    for (const path of [`/verify/${event.id}`, '/verify']) {
      const response = await fetch(`${server.url}${path}`, { headers: { accept: browser } })
      const html = await response.text()
      const allowed = response.headers.get('content-security-policy') ?? ''
      expect(allowed).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; /)
      expect(allowed).toContain("frame-ancestors 'none'")
      expect(allowed).not.toMatch(/connect-src|unsafe/)
      expect(html).toContain(`content="${allowed.replace("; frame-ancestors 'none'", '')}"`)
      expect(html.match(/<script/g)).toHaveLength(2)
    }
  })

  it('includes no value of the record, in the page or in JSON', async () => {
    const answers = [(await look(event.id)).text, await (await page(event.id)).text()]
    const secrets: string[] = []
    const visit = (value: unknown): void => {
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner)
      else if (!['human', 'ai_agent'].includes(String(value))) secrets.push(String(value))
    }
    visit([rich.actor, rich.action, rich.aiContext, rich.tags, approval, fixture.center.domain, fixture.key])
    expect(secrets.length).toBeGreaterThan(12)
    const stored = await server.world.query<StoredSalts & { commitments: Record<string, string> }>(
      `select u.salts, u.packed_salts::text, e.content::json -> 'commitments' as commitments from cell.dpus u join cell.chain_entries e
       on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index where u.center_id = $1`,
      [fixture.center.id],
    )
    for (const { commitments, ...row } of stored) {
      const salts = Object.values(saltsOf(row))
      expect(salts.length).toBe(Object.keys(commitments).length)
      secrets.push(...salts, ...Object.values(commitments))
    }
    for (const answer of answers) expect(secrets.filter((secret) => answer.includes(secret))).toEqual([])
  })
})

describe('404', () => {
  it('answers unknown and unsealed ids byte for byte alike', async () => {
    const waiting = await fixture.record()
    const draft = await fixture.unit()
    const answers = [
      newId('decisionEvent'),
      waiting.id,
      waiting.evidence.id,
      draft.id,
      newId('dpu'),
      'nonsense',
      'evt_!',
    ]
    const texts = await Promise.all(answers.map(async (id) => (await look(id)).text))
    expect(new Set(texts).size).toBe(1)
    expect(JSON.parse(texts[0] as string).error.code).toBe('NOT_FOUND')
  })

  it('sends browsers a page that says so, without further data', async () => {
    const waiting = await fixture.record()
    const [unknown, unsealed] = await Promise.all(
      [newId('decisionEvent'), waiting.id].map(async (id) => {
        const response = await page(id)
        return { status: response.status, html: await response.text() }
      }),
    )
    expect(unknown?.status).toBe(404)
    expect(unknown).toEqual(unsealed)
    expect(served(unknown?.html ?? '').facts).toBeNull()
  })
})

describe('a record that does not hold', () => {
  it('is answered with valid: false and a reason, and raises the alarm', async () => {
    const other = await openProofFixture(server)
    const made = await other.record()
    await other.approve(made.id)
    const second = await other.record()
    await other.approve(second.id)
    await server.world.query(`begin;
      alter table cell.entries drop constraint entries_hash_check;
      set local session_replication_role = replica;
      update cell.entries set template = replace(template, 'plan.adjust', 'plan.abandon')
      where center_id = ${other.center.id} and domain = 'proof' and idx = 1;
      commit`)
    const { status, body } = await look(second.id)
    expect([status, body.verified.valid, body.verified.hash, body.verified.link]).toEqual([200, false, false, true])
    expect(body.verified.message).toContain("the hash doesn't match the content")
    const marked = await other.platform('GET', '/api/dpu/verify-chain')
    expect(marked.body.data.domains.proof).toMatchObject({ valid: false, brokenAt: 1 })
    expect((await look(made.id)).body.verified.valid).toBe(true)
  })
})

describe('dpu.verified', () => {
  const messages = async () => {
    const rows = await server.world.query<{ data: string }>(
      `select data from cell.webhook_events where center_id = $1 and type = 'dpu.verified' order by created_at`,
      [fixture.center.id],
    )
    return rows.map(({ data }) => JSON.parse(data))
  }
  const minute = 60_000

  it('notifies the center once a minute, for any number of concurrent requests', async () => {
    await fixture.v1('POST', '/api/v1/webhooks', {
      url: 'https://hooks.example.org/verified',
      events: ['dpu.verified'],
    })
    const made = await sealedEvent()
    const dpuId = made.id.replace('evt_', 'dpu_')
    const visits = await Promise.all(Array.from({ length: 50 }, () => look(made.id)))
    expect(visits.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(await messages()).toEqual([expect.objectContaining({ dpuId, valid: true })])
    await look(made.evidence.id)
    expect(await messages()).toHaveLength(1)
    for (const [later, times] of [
      [minute - 5000, 1],
      [minute + 5000, 2],
    ] as const) {
      const restore = useClock(() => Date.now() + later)
      try {
        await look(made.id)
      } finally {
        restore()
      }
      expect(await messages()).toHaveLength(times)
    }
  })

  it('does not affect the answer when it cannot be written', async () => {
    const made = await sealedEvent()
    const before = (await messages()).length
    await server.world.query('alter table cell.public_verifications rename to elsewhere')
    await server.world.query('create view cell.public_verifications as select * from cell.elsewhere')
    await server.world.query('grant select on cell.public_verifications to cs_api')
    try {
      const { status, body } = await look(made.id)
      expect([status, body.verified.valid]).toEqual([200, true])
      expect(server.logs.join('')).toContain('the message of a public verification could not be written')
      expect(await messages()).toHaveLength(before)
    } finally {
      await server.world.query('drop view cell.public_verifications')
      await server.world.query('alter table cell.elsewhere rename to public_verifications')
    }
  })
})

describe('429 RATE_LIMITED', () => {
  it('is counted per address in the public tier, found or not', async () => {
    const limited = await startServer({
      beside: server,
      env: { RATE_LIMIT_PUBLIC: '3/60', REDIS_PREFIX: newId('request') },
    })
    try {
      const statuses: number[] = []
      for (const id of [event.id, newId('decisionEvent'), event.id, event.id]) {
        statuses.push((await limited.call('GET', `/verify/${id}`, { impatient: true })).status)
      }
      expect(statuses).toEqual([200, 404, 200, 429])
    } finally {
      await limited.close()
    }
  })
})
