/**
 * A client for OpenAI's chat completions, which most model servers support.
 *
 * The key is sent in one header and appears nowhere else: messages of the server are shown only where they help, and the
 * key is removed from them. An answer that is cut off, does not match the schema or comes late is a failure.
 */
import { hash } from 'node:crypto'
import { canonical } from '@countersign/proof/canonical.ts'
import type { Config } from '../../../../config/config.ts'
import { nowMs } from '../../../../lib/clock.ts'
import { openService, type ServiceAnswer } from '../../../../lib/outbound-http.ts'
import { StepFailure } from '../definition.ts'
import { fitting, objectIn, parsed, withConfidence } from './answer.ts'
import { type Dialect, fullDialect, inWords, requestIn, simpler } from './dialect.ts'
import type { AiAnswer, AiProvider, AiRequest } from './provider.ts'

/** About fifteen thousand tokens: more than any step sends, less than current models accept. */
const maxPromptCharacters = 60_000
const maxAnswerBytes = 1024 * 1024
const longestWaitSeconds = 3600

type AiSettings = NonNullable<Config['ai']>

const noProvider: AiProvider = {
  complete: async () => {
    throw new StepFailure(
      'This step needs a language model, and none is configured. Set AI_BASE_URL (an OpenAI-compatible address, such as https://models.example/v1) and AI_MODEL, with AI_API_KEY if the server wants a key, restart, and execute the workflow again.',
      { retry: false },
    )
  },
  close: async () => {},
}

export const openAi = (settings: Config['ai']): AiProvider => (settings ? openAiCompatible(settings) : noProvider)

function openAiCompatible(settings: AiSettings): AiProvider {
  const { baseUrl, model, provider, apiKey, timeoutSeconds, maxTokens } = settings
  const service = openService(`${baseUrl}/chat/completions`, {
    timeoutMs: timeoutSeconds * 1000,
    maxBytes: maxAnswerBytes,
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey && { authorization: `Bearer ${apiKey()}` }),
  }
  const withoutKey = (text: string) => (apiKey ? text.replaceAll(apiKey(), '[secret]') : text)

  /** What this server accepts, as the last valid answer showed. */
  let known = fullDialect

  /** Asks in simpler forms until the server takes one. A server that takes none is shown with its first refusal. */
  async function askIn(first: Dialect, question: Parameters<typeof requestIn>[1], signal: AbortSignal) {
    const hasSchema = question.schema !== null
    let dialect = first
    let refused: ServiceAnswer | null = null
    for (;;) {
      const reply = await service.post(headers, JSON.stringify(requestIn(dialect, question)), signal)
      const isRefusal = reply.status === 400 || reply.status === 422
      if (isRefusal) refused ??= reply
      const next = isRefusal
        ? simpler(dialect, reply.body, hasSchema)
        : hasSchema && isWithoutJson(reply)
          ? inWords(dialect)
          : null
      if (next === null) return { reply: isRefusal && refused ? refused : reply, dialect }
      dialect = next
    }
  }

  async function complete({ instructions, input, schema, signal }: AiRequest): Promise<AiAnswer> {
    const facts = canonical(input)
    const length = instructions.length + facts.length
    if (length > maxPromptCharacters) {
      throw new StepFailure(
        `The request to the model is too long: ${length} characters, and ${maxPromptCharacters} are allowed. Start the workflow for a shorter period.`,
        { retry: false },
      )
    }
    const question = { model, maxTokens, instructions, facts, schema: schema ? withConfidence(schema) : null }
    const { reply, dialect } = await askIn(known, question, signal)
    const { text, answeredBy } = contentOf(reply, settings, withoutKey)
    if (withoutKey(text) !== text) {
      throw new StepFailure(
        `The server at AI_BASE_URL (${provider}) put the key into its answer, which was discarded. Change the key and check that server.`,
        { retry: false },
      )
    }
    const given = schema ? fitting(text, schema, provider) : { answer: text, confidence: null }
    try {
      canonical(given.answer)
    } catch {
      // A lone surrogate or NUL can be neither stored nor sealed.
      throw new StepFailure(`The answer of the model at ${provider} holds characters that cannot be stored.`, {
        retry: true,
      })
    }
    known = dialect
    const prompt = canonical({ instructions, input, schema: schema ?? null, model })
    return {
      ...given,
      model: answeredBy ?? model,
      provider,
      promptHash: `sha256:${hash('sha256', prompt, 'hex')}`,
    }
  }
  return { complete, close: service.close }
}

