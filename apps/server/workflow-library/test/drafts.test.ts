/**
 * The complete drafts of all workflows in both languages, from fixed data in PostgreSQL. `drafts.txt` holds what they
 * must say, to the character, with figures, tags and the digest of the model's input: a record that a person signs
 * must not change with the code. After an intended change, delete the file: the next run of this test writes it.
 */
import type { Json } from '@countersign/proof/canonical.ts'
import { tradeTerms } from '@countersign/words/trades.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AiServer, startAiServer, wording } from '../../../../tests/support/ai-server.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { openVerticalFixture, type VerticalFixture } from '../../../../tests/support/vertical-fixture.ts'
import { openAi } from '../../features/automation/workflows/ai/openai-compatible.ts'
import type { AiProvider } from '../../features/automation/workflows/ai/provider.ts'
import type { Definition, Draft, StepContext } from '../../features/automation/workflows/api.ts'
import { makeCatalogue } from '../../features/automation/workflows/catalogue.ts'
import { useClock } from '../../lib/clock.ts'
import { newUuid } from '../../lib/ids.ts'
import { definitions } from '../all.ts'

/** Monday 09:30 in Seoul. */
const now = Date.parse('2026-11-16T00:30:00Z')
const day = 86_400_000
const person = (digit: number): string => `0198c5f2-7d1a-7c3e-9b40-0000000000${digit}${digit}`
const daysAgo = (days: number): Date => new Date(now - days * day)

let server: TestServer
let ai: AiServer
let provider: AiProvider
let busy: VerticalFixture
let quiet: VerticalFixture
let restore = () => {}

beforeAll(async () => {
  ai = await startAiServer()
  ai.behave(wording('As listed; 4711 was not asked for.', 0.75))
  const settings = { baseUrl: ai.url, model: 'small-1', provider: 'test', timeoutSeconds: 10, maxTokens: 500 }
  provider = openAi({ ...settings, apiKey: null })
  server = await startServer()
  restore = useClock(() => now - 10 * day)
  busy = await openVerticalFixture(server, 'welfare')
  await settle(busy)
  restore = useClock(() => now)
  quiet = await openVerticalFixture(server, 'welfare')
  await book(busy)
  await record(busy)
}, 60_000)
afterAll(async () => {
  restore()
  await provider.close()
  await server.close()
  await ai.close()
})

/** Three instructors and four clients; one client comes less often, one not at all, one has the next session booked. */
async function book({ center }: VerticalFixture): Promise<void> {
  const sessions: [instructor: number, client: number, days: readonly number[]][] = [
    [1, 4, [0.9, 2, 3, 9, 16, 23, 30]],
    [1, 5, [1, 8, 9, 10, 15, 16, 17, 22, 23, 24, 29, 30, 31]],
    [1, 6, [15, 16, 19, 20, 26, 27, 100, 130]],
    [2, 4, [0.8]],
    [3, 7, [4, 5, 45, -4]],
  ]
  for (const [instructor, client, days] of sessions) {
    for (const each of days) {
      await server.world.query(
        `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
         values ($1, $2, $3, $4, $4, $5, $5::timestamptz + interval '50 minutes', now())`,
        [
          center.id,
          newUuid(now - Math.round(1000 * each)),
          person(instructor),
          person(client),
          daysAgo(each + client / 20),
        ],
      )
    }
  }
  // The client who had one session this week missed it, and one of the client who comes most was attended.
  await server.world.query(
    `insert into cell.attendance (center_id, id, kind, source, booking_id, client_id, instructor_id, at, recorded_at)
     select center_id, id, case booked_for when $2 then 'no_show' else 'attended' end, 'booking', id, booked_for,
       instructor_id, starts_at, now()
     from cell.bookings where center_id = $1 and booked_for in ($2, $3) and starts_at > $4`,
    [center.id, person(5), person(4), daysAgo(2)],
  )
}

