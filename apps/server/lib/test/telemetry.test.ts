import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Collector, startCollector } from '../../../../tests/support/collector.ts'
import { sampleDecision } from '../../../../tests/support/proof-fixture.ts'
import { sampleEvent } from '../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { startWebhookFixture, type WebhookFixture } from '../../../../tests/support/webhook-fixture.ts'
import { redactingIn } from '../../features/evidence/dpu/test/redacting.ts'

const events = '/api/v1/decision-events'
const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${trace.traceId}-${trace.spanId}-01`
const within = { timeout: 15_000, interval: 50 }
let collector: Collector
let fixture: WebhookFixture

beforeAll(async () => {
  collector = await startCollector()
  fixture = await startWebhookFixture({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector=a%20b',
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
  // The libraries load in the background.
  await vi.waitFor(async () => {
    await fixture.v1('GET', events)
    expect(collector.spans.length).toBeGreaterThan(0)
  }, within)
})
afterAll(async () => {
  await fixture.close()
  await collector.close()
})

const spanOf = (id: string | null) =>
  vi.waitFor(() => {
    const found = collector.spans.find(({ attributes }) => attributes['countersign.request_id'] === id)
    expect(found).toBeDefined()
    return found
  }, within)

describe('the span of a request', () => {
  it('continues the trace of the caller and names operation, center and cell', async () => {
    const answer = await fixture.v1('POST', events, sampleEvent(), { traceparent })
    const id = answer.headers.get('x-request-id')
    expect(await spanOf(id)).toMatchObject({
      name: `POST ${events}`,
      traceId: trace.traceId,
      parentSpanId: trace.spanId,
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': events,
        'http.response.status_code': '201',
        'countersign.operation': 'decisionEvents.record',
        'countersign.center': String(fixture.center.id),
        'countersign.cell': 'main',
      },
    })
    expect(collector.headers.at(-1)).toMatchObject({ 'x-collector': 'a b' })
    const line = fixture.server.logs.find((each) => each.includes(`"requestId":"${id}"`)) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ traceId: trace.traceId, operation: 'decisionEvents.record' })
  })

  it('fails with a failure of the server, not with a refusal', async () => {
    const refused = await fixture.v1('POST', events, {})
    await fixture.server.world.query('revoke select on cell.decision_events from cs_api')
    const failed = await fixture.v1('GET', events)
    await fixture.server.world.query('grant select on cell.decision_events to cs_api')
    expect(await spanOf(refused.headers.get('x-request-id'))).toMatchObject({ isError: false, parentSpanId: '' })
    expect(await spanOf(failed.headers.get('x-request-id'))).toMatchObject({
      isError: true,
      attributes: { 'error.type': expect.stringMatching(/_ERROR$/) },
    })
  })

  it('is not exported where the caller does not sample', async () => {
    const answer = await fixture.v1('GET', events, undefined, { traceparent: traceparent.replace(/1$/, '0') })
    await spanOf((await fixture.v1('GET', events)).headers.get('x-request-id'))
    const id = answer.headers.get('x-request-id')
    expect(collector.spans.some(({ attributes }) => attributes['countersign.request_id'] === id)).toBe(false)
  })
})

it('each delivery attempt is a span, whose traceparent the consumer receives', async () => {
  await fixture.register()
  await fixture.publish()
  const [received] = await fixture.consumer.until(1)
  const [, traceId, spanId] = String(received?.headers.traceparent).split('-')
  await vi.waitFor(() => expect(collector.spans).toContainEqual(expect.objectContaining({ traceId, spanId })), within)
})

describe('the metrics of /metrics', () => {
  it('are exported, histograms with the same number of values', async () => {
    await vi.waitFor(
      () => expect(collector.metrics.get('countersign_requests_total')?.values[0]).toBeGreaterThan(0),
      within,
    )
    const { buckets, count } = collector.metrics.get('countersign_request_seconds') ?? { buckets: [], count: -1 }
    expect(buckets.reduce((sum, each) => sum + each, 0)).toBe(count)
    const names = [...(await fixture.server.services.metrics.text()).matchAll(/^# TYPE (\S+) (?!summary)/gm)]
    expect(names.map(([, name]) => name).filter((name) => !collector.metrics.has(name as string))).toEqual([])
  })
})

describe('the trace of a decision', () => {
  async function kept(id: string): Promise<string | undefined> {
    const { status, body } = await fixture.platform('GET', `/api/decisions/${id}`)
    expect(status).toBe(200)
    return body.data.traceparent
  }

  it('is kept with a recorded event and with the decision of an agent', async () => {
    const recorded = await fixture.v1('POST', events, sampleEvent(), { traceparent })
    const decided = await fixture.v1('POST', '/api/v1/agents/decide', sampleDecision(), { traceparent })
    expect(recorded.body.data.traceparent).toBe(traceparent)
    expect([await kept(recorded.body.data.id), await kept(decided.body.data.eventId)]).toEqual([
      traceparent,
      traceparent,
    ])
  })

  it.each([
    '',
    'none',
    traceparent.toUpperCase(),
    `ff${traceparent.slice(2)}`,
    `00-${'0'.repeat(32)}-${trace.spanId}-01`,
  ])('is not kept for the header "%s"', async (wrong) => {
    const { status, body } = await fixture.v1('POST', events, sampleEvent(), { traceparent: wrong })
    expect([status, body.data.traceparent]).toEqual([201, undefined])
  })

  it('is deleted with the trace id of the record', async () => {
    const aiContext = { traceId: trace.traceId }
    const { body } = await fixture.v1('POST', '/api/v1/agents/decide', sampleDecision({ aiContext }), { traceparent })
    const { eventId, dpu } = body.data
    expect(await kept(eventId)).toBe(traceparent)
    expect((await redactingIn(fixture).redact(dpu.id, ['event.aiContext.traceId'])).status).toBe(201)
    expect(await kept(eventId)).toBeUndefined()
  })

  it('is no part of a repeated request', async () => {
    const body = sampleEvent({ idempotencyKey: 'traced' })
    const first = await fixture.v1('POST', events, body, { traceparent })
    const again = await fixture.v1('POST', events, body, { traceparent: traceparent.replace('4b', '5c') })
    expect([again.status, again.body.data.id, again.body.data.traceparent]).toEqual([
      200,
      first.body.data.id,
      traceparent,
    ])
  })
})

it('a collector that is away delays no request and writes one line', async () => {
  const away: TestServer = await startServer({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
  try {
    const said = () => away.logs.filter((line) => line.includes('telemetry was not delivered'))
    await vi.waitFor(
      async () => {
        expect((await away.call('GET', '/health/live')).status).toBe(200)
        expect(said()).toHaveLength(1)
      },
      { timeout: 30_000, interval: 200 },
    )
  } finally {
    await away.close()
  }
})
