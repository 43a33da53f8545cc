import { createHash } from 'node:crypto'
import { sentenceOf, sentenceParts } from '@countersign/proof/action-template.ts'
import { canonical } from '@countersign/proof/canonical.ts'
import { chainVerifier } from '@countersign/proof/verify-chain.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const body = {
  name: { ko: '대출 상환', en: 'Loan payment' },
  sentence: { ko: '{/to}에게 {/payment/won}원 상환', en: 'Pay {/payment/won} won to {/to}' },
  labels: { '/payment/won': { ko: '금액(원)', en: 'Amount in won' }, '/to': { en: 'Recipient' } },
}
const pathOf = (type: string) => `/api/action-types/${encodeURIComponent(type)}`
const put = (type = 'loan.pay', overrides: object = {}, headers = {}) =>
  fixture.platform('PUT', pathOf(type), { ...body, ...overrides }, headers)
const get = (type = 'loan.pay') => fixture.platform('GET', pathOf(type))
const remove = (type = 'loan.pay', headers = {}) => fixture.platform('DELETE', pathOf(type), undefined, headers)
const list = async () =>
  (await fixture.platform('GET', '/api/action-types')).body.data as { type: string; version: number }[]
const own = async () => (await list()).filter(({ version }) => version > 0)
const stored = () =>
  server.world.query<{ version: number; deleted: boolean }>(
    'select version, deleted from cell.action_type_versions where center_id = $1 order by version',
    [fixture.center.id],
  )

