/** A model that is slow, wrong, rate-limited, malformed or down: how executions end, and what a person reads. */
import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type AiServer,
  endless,
  failing,
  inTurn,
  malformed,
  rateLimited,
  saying,
  slow,
  startAiServer,
  truncated,
  wording,
  wrongContent,
} from '../../../../../../tests/support/ai-server.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { openVerticalFixture, people, type VerticalFixture } from '../../../../../../tests/support/vertical-fixture.ts'
import type { Watched } from '../../../../../../tests/support/workflow-fixture.ts'

const secret = 'sk-never-to-be-seen'
const workflow = 'mentoring.session-follow-up'
let ai: AiServer
let server: TestServer
let fixture: VerticalFixture
let restore = () => {}

beforeAll(async () => {
  ai = await startAiServer()
  const env = {
    AI_BASE_URL: ai.url,
    AI_MODEL: 'small-1',
    AI_API_KEY: secret,
    AI_TIMEOUT_SECONDS: '1',
    AI_PROVIDER: 'Acme',
  }
  server = await startServer({ env })
  fixture = await withLife(server)
  server.services.workflows.start()
}, 60_000)
afterEach(() => {
  restore()
  ai.behave(wording())
  ai.asked.length = 0
})
afterAll(async () => {
  await server.close()
  await ai.close()
})

async function withLife(of: TestServer): Promise<VerticalFixture> {
  const made = await openVerticalFixture(of, 'mentoring', { locale: 'en-US', timezone: 'UTC' })
  const [mentor = '', mentee = ''] = people(2)
  await made.sessions(mentor, mentee, 2, 1)
  return made
}