const completionIn = ({ body }: ServiceAnswer): Completion | undefined => parsed(body) as Completion | undefined
const choiceOf = (body: Completion | undefined) => (Array.isArray(body?.choices) ? body.choices[0] : undefined)

/** The server answered in words where JSON was asked for. */
function isWithoutJson(reply: ServiceAnswer): boolean {
  if (reply.status !== 200) return false
  const choice = choiceOf(completionIn(reply))
  const text = choice?.message?.content
  return choice?.finish_reason !== 'length' && typeof text === 'string' && text.trim() !== '' && objectIn(text) === null
}

function contentOf(reply: ServiceAnswer, settings: AiSettings, withoutKey: (text: string) => string) {
  const { provider, maxTokens } = settings
  if (reply.failure !== null) {
    throw new StepFailure(`The model at ${provider} could not be asked. ${reply.failure}`, { retry: true })
  }
  if (reply.status !== 200) throw refusal(reply, settings, withoutKey)
  const body = completionIn(reply)
  const choice = choiceOf(body)
  if (choice?.finish_reason === 'length') {
    throw new StepFailure(
      `The model at ${provider} was cut off at ${maxTokens} tokens before it had finished. Set AI_MAX_TOKENS higher.`,
      { retry: false },
    )
  }
  const text = choice?.message?.content
  if (typeof text !== 'string' || text.trim() === '') {
    const refused = typeof choice?.message?.refusal === 'string' || choice?.finish_reason === 'content_filter'
    throw refused
      ? new StepFailure(`The model at ${provider} refused to answer.`, { retry: false })
      : new StepFailure(`${provider} sent a response that is not a chat completion.`, { retry: true })
  }
  const answeredBy = typeof body?.model === 'string' && /^\S{1,200}$/.test(body.model) ? body.model : null
  return { text, answeredBy }
}

interface Completion {
  readonly model?: unknown
  readonly choices?: readonly {
    readonly finish_reason?: unknown
    readonly message?: { readonly content?: unknown; readonly refusal?: unknown } | null
  }[]
}

/** Names what a person has to check for each status; temporary failures are retried. */
function refusal({ status, body, retryAfter }: ServiceAnswer, settings: AiSettings, withoutKey: (t: string) => string) {
  const { provider, model } = settings
  const lasting = (message: string) => new StepFailure(message, { retry: false })
  if (status === 401 || status === 403) {
    return lasting(`${provider} does not accept the API key (${status}). Check AI_API_KEY.`)
  }
  if (status === 404) {
    return lasting(
      `${provider} does not know this address or the model ${model} (404). Check AI_BASE_URL and AI_MODEL.`,
    )
  }
  if (status === 429 || (status !== null && status >= 500) || status === 408) {
    const seconds = status === 429 || status === 503 ? retryAfterSeconds(retryAfter) : null
    const message =
      status === 429
        ? `${provider} limits the rate of requests (429).`
        : `${provider} has an internal error (${status}).`
    return new StepFailure(message, { retry: true, ...(seconds !== null && { retryAfterSeconds: seconds }) })
  }
  const said = (parsed(body) as { error?: { message?: unknown } } | undefined)?.error?.message
  const words = typeof said === 'string' ? ` It says: ${withoutKey(said).slice(0, 300)}` : ''
  return lasting(`${provider} refused the request (${status}). Check AI_BASE_URL and AI_MODEL.${words}`)
}

function retryAfterSeconds(header: string | null): number | null {
  const text = header?.trim() ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - nowMs()) / 1000)
  return seconds > 0 ? Math.min(seconds, longestWaitSeconds) : null
}
