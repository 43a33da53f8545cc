/** Decisions are found by what people remember of them, and only by whom may see them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Office, openOffice } from '../../decisions/test/fixture.ts'
import { indexCenter } from '../worker.ts'

let server: TestServer
let office: Office
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  office = await openOffice(server)
})

const refund = (overrides: object = {}) => ({
  type: 'ai_recommendation',
  actor: { id: 'refund-agent', type: 'ai_agent', name: '정산 에이전트' },
  action: {
    type: 'refund.create',
    description: '이하늘 님에게 수강료환불 1,200,000원',
    input: { to: '이하늘', amount: 1_200_000, course: 'Speech therapy' },
  },
  reason: '이사로 수강을 그만둡니다',
  tags: ['refunds'],
  ...overrides,
})

const index = () => indexCenter(server.services.cells.of('main'), office.center.id)
const ask = (query: Record<string, string>, token = office.admin.token) =>
  server.call('GET', `/api/search/decisions?${new URLSearchParams(query)}`, { token })
const find = async (query: Record<string, string> | string) => {
  const { body, status, text } = await ask(typeof query === 'string' ? { q: query } : query)
  expect(status, text).toBe(200)
  return body.data.decisions.map(({ eventId }: { eventId: string }) => eventId)
}

describe('200', () => {
  it.each([
    '이하늘',
    '이하늘의 환불',
    '환불',
    '수강료',
    '수강료 환불',
    '1200000',
    '1,200,000',
    '120만원',
    '이사로',
    '정산',
    'speech',
    'SPEECH therap',
    'refund',
    'refunds',
    'refund.create 이하늘',
    'refund-agent 1,200,000원',
  ])('finds a decision by “%s”, and not another one', async (question) => {
    const { id } = await office.record(refund())
    await office.record({
      actor: { id: 'other', type: 'system' },
      action: { type: 'plan.adjust', description: '김바다 님 계획을 주 2회로 변경', input: { weeks: 12 } },
      reason: '보호자 요청',
      tags: [],
    })
    await index()
    expect(await find(question)).toEqual([id])
  })

  it('finds it by its ids at once', async () => {
    const made = await office.record(refund())
    expect(await find(made.id)).toEqual([made.id])
    expect(await find(made.decisionId)).toEqual([made.id])
  })

  it('finds it by who approved it, by their new name too, and shows the seal', async () => {
    await office.policy({ match: { actionTypes: ['refund.*'] } })
    const { id } = await office.record(refund())
    expect((await office.decide(office.admin, id)).status).toBe(200)
    await index()
    const [own] = await server.world.query<{ name: string }>('select name from directory.actors where id = $1', [
      office.admin.id,
    ])
    const { body } = await ask({ q: `${own?.name}` })
    expect(body.data.decisions).toMatchObject([
      {
        eventId: id,
        status: 'sealed',
        waiting: false,
        amount: 1_200_000,
        approvals: [{ approverId: office.admin.id, level: 'session' }],
      },
    ])
    await server.world.query(`update directory.memberships set name = '개명한사람' where actor_id = $1`, [
      office.admin.id,
    ])
    expect(await find('개명한사람')).toEqual([id])
  })

  it('keeps to every filter', async () => {
    const { id: policyId } = await office.policy({ match: { actionTypes: ['refund.*'] } })
    const small = await office.record(
      refund({ action: { type: 'refund.create', input: { to: '이하늘', amount: 5000 } } }),
    )
    const large = await office.record(refund())
    await office.decide(office.admin, large.id)
    await index()
    expect(await find({ q: '이하늘' })).toEqual([large.id, small.id])
    expect(await find({ q: '이하늘', minAmount: '10000' })).toEqual([large.id])
    expect(await find({ maxAmount: '10000' })).toEqual([small.id])
    expect(await find({ personId: office.admin.id })).toEqual([large.id])
    expect(await find({ agentId: 'refund-agent' })).toEqual([large.id, small.id])
    expect(await find({ policyId })).toEqual([large.id, small.id])
    expect(await find({ q: '이하늘', status: 'sealed' })).toEqual([large.id])
    expect(await find({ q: '이하늘', waiting: 'true' })).toEqual([small.id])
    expect(await find({ q: '이하늘', from: new Date(Date.now() + 60_000).toISOString() })).toEqual([])
    expect(await find({ q: '이하늘', to: new Date(Date.now() + 60_000).toISOString(), tag: 'refunds' })).toEqual([
      large.id,
      small.id,
    ])
    expect(await find({})).toEqual([large.id, small.id])
  })

  it('reads on by its cursor, each decision once', async () => {
    const made: string[] = []
    for (let at = 0; at < 7; at++) made.unshift((await office.record(refund())).id)
    await index()
    for (const query of [{ q: '환불' }, {}] as Record<string, string>[]) {
      const read: string[] = []
      let cursor: string | null = null
      do {
        const { body } = await ask({ ...query, limit: '3', ...(cursor !== null && { cursor }) })
        read.push(...body.data.decisions.map(({ eventId }: { eventId: string }) => eventId))
        cursor = body.data.nextCursor
      } while (cursor !== null)
      expect(read).toEqual(made)
    }
  })

  it('leaves out words that no decision has, and says so', async () => {
    const { id } = await office.record(refund())
    await index()
    const { body } = await ask({ q: '지난주 이하늘 환불' })
    expect(body.data.decisions).toMatchObject([{ eventId: id }])
    expect(body.data.leftOut).toEqual(['지난주'])
    expect((await ask({ q: '지난주 모레' })).body.data).toEqual({ decisions: [], nextCursor: null, leftOut: [] })
  })

  it('finds people, appointments and policies too, each for whom may list them', async () => {
    await office.policy({ name: '큰 환불은 원장이', match: { actionTypes: ['refund.*'] } })
    const teacher = await office.join('INSTRUCTOR')
    await server.world.query(`update directory.memberships set name = '환불순 선생' where actor_id = $1`, [teacher.id])
    const all = (token: string) => server.call('GET', `/api/search?q=${encodeURIComponent('환불')}`, { token })
    const asAdmin = (await all(office.admin.token)).body.data
    expect(asAdmin).toMatchObject({
      people: [{ actorId: teacher.id }],
      policies: [{ name: '큰 환불은 원장이' }],
      bookings: [],
    })
    expect((await all(teacher.token)).body.data).toMatchObject({ people: null, policies: null, bookings: [] })
    const parent = await office.join('PARENT')
    expect((await all(parent.token)).status).toBe(403)
    expect((await ask({ q: '환불' }, parent.token)).status).toBe(403)
  })

  it('finds nothing of another center', async () => {
    await office.record(refund())
    await index()
    const other = await openOffice(server)
    const { body } = await ask({ q: '이하늘' }, other.admin.token)
    expect(body.data.decisions).toEqual([])
  })

  it('finds of each kind only what stands in the own center, and by the name of now', async () => {
    const { world } = server
    const all = async (q: string, token: string) => {
      const { body } = await server.call('GET', `/api/search?q=${encodeURIComponent(q)}`, { token })
      const { decisions, people, bookings, policies } = body.data
      return [decisions.length, people?.length ?? null, bookings.length, policies?.length ?? null]
    }
    const [teacher, client] = [await office.join('INSTRUCTOR'), await office.join('CHILD')]
    const name = (text: string) =>
      world.query('update directory.memberships set name = $3 where center_id = $1 and actor_id = $2', [
        ...[office.center.id, client.id, text],
      ])
    await name('이하늘')
    await world.query(
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
       values ($1, gen_random_uuid(), $2, $3, $3, now() + interval '1 day', now() + interval '25 hours', now())`,
      [office.center.id, teacher.id, client.id],
    )
    await office.policy({ name: '이하늘 님의 환불', match: { actionTypes: ['nothing.*'] } })
    await office.record(refund())
    await index()
    const other = await openOffice(server)
    const colleague = await other.join('INSTRUCTOR')
    expect(await all('이하늘', office.admin.token)).toEqual([1, 1, 1, 1])
    expect(await all('이하늘', teacher.token)).toEqual([1, null, 1, null])
    expect(await all('이하늘', other.admin.token)).toEqual([0, 0, 0, 0])
    expect(await all('이하늘', colleague.token)).toEqual([0, null, 0, null])
    await name('강바다')
    // The decision and the policy name the person by themselves.
    expect(await all('이하늘', office.admin.token)).toEqual([1, 0, 0, 1])
    expect(await all('강바다', office.admin.token)).toEqual([0, 1, 1, 0])
  })
})

describe('a redaction', () => {
  it('removes what was found from its commit on, and the worker does not bring it back', async () => {
    const { id } = await office.record(refund())
    await office.decide(office.admin, id)
    await index()
    const unit = await server.call('GET', '/api/dpu?limit=1', { token: office.admin.token })
    const redacted = await server.call('POST', `/api/dpu/${unit.body.data[0].id}/redactions`, {
      token: office.admin.token,
      body: { paths: ['event.action.description', 'event.action.input', 'event.reason'], reason: 'asked for' },
    })
    expect(redacted.status, redacted.text).toBe(201)
    const [words] = await server.world.query(
      'select tokens, amount, stale from cell.decision_words where center_id = $1',
      [office.center.id],
    )
    expect(words).toEqual({ tokens: [], amount: null, stale: true })
    expect(await find('이하늘')).toEqual([])
    expect(await find('1,200,000')).toEqual([])
    const everything = await server.call('GET', `/api/search?q=${encodeURIComponent('이하늘')}`, {
      token: office.admin.token,
    })
    expect(everything.body.data.decisions).toEqual([])
    await index()
    expect(await find('이하늘')).toEqual([])
    expect(await find({ minAmount: '1' })).toEqual([])
    // What is left of it is found.
    expect(await find('정산')).toEqual([id])
  })

  it('wins against a worker that has read the text before', async () => {
    const { id } = await office.record(refund())
    await office.decide(office.admin, id)
    await index()
    await server.world.query(
      `update cell.decision_words set tokens = '{}', amount = null, epoch = epoch + 1, stale = true where center_id = $1`,
      [office.center.id],
    )
    const { putWords } = await import('../queries.ts')
    const [row] = await server.world.query<{ seq: string; created_at: Date }>(
      'select seq, created_at from cell.decision_words where center_id = $1',
      [office.center.id],
    )
    await server.services.cells
      .of('main')
      .inTenantJob(office.center.id, 'test', (tx) =>
        putWords(tx, [{ ...(row as { seq: string; created_at: Date }), epoch: 0, tokens: [1, 2, 3], amount: 5 }]),
      )
    const [kept] = await server.world.query('select tokens, amount from cell.decision_words where center_id = $1', [
      office.center.id,
    ])
    expect(kept).toEqual({ tokens: [], amount: null })
  })
})

describe('400', () => {
  it.each([
    ['nine words', 'q=하나 둘은 셋은 넷은 다섯 여섯 일곱 여덟 아홉'],
    ['a long text', `q=${'가'.repeat(201)}`],
    ['an empty text', 'q='],
    ['a foreign cursor', 'q=환불&cursor=evt_nonsense'],
    ['a large page', 'q=환불&limit=51'],
    ['an unknown filter', 'person=1'],
    ['an amount of words', 'minAmount=many'],
  ])('for %s', async (_, query) => {
    const { status, body } = await server.call('GET', `/api/search/decisions?${encodeURI(query)}`, {
      token: office.admin.token,
    })
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('for a search of everything without words', async () => {
    const { status, body } = await server.call('GET', '/api/search', { token: office.admin.token })
    expect([status, body.error?.code]).toEqual([400, 'MISSING_REQUIRED_FIELD'])
  })
})

it('401 without a session, and with an API key', async () => {
  expect((await server.call('GET', '/api/search/decisions?q=x1', {})).status).toBe(401)
  expect((await server.call('GET', '/api/search/decisions?q=x1', { token: office.key })).status).toBe(401)
})