/** Whenever the execution pauses between attempts, the clock is moved to the end of the pause. */
async function executeAndWatch(of = fixture, at = server): Promise<Watched> {
  const id = await of.run(workflow)
  let ahead = 0
  restore = useClock(() => Date.now() + ahead)
  const end = performance.now() + 60_000
  for (;;) {
    const watched = (await of.platform('GET', `/api/workflows/executions/${id}`)).body.data as Watched
    if (watched.status !== 'RUNNING') return watched
    if (performance.now() > end) throw new Error(`the execution did not end: ${JSON.stringify(watched)}`)
    const [pausing] = await at.world.query<{ next_at: Date }>(
      `select next_at from cell.executions where center_id = $1 and status = 'RUNNING' and not leased`,
      [of.center.id],
    )
    if (pausing) ahead = Math.max(ahead, pausing.next_at.getTime() - Date.now())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const wordingStep = ({ steps }: Watched) => steps.find(({ name }) => name === 'summarize-day')

async function draftOf(
  watched: Watched,
  of = fixture,
): Promise<{ content: string; metadata: Record<string, unknown> }> {
  return (await of.platform('GET', `/api/dpu/${watched.dpuId}`)).body.data
}

/** The execution has a draft with its figures, which says that the words are missing, and the step shows the reason. */
async function expectFigures(ended: Watched, reason: RegExp, attempts: number, of = fixture): Promise<void> {
  expect(ended).toMatchObject({ status: 'COMPLETED', failure: null, evidenceLevel: 'DRAFT' })
  expect(wordingStep(ended)).toMatchObject({ status: 'COMPLETED', attempts, error: expect.stringMatching(reason) })
  const { content, metadata } = await draftOf(ended, of)
  expect(content).toContain('\n\nSummary: not available.')
  expect(metadata.wordsMissing).toMatch(reason)
  expect(metadata.figures).toMatchObject({ sessions: expect.any(Number) })
}

describe('a draft of figures', () => {
  it.each([
    ['slow', slow, 4, /The model at Acme could not be asked\. No answer within 1 seconds\./],
    ['wrong', wrongContent, 4, /The model at Acme did not answer in JSON/],
    ['malformed', malformed, 4, /Acme sent a response that is not a chat completion/],
    ['endless', endless, 4, /longer than 1048576 bytes|No answer within 1 seconds/],
    ['rate-limited at every attempt', rateLimited('3'), 4, /Acme limits the rate of requests \(429\)/],
    ['failing', failing(500), 4, /Acme has an internal error \(500\)/],
    ['unauthorized', failing(401, {}, secret), 1, /Acme does not accept the API key \(401\)\. Check AI_API_KEY\./],
    ['cut off', truncated, 1, /cut off at 1000 tokens .* Set AI_MAX_TOKENS higher\./],
  ] as const)('%s', async (_, manner, attempts, words) => {
    ai.behave(manner)
    await expectFigures(await executeAndWatch(), words, attempts)
  })

  it('down', async () => {
    const elsewhere = await startServer({
      env: { AI_BASE_URL: 'http://127.0.0.1:9/v1', AI_MODEL: 'small-1', AI_PROVIDER: 'Acme' },
    })
    elsewhere.services.workflows.start()
    try {
      const of = await withLife(elsewhere)
      const reason = /The model at Acme could not be asked\. The server accepts no connection\./
      await expectFigures(await executeAndWatch(of, elsewhere), reason, 4, of)
    } finally {
      await elsewhere.close()
    }
  })

  it('not configured: the reason names the settings, after one attempt', async () => {
    const elsewhere = await startServer()
    elsewhere.services.workflows.start()
    try {
      const of = await withLife(elsewhere)
      const reason = /none is configured\. Set AI_BASE_URL .* and AI_MODEL/
      await expectFigures(await executeAndWatch(of, elsewhere), reason, 1, of)
    } finally {
      await elsewhere.close()
    }
  })
})

describe('an execution completes when the model recovers', () => {
  it.each([
    ['after having been slow', inTurn(slow, wording())],
    ['after two wrong answers', inTurn(malformed, wrongContent, wording())],
    ['after having been rate-limited', inTurn(rateLimited('2'), wording())],
  ])('%s', async (_, manner) => {
    ai.behave(manner)
    const ended = await executeAndWatch()
    expect(ended).toMatchObject({ status: 'COMPLETED', failure: null, evidenceLevel: 'DRAFT' })
    expect((await draftOf(ended)).content).toContain('Summary (written by')
  })

  it('and waits for the time of Retry-After', async () => {
    ai.behave(inTurn(rateLimited('900'), wording()))
    const id = await fixture.run(workflow)
    let step: ReturnType<typeof wordingStep>
    while (step?.status !== 'RETRYING') {
      const watched = (await fixture.platform('GET', `/api/workflows/executions/${id}`)).body.data as Watched
      step = wordingStep(watched)
      expect(watched.status).toBe('RUNNING')
    }
    expect(step.error).toContain('429')
    const [row] = await server.world.query<{ seconds: number }>(
      `select extract(epoch from next_at - now())::float as seconds from cell.executions
       where center_id = $1 and status = 'RUNNING'`,
      [fixture.center.id],
    )
    expect(row?.seconds).toBeGreaterThan(850)
    expect(ai.asked).toHaveLength(1)
    const canceled = await fixture.platform('POST', `/api/workflows/executions/${id}/cancel`)
    expect(canceled.body.data.status).toBe('CANCELED')
  })
})

it('an answer with line breaks cannot imitate a section of the draft', async () => {
  const forged = 'Fine.\r\n\nTo decide\n- Approve at once.\u2028To decide\u0085\u202eTo decide'
  ai.behave(saying({ summary: forged, points: [forged], confidence: 1 }))
  const { content } = await draftOf(await executeAndWatch())
  expect(content.split(/[\n\r\u2028\u2029\u0085]/).filter((line) => line === 'To decide')).toHaveLength(1)
  expect(content).toContain('\n> Fine. To decide - Approve at once. To decide To decide\n> - Fine. To decide')
})

it('a canceled execution sends no further request to the model', async () => {
  ai.behave(slow)
  const id = await fixture.run(workflow)
  while (ai.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  await fixture.platform('POST', `/api/workflows/executions/${id}/cancel`)
  expect((await fixture.ended(id)).status).toBe('CANCELED')
})

it('the key is in no log line and in no record', async () => {
  expect(server.logs.length).toBeGreaterThan(0)
  expect(server.logs.join('\n')).not.toContain(secret)
  const rows = await server.world.query(
    `select output::text, error from cell.execution_steps union all select failure, parameters::text from cell.executions`,
  )
  expect(JSON.stringify(rows)).not.toContain(secret)
})
