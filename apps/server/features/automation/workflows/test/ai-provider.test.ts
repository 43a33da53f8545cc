import { hash } from 'node:crypto'
import { inspect } from 'node:util'
import { canonical } from '@countersign/proof/canonical.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type AiManner,
  type AiServer,
  endless,
  failing,
  malformed,
  rateLimited,
  saying,
  slow,
  startAiServer,
  truncated,
  wording,
  wrongContent,
} from '../../../../../../tests/support/ai-server.ts'
import { freePort } from '../../../../../../tools/postgres.ts'
import { readConfig } from '../../../../config/config.ts'
import { useClock } from '../../../../lib/clock.ts'
import { openAi } from '../ai/openai-compatible.ts'
import type { AiProvider } from '../ai/provider.ts'
import { StepFailure } from '../definition.ts'

const key = 'sk-this-is-a-secret-of-tests'
const needed = { DATABASE_URL: 'postgres://h/d', SECRET_KEY: Buffer.alloc(32).toString('base64') }
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'points'],
  properties: { summary: { type: 'string', minLength: 1 }, points: { type: 'array', items: { type: 'string' } } },
} as const
const prompt = { instructions: 'Word it.', input: { sessions: 12, clients: ['…a1b2c3'] } }

let ai: AiServer
const opened: AiProvider[] = []
beforeAll(async () => {
  ai = await startAiServer()
})
afterEach(async () => {
  ai.behave(wording())
  ai.asked.length = 0
  await Promise.all(opened.splice(0).map((each) => each.close()))
})
afterAll(() => ai.close())

const settings = (env = {}) =>
  readConfig({ ...needed, AI_BASE_URL: `${ai.url}/`, AI_MODEL: 'small-1', AI_API_KEY: key, ...env })

function open(env = {}): AiProvider {
  const provider = openAi(settings(env).ai)
  opened.push(provider)
  return provider
}
const ask = (env = {}, signal = new AbortController().signal) => open(env).complete({ ...prompt, schema, signal })

async function failure(manner: AiManner | null, env = {}): Promise<StepFailure> {
  if (manner) ai.behave(manner)
  const error = await ask(env).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StepFailure)
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key)
  return error as StepFailure
}

describe('a model that answers', () => {
  it('gets one request, without streaming, at temperature 0, with a token limit and the schema', async () => {
    await ask({ AI_MAX_TOKENS: '321' })
    expect(ai.asked).toHaveLength(1)
    const [{ path, headers, body } = expect.unreachable()] = ai.asked
    expect(path).toBe('/v1/chat/completions')
    expect(headers.authorization).toBe(`Bearer ${key}`)
    expect(body).toMatchObject({
      model: 'small-1',
      stream: false,
      temperature: 0,
      max_tokens: 321,
      messages: [
        { role: 'system', content: 'Word it.' },
        { role: 'user', content: '{"clients":["…a1b2c3"],"sessions":12}' },
      ],
      response_format: { type: 'json_schema', json_schema: { strict: true } },
    })
    expect(body.response_format?.json_schema?.schema).toMatchObject({
      required: ['summary', 'points', 'confidence'],
      properties: { ...schema.properties, confidence: { type: ['number', 'null'] } },
    })
  })

  it('returns its answer with the provider, the model and the hash of the prompt', async () => {
    ai.behave(wording('All is well.', 0.75))
    expect(await ask()).toEqual({
      answer: { summary: 'All is well.', points: ['Look at the list.'] },
      model: 'small-1',
      provider: '127.0.0.1',
      confidence: 0.75,
      promptHash: `sha256:${hash('sha256', canonical({ ...prompt, schema, model: 'small-1' }), 'hex')}`,
    })
  })

  it('has the provider name of the settings and the model name of the server', async () => {
    ai.behave((asked, response) => wording()({ ...asked, body: { ...asked.body, model: 'small-1-2026' } }, response))
    expect(await ask({ AI_PROVIDER: 'In-house' })).toMatchObject({ provider: 'In-house', model: 'small-1-2026' })
  })

  it('gets no key where none is set, and answers in text without a schema', async () => {
    ai.behave(saying('Just words.'))
    const { signal } = new AbortController()
    expect(await open({ AI_API_KEY: '' }).complete({ ...prompt, signal })).toMatchObject({
      answer: 'Just words.',
      confidence: null,
    })
    expect(ai.asked[0]?.headers.authorization).toBeUndefined()
    expect(ai.asked[0]?.body.response_format).toBeUndefined()
  })

  it.each([['high'], [1.5], [-0.1], [null], [undefined]])('with the confidence %s has none', async (said) => {
    ai.behave(saying({ summary: 'x', points: [], confidence: said }))
    expect((await ask()).confidence).toBeNull()
  })

  it.each([[0], [1]])('may have the confidence %s', async (said) => {
    ai.behave(saying({ summary: 'x', points: [], confidence: said }))
    expect((await ask()).confidence).toBe(said)
  })
})