describe('PUT /action-types/{type}', () => {
  it('200: makes the first version, and a further one with each call', async () => {
    const { status, body: answer } = await put()
    expect(status).toBe(200)
    expect(answer.data).toEqual({
      ...body,
      type: 'loan.pay',
      version: 1,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      createdAt: expect.stringMatching(/Z$/),
    })
    const short = (await put('loan.pay', { name: { en: 'Pay' }, sentence: undefined, labels: undefined })).body.data
    expect(short).toMatchObject({ version: 2, name: { en: 'Pay' }, sentence: null, labels: {} })
    expect((await get()).body.data).toEqual(short)
    expect(await own()).toEqual([short])
  })

  it('200: has the digest of its canonical form, which a third party can compute', async () => {
    const { type, name, sentence, labels, digest } = (await put()).body.data
    const text = canonical({ type, name, sentence, labels })
    expect(digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`)
  })

  it.each(['Loan.Pay', ' loan .pay', 'loan\u200b.pay', 'ｌｏａｎ．ｐａｙ', 'LOAN.PAY'])(
    '200: %j is the same type, kept as sent',
    async (spelling) => {
      await put()
      expect((await get(spelling)).body.data).toMatchObject({ type: 'loan.pay', version: 1 })
      if (spelling.includes('\u200b')) return
      expect((await put(spelling)).body.data).toMatchObject({ type: spelling, version: 2 })
      expect(await own()).toHaveLength(1)
    },
  )

  it('200: makes one version per Idempotency-Key', async () => {
    const once = { 'idempotency-key': 'type-1' }
    const [first, again] = [await put('loan.pay', {}, once), await put('loan.pay', {}, once)]
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await stored()).toHaveLength(1)
  })

  it('200: fifty at once are fifty versions without a gap, each sealed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => put('loan.pay', { name: { en: `Name ${n}` } })),
    )
    const versions = answers.map(({ status, body: answer }) => [status, answer.data?.version])
    expect(versions.sort(([, a], [, b]) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => [200, n + 1]))
    const last = answers.find(({ body: answer }) => answer.data.version === 50)?.body.data
    expect((await get()).body.data).toEqual(last)
    const { body: answer } = await fixture.platform('GET', '/api/dpu/verify-chain?mode=records')
    expect(answer.data.domains.history).toMatchObject({ valid: true, chainLength: 50 })
  })

  const labels = (count: number, text = 'x') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`/${n}`, { en: text }]))
  it('200: takes the most and the longest texts', async () => {
    const most = {
      name: { en: 'n'.repeat(60) },
      sentence: { en: `{/${'p'.repeat(297)}}` },
      labels: labels(100, 'l'.repeat(60)),
    }
    expect((await put('t'.repeat(200), most)).status).toBe(200)
  })

  it.each([
    ['without a name', { name: undefined }, 'MISSING_REQUIRED_FIELD'],
    ['with a name in no language', { name: {} }, 'VALIDATION_ERROR'],
    ['with a name in a third language', { name: { ja: '返金' } }, 'VALIDATION_ERROR'],
    ['with a blank name', { name: { ko: ' ' } }, 'VALIDATION_ERROR'],
    ['with a long name', { name: { ko: 'n'.repeat(61) } }, 'VALIDATION_ERROR'],
    ['with a direction character in the name', { name: { ko: 'a\u202eb' } }, 'VALIDATION_ERROR'],
    ['with a line break in the sentence', { sentence: { ko: 'a\nb' } }, 'VALIDATION_ERROR'],
    ['with an isolate in the sentence', { sentence: { ko: 'a\u2067b' } }, 'VALIDATION_ERROR'],
    ['with an invisible character in the sentence', { sentence: { ko: 'a\u200bb' } }, 'VALIDATION_ERROR'],
    ['with a long sentence', { sentence: { ko: 'n'.repeat(301) } }, 'VALIDATION_ERROR'],
    ['with an open brace', { sentence: { en: 'Pay {/won' } }, 'VALIDATION_ERROR'],
    ['with nested braces', { sentence: { en: 'Pay {{/won}}' } }, 'VALIDATION_ERROR'],
    ['with a placeholder that is no pointer', { sentence: { en: 'Pay {won}' } }, 'VALIDATION_ERROR'],
    ['with a number as a sentence', { sentence: 4 }, 'VALIDATION_ERROR'],
    ['with a label for no pointer', { labels: { won: { en: 'x' } } }, 'VALIDATION_ERROR'],
    ['with a label for a wrong pointer', { labels: { '/a~2': { en: 'x' } } }, 'VALIDATION_ERROR'],
    ['with a hidden character in a pointer', { labels: { '/a\u202e': { en: 'x' } } }, 'VALIDATION_ERROR'],
    ['with a hidden character in a label', { labels: { '/a': { en: 'x\u2066' } } }, 'VALIDATION_ERROR'],
    ['with a long label', { labels: labels(1, 'l'.repeat(61)) }, 'VALIDATION_ERROR'],
    ['with many labels', { labels: labels(101) }, 'VALIDATION_ERROR'],
    ['with another member', { template: 'x' }, 'VALIDATION_ERROR'],
    [
      'with many bytes in all',
      { labels: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`/${n}${'p'.repeat(190)}`, { en: 'x' }])) },
      'VALIDATION_ERROR',
    ],
  ])('400: %s', async (_, overrides, code) => {
    const { status, body: answer } = await put('loan.pay', overrides)
    expect([status, answer.error.code]).toEqual([400, code])
    expect(await stored()).toEqual([])
  })

  it.each([
    'countersign.policy',
    'Countersign.x',
    ' counter sign.x',
    'ｃｏｕｎｔｅｒｓｉｇｎ．x',
    'countersign․x',
    'counter\u200bsign.x',
    '\u00ad',
    ' ',
    'a\u0000',
    't'.repeat(201),
    '\ufdfa'.repeat(60),
  ])('400 VALIDATION_ERROR: the type %j', async (type) => {
    const { status, body: answer } = await put(type)
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(await stored()).toEqual([])
  })

  it('409 CONFLICT: when three hundred types were made, in force or not; another version is still made', async () => {
    await put()
    await server.world.query(
      `insert into cell.action_type_versions (center_id, id, version, key, template, digest, deleted, created_by,
         created_at, change_hash)
       select $1, gen_random_uuid(), 1, 'x' || n, '{}', 'sha256:' || encode(sha256('{}'), 'hex'), n % 2 = 0, 'x', now(), 'x'
       from generate_series(1, 298) n`,
      [fixture.center.id],
    )
    const contenders = await Promise.all(Array.from({ length: 20 }, (_, n) => put(`new.${n}`)))
    expect(contenders.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect((await put()).status).toBe(200)
    expect((await put('x2')).body.data).toMatchObject({ type: 'x2', version: 2 })
  })
})

describe('GET /action-types', () => {
  it('200: an INSTRUCTOR reads the types of the center and those of its vertical, by name', async () => {
    await put('refund')
    await put()
    const { status, body: answer } = await server.call('GET', '/api/action-types', { token: fixture.instructorToken })
    expect(status).toBe(200)
    const types = (answer.data as { type: string; version: number }[]).map(({ type, version }) => [type, version])
    expect(types).toEqual([...types].sort())
    expect(types).toContainEqual(['refund', 1])
    expect(types).toContainEqual(['loan.pay', 1])
    // The centers of these tests are in education.
    expect(types).toContainEqual(['lesson.move', 0])
    expect(types.filter(([type]) => type === 'refund')).toHaveLength(1)
    expect(types.some(([type]) => type === 'dose.adjust')).toBe(false)
  })

  it('200: a starting template has the version 0, no time, and the digest of its canonical form', async () => {
    const { data } = (await get('Money.Refund')).body
    expect(data).toMatchObject({
      type: 'money.refund',
      version: 0,
      createdAt: null,
      name: { ko: '환불', en: 'Refund' },
    })
    const { type, name, sentence, labels } = data
    expect(data.digest).toBe(
      `sha256:${createHash('sha256').update(canonical({ type, name, sentence, labels })).digest('hex')}`,
    )
  })
})

describe('DELETE /action-types/{type}', () => {
  it('204: the starting template applies again, and a later version goes on counting', async () => {
    await put('refund')
    expect((await remove('REFUND')).status).toBe(204)
    expect((await get('refund')).body.data).toMatchObject({ type: 'refund', version: 0 })
    expect((await put('refund')).body.data).toMatchObject({ version: 3 })
    expect((await stored()).map(({ deleted }) => deleted)).toEqual([false, true, false])
  })

  it('204: withdraws once per Idempotency-Key, and fifty at once withdraw once', async () => {
    await put()
    const once = { 'idempotency-key': 'delete-1' }
    for (const replayed of [null, 'true']) {
      const { status, headers } = await remove('loan.pay', once)
      expect([status, headers.get('idempotency-replayed')]).toEqual([204, replayed])
    }
    await put()
    const answers = await Promise.all(Array.from({ length: 50 }, () => remove()))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(49).fill(404)])
  })

  it.each(['never.made', 'refund', '\u00ad', 'countersign.policy'])(
    '404 NOT_FOUND: %j, of which the center has none of its own',
    async (type) => {
      const { status, body: answer } = await remove(type)
      expect([status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
    },
  )
})

describe('another caller', () => {
  it('403 INSUFFICIENT_ROLE: an INSTRUCTOR changes nothing', async () => {
    await put()
    for (const [method, sent] of [
      ['PUT', body],
      ['DELETE', undefined],
    ] as const) {
      const { status, body: answer } = await server.call(method, pathOf('loan.pay'), {
        token: fixture.instructorToken,
        ...(sent && { body: sent }),
      })
      expect([status, answer.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    }
    expect(await stored()).toHaveLength(1)
  })

  it.each([
    ['GET', '/api/action-types', undefined],
    ['GET', pathOf('loan.pay'), undefined],
    ['PUT', pathOf('loan.pay'), body],
    ['DELETE', pathOf('loan.pay'), undefined],
  ] as const)('401 UNAUTHORIZED: %s %s with an API key or nothing', async (method, path, sent) => {
    for (const token of [fixture.key, undefined]) {
      const { status, body: answer } = await server.call(method, path, {
        ...(token !== undefined && { token }),
        ...(sent && { body: sent }),
      })
      expect([status, answer.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  it('sees and changes the types of its own center only', async () => {
    const elsewhere = await openProofFixture(server)
    await put()
    for (const method of ['GET', 'DELETE']) {
      const { status, body: answer } = await elsewhere.platform(method, pathOf('loan.pay'))
      expect([status, answer.error.code]).toEqual([404, 'NOT_FOUND'])
    }
    const { data } = (await elsewhere.platform('GET', '/api/action-types')).body
    expect(data.every(({ version }: { version: number }) => version === 0)).toBe(true)
    expect((await elsewhere.platform('PUT', pathOf('loan.pay'), body)).body.data.version).toBe(1)
    expect((await get()).body.data.version).toBe(1)
  })
})

describe('every change', () => {
  it('is an entry of the chain history, which commits to the template, and an audit entry', async () => {
    await put('Loan.Pay')
    await put()
    await remove()
    const { body: lines } = await fixture.v1('GET', '/api/v1/chains/history/entries')
    const verifier = chainVerifier({ log: `countersign.test/c/${fixture.center.id}/history` })
    for (const line of lines) verifier.add(line)
    expect(verifier.result()).toMatchObject({ valid: true, chainLength: 3 })
    const targets = new Set(lines.map(({ content }: { content: { target: string } }) => content.target))
    expect([...targets]).toEqual([expect.stringMatching(/^act_/)])
    let previous: string | null = null
    for (const { content, hash } of lines) {
      expect(content).toMatchObject({ type: 'actionType', previous })
      expect(Object.keys(content.commitments)).toEqual(['action', 'actionType', 'by', 'digest', 'key', 'version'])
      previous = hash
    }
    const disclosed = await server.world.query<{ disclosed: object }>(
      'select disclosed from cell.history where center_id = $1 order by idx',
      [fixture.center.id],
    )
    expect(disclosed.map((row) => row.disclosed)).toMatchObject([
      { actionType: { ...body, type: 'Loan.Pay' }, key: 'loan.pay', version: 1, action: 'created' },
      { actionType: { ...body, type: 'loan.pay' }, key: 'loan.pay', version: 2, action: 'updated' },
      { actionType: { type: 'loan.pay' }, version: 3, action: 'deleted', by: { id: fixture.admin.actorId } },
    ])
    const { body: audit } = await fixture.platform('GET', '/api/audit?type=policy.changed')
    expect(audit.data.map((entry: { action: string }) => entry.action)).toEqual([
      'action_type_deleted',
      'action_type_updated',
      'action_type_created',
    ])
  })

  it('422 CHAIN_BROKEN: is refused while that chain is broken', async () => {
    await put()
    await server.world.query('update cell.chain_heads set broken_at = 0 where center_id = $1', [fixture.center.id])
    for (const answer of [await put(), await remove()]) {
      expect([answer.status, answer.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    }
    expect(await stored()).toHaveLength(1)
  })
})

describe('GET /decisions/{eventId}', () => {
  const shown = async (type: string, input: object = {}) => {
    const { id } = await fixture.record({ action: { type, description: 'Refund 82,000 won', input } })
    const answer = await fixture.platform('GET', `/api/decisions/${id}`)
    expect(answer.status).toBe(200)
    return answer.body.data.actionType
  }

  it.each(['loan.pay', 'LOAN.pay', 'loan . pay', 'ｌｏａｎ．ｐａｙ', 'loan.p\u200bay', 'Loan.Pay\u202e'])(
    '200: the template of %j, with which its values are the headline',
    async (type) => {
      const { createdAt: _, ...made } = (await put('Loan.Pay')).body.data
      const input = { to: 'Kim', payment: { won: 820_000_000 } }
      const template = await shown(type, input)
      expect(template).toEqual(made)
      expect(sentenceOf(sentenceParts(template.sentence.en, input))).toBe('Pay 820,000,000 won to Kim')
    },
  )

  it('200: a type in letters that only Unicode folds', async () => {
    await put('ÖDEME.STRASSE')
    expect(await shown('ödeme.straße')).toMatchObject({ type: 'ÖDEME.STRASSE', version: 1 })
  })

  it('200: that of the vertical until the center makes one and after it is withdrawn', async () => {
    expect(await shown('Refund')).toMatchObject({ type: 'refund', version: 0 })
    await put('refund')
    expect(await shown('refund')).toMatchObject({ version: 1 })
    await remove('refund')
    expect(await shown('refund')).toMatchObject({ version: 0 })
  })

  it('200: null where there is none, also where another center has one', async () => {
    const elsewhere = await openProofFixture(server)
    await elsewhere.platform('PUT', pathOf('loan.pay'), body)
    expect(await shown('loan.pay')).toBeNull()
    expect(await shown('t'.repeat(10_000))).toBeNull()
    await put()
    await remove()
    expect(await shown('loan.pay')).toBeNull()
  })
})