async function record({ record: one }: VerticalFixture): Promise<void> {
  const all: [tag: string, type: string, days: number, input?: Json, result?: 'approved' | 'rejected'][] = [
    ['case', 'benefit.extend', 30],
    ['case', 'benefit.end', 2, null, 'approved'],
    ['case', 'benefit.end', 9, null, 'rejected'],
    ['attendance:present', 'attendance.check', 2],
    ['attendance:present', 'attendance.check', 8],
    ['attendance:absent', 'attendance.check', 3, { learner: 'L-7' }],
    ['attendance:absent', 'attendance.check', 4, { learner: 'L-7' }],
    ['dispensed', 'dispense', 40, { reference: 'R-1', daysSupply: 30 }],
    ['dispensed', 'dispense', 8, { reference: 'R-2', daysSupply: 10 }],
    ['dispensed', 'dispense', 8, { reference: 'R-3', daysSupply: 90 }],
    ['dispensed', 'dispense', 100, { reference: 'R-4', daysSupply: 7 }],
    ['dispensed', 'dispense', 8, { reference: 'R-5' }],
    ['intervention', 'dose.adjust', 2, null, 'rejected'],
    ['intervention', 'dose.adjust', 3, null, 'rejected'],
    ['intervention', 'dose.adjust', 4, null, 'approved'],
    ['intervention', 'switch', 5],
    ['intervention', 'switch', 40, null, 'approved'],
    ['stock', 'stock.count', 0.1, { sku: 'TEA-1', onHand: 10, dailySales: 2, leadDays: 5 }],
    ['stock', 'stock.count', 3, { sku: 'TEA-1', onHand: 90, dailySales: 2, leadDays: 5 }],
    ['stock', 'stock.count', 1, { sku: 'TEA-2', onHand: 90, dailySales: 2, leadDays: 5 }],
    ['stock', 'stock.count', 9, { sku: 'TEA-3', onHand: 1, dailySales: 2, leadDays: 5 }],
    ['stock', 'stock.count', 2, { sku: 'TEA-4' }],
    ['payment', 'refund', 2],
    ['payment', 'refund', 40, null, 'rejected'],
    ['estimate', 'estimate.send', 20],
    ['estimate', 'estimate.send', 30, null, 'approved'],
  ]
  for (const [tag, type, days, input, result] of all) {
    const action = { type, ...(input && { input }) }
    await one({ action, tags: [tag], occurredAt: daysAgo(days).toISOString() }, result)
  }
}

/** Ten days earlier: a draft that stays unreviewed, and a decision of an agent that waits for an approval. */
async function settle({ platform, key }: VerticalFixture): Promise<void> {
  const policy = { name: 'Risk', match: { actorTypes: ['ai_agent'] }, guards: { riskThreshold: 0.5 } }
  const agent = {
    agent: { id: 'agent-1' },
    action: { type: 'home.visit' },
    reason: 'A call.',
    tags: ['case'],
    riskScore: 0.9,
  }
  const made = [
    await platform('POST', '/api/dpu/demo', {}),
    await platform('POST', '/api/policies', policy),
    await server.call('POST', '/api/v1/agents/decide', { token: key, body: agent }),
  ]
  for (const { status, text } of made) if (status !== 201) throw new Error(text)
}

const chosen: Record<string, object> = {
  'education.term-report': { from: '2026-09-01', to: '2026-11-15' },
  'education.tuition-refund': {
    ...{ learner: 'Lee Haneul', on: '2026-11-12', firstDay: '2026-11-02', lastDay: '2027-01-31' },
    ...{ paid: 900_000, months: 3, month: 1, taught: 4, total: 12 },
  },
  'interior.estimate-review': {
    project: 'P-31',
    budget: 3_000_000,
    lines: [
      { item: 'Oak floor', quantity: 42, unitPrice: 90_000, referencePrice: 75_000 },
      { item: 'Lamp', quantity: 1, unitPrice: 40, referencePrice: 80 },
      { item: 'Design', quantity: 0.1, unitPrice: 3 },
    ],
  },
}
const failed = { reason: 'gateway_timeout', amount: 45_000, currency: 'KRW' }
const catalogue = makeCatalogue(definitions)

async function draftOf(definition: Definition, { center }: VerticalFixture, locale: string): Promise<string> {
  const context: StepContext = {
    center: { timezone: 'Asia/Seoul', locale, terms: tradeTerms(definition.vertical) } as StepContext['center'],
    executionId: 'exe_1',
    parameters: catalogue.byKey(definition.key)?.parameters(chosen[definition.key]) ?? {},
    outputs: {},
    scheduledFor: new Date(now),
    startedAt: new Date(now + 3_600_000),
    event:
      definition.key.startsWith('commerce') && center === busy.center ? { type: 'payment.failed', data: failed } : null,
    read: (work) => server.services.cells.of('main').inTenantRead(center.id, 'test', work),
    ai: provider,
    signal: new AbortController().signal,
  }
  let outputs: StepContext['outputs'] = {}
  let last: Json = null
  for (const { name, run } of definition.steps) {
    // As the engine does: steps see each other's outputs as JSON.
    last = JSON.parse(JSON.stringify(await run({ ...context, outputs }))) as Json
    outputs = { ...outputs, [name]: last }
  }
  const { content, tags, metadata, ai: used } = last as unknown as Draft
  const figures = Object.entries(metadata?.figures as object).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    content.replaceAll(/evt_\w+/g, 'evt_…'),
    '',
    `tags: ${tags.join(', ')}`,
    `figures: ${figures.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ')}`,
    `prompt: ${used?.promptHash ?? 'none'}`,
  ].join('\n')
}

describe('drafts', () => {
  it('are those of drafts.txt, in a busy and in a quiet center, in English and Korean', async () => {
    const drafts: string[] = []
    for (const definition of definitions) {
      for (const [name, fixture, locale] of [
        ['busy, English', busy, 'en-US'],
        ['busy, Korean', busy, 'ko-KR'],
        ['quiet, English', quiet, 'en-US'],
      ] as const) {
        drafts.push(`===== ${definition.key} (${name})\n${await draftOf(definition, fixture, locale)}\n`)
      }
    }
    await expect(drafts.join('\n')).toMatchFileSnapshot('drafts.txt')
  })
})