/** Refuses requests that have one of these members, with a message that names it or not. */
const refusing =
  (members: readonly string[], message: (member: string) => string): AiManner =>
  (asked, response) => {
    const format = asked.body.response_format
    const has = [...Object.keys(asked.body), format?.type ?? '', format?.json_schema?.strict ? 'strict' : '']
    const member = members.find((each) => has.includes(each))
    return member ? failing(400, {}, message(member))(asked, response) : wording()(asked, response)
  }

describe('a server that knows less', () => {
  const named = (member: string) => `Unsupported parameter: '${member}'.`
  it.each([
    ['max_tokens', ['max_tokens'], named, 2, { max_completion_tokens: 1000 }],
    ['every token limit', ['max_tokens', 'max_completion_tokens'], named, 3, {}],
    ['temperature', ['temperature'], named, 2, { max_tokens: 1000 }],
    ['strict schemas', ['strict'], named, 2, { response_format: { type: 'json_schema' } }],
    ['schemas', ['json_schema'], named, 3, { response_format: { type: 'json_object' } }],
    ['response_format', ['response_format'], named, 4, {}],
    ['all of them', ['response_format', 'max_tokens', 'temperature'], named, 6, { max_completion_tokens: 1000 }],
    ['all of them, and says nothing', ['response_format', 'max_tokens', 'temperature'], () => 'no', 7, {}],
  ] as const)('refuses %s: it is asked in simpler forms, and the next time in the form that worked', async (...row) => {
    const [, members, message, requests, kept] = row
    ai.behave(refusing(members, message))
    const provider = open({ AI_MAX_TOKENS: '1000' })
    const complete = () => provider.complete({ ...prompt, schema, signal: new AbortController().signal })
    const answer = await complete()
    expect(ai.asked).toHaveLength(requests)
    expect(await complete()).toEqual(answer)
    expect(ai.asked).toHaveLength(requests + 1)
    const last = ai.asked.at(-1)?.body
    expect(last).toMatchObject(kept)
    for (const member of members) expect(last).not.toHaveProperty(member)
    const inWords = last?.response_format?.type !== 'json_schema'
    expect(last?.messages[0]?.content.includes('"confidence"')).toBe(inWords)
  })

  it.each([
    ['in a code fence', '```json\n{"summary": "x", "points": [], "confidence": 1}\n```'],
    ['in a code fence after words', 'Here it is:\n\n```\n{"summary": "x", "points": [], "confidence": 1}\n```\nDone.'],
    ['after thinking aloud', '<think>{"summary": 1}</think>\n{"summary": "x", "points": [], "confidence": 1}'],
  ])('answers %s', async (_, text) => {
    ai.behave(saying(text))
    expect(await ask()).toMatchObject({ answer: { summary: 'x', points: [] }, confidence: 1 })
    expect(ai.asked).toHaveLength(1)
  })

  it('ignores the schema: it is asked again with the schema in words', async () => {
    ai.behave((asked, response) =>
      (asked.body.messages[0]?.content.includes('JSON schema') ? wording('As asked.') : wrongContent)(asked, response),
    )
    expect(await ask()).toMatchObject({ answer: { summary: 'As asked.' } })
    expect(ai.asked).toHaveLength(2)
  })
})

describe('retried', () => {
  it.each([
    ['slow', slow, 'No answer within 1 seconds.'],
    ['malformed', malformed, 'not a chat completion'],
    ['empty', saying(''), 'not a chat completion'],
    ['talkative', wrongContent, 'did not answer in JSON'],
    ['with another schema', saying({ summary: 7, points: [] }), 'does not match the requested schema: summary'],
    [
      'with an additional member',
      saying({ summary: 'x', points: [], extra: 1 }),
      'does not match the requested schema',
    ],
    ['with a lone surrogate', saying('{"summary":"\\ud800","points":[],"confidence":1}'), 'cannot be stored'],
    ['endless', endless, 'longer than 1048576 bytes'],
    ['failing', failing(500), 'has an internal error (500)'],
  ] as const)('%s', async (_, manner, words) => {
    const error = await failure(manner, { AI_TIMEOUT_SECONDS: manner === endless ? '60' : '1' })
    expect(error.message).toContain(words)
    expect([error.retry, error.retryAfterSeconds]).toEqual([true, null])
  })

  it('down', async () => {
    const error = await failure(null, { AI_BASE_URL: `http://127.0.0.1:${await freePort()}` })
    expect(error.message).toBe('The model at 127.0.0.1 could not be asked. The server accepts no connection.')
    expect(error.retry).toBe(true)
  })

  it('a name without address', async () => {
    const error = await failure(null, { AI_BASE_URL: 'http://models.invalid/v1' })
    expect(error.message).toMatch(/^The model at models\.invalid could not be asked\. /)
    expect(error.retry).toBe(true)
  })

  it.each([
    ['7', 7],
    ['99999999', 3600],
    ['Sun, 15 Nov 2026 12:00:30 GMT', 30],
    ['soon', null],
    ['-5', null],
    ['0', null],
  ])('rate-limited, after what Retry-After says: %s', async (header, seconds) => {
    const restore = useClock(() => Date.parse('2026-11-15T12:00:00Z'))
    try {
      for (const manner of [rateLimited(header), failing(503, { 'retry-after': header })]) {
        const error = await failure(manner)
        expect([error.retry, error.retryAfterSeconds]).toEqual([true, seconds])
      }
    } finally {
      restore()
    }
  })
})

describe('not retried, because a person has to act', () => {
  it.each([
    ['401', failing(401, {}, `Incorrect API key provided: ${key}`), 'AI_API_KEY'],
    ['403', failing(403), 'AI_API_KEY'],
    ['404', failing(404), 'AI_BASE_URL and AI_MODEL'],
    ['301', failing(301, { location: 'http://169.254.169.254/' }), 'AI_BASE_URL'],
    ['cut off', truncated, 'AI_MAX_TOKENS'],
    ['refused', saying('', 'content_filter'), 'refused to answer'],
    ['the key in the answer', saying({ summary: key, points: [] }), 'put the key into its answer'],
  ] as const)('%s', async (_, manner, words) => {
    const error = await failure(manner)
    expect(error.message).toContain(words)
    expect(error.retry).toBe(false)
    expect(ai.asked).toHaveLength(1)
  })

  it('400 in every form: the first refusal is shown', async () => {
    let count = 0
    const error = await failure((asked, response) => failing(400, {}, `refusal ${++count}, ${key}`)(asked, response))
    expect(error.message).toContain('It says: refusal 1, [secret]')
    expect([error.retry, count]).toEqual([false, 7])
  })

  it('a request that is too long', async () => {
    const { signal } = new AbortController()
    const telling = open().complete({ ...prompt, input: 'x'.repeat(60_001), schema, signal })
    await expect(telling).rejects.toThrow(/60000 are allowed/)
    await expect(telling).rejects.toMatchObject({ retry: false })
    expect(ai.asked).toHaveLength(0)
  })
})

it('ends at once when the caller aborts', async () => {
  ai.behave(slow)
  const canceled = new AbortController()
  const asking = ask({}, canceled.signal)
  setTimeout(() => canceled.abort(new Error('canceled')), 50)
  await expect(asking).rejects.toThrow('canceled')
})

it('without settings, the failure names them', async () => {
  const provider = openAi(readConfig(needed).ai)
  const asking = provider.complete({ ...prompt, schema, signal: new AbortController().signal })
  await expect(asking).rejects.toThrow(/Set AI_BASE_URL .* and AI_MODEL/)
  await expect(asking).rejects.toMatchObject({ retry: false })
})
