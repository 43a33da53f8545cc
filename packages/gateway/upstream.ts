/** One server behind the gateway: connected again when it goes away, asked for its lists, called within limits. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallToolResult,
  Client,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  SdkError,
  SdkErrorCode,
  type Tool,
} from '@modelcontextprotocol/client'
import type { Limits, UpstreamSettings } from './config.ts'
import { hiding } from './credentials.ts'
import { newTransport, wasNotSent } from './transport.ts'
import { version } from './version.ts'

/** The server can't be reached: nothing was sent. */
export class UpstreamAwayError extends Error {}
/** The call was sent, or may have been, and there is no answer that counts. */
export class NoAnswerError extends Error {}

export interface Lists {
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplateType[]
  readonly prompts: readonly Prompt[]
}

export interface Upstream {
  readonly name: string
  readonly prefix: string
  /** Null while it is away. */
  lists(): Lists | null
  /** Why it is away; null if it isn't. */
  problem(): string | null
  /** Resolves when the first attempt to connect has ended, well or not. */
  readonly tried: Promise<void>
  /** Waits until it can be called, or throws UpstreamAwayError. */
  ready(withinMs: number): Promise<void>
  /** Throws ProtocolError if the server refuses the call, UpstreamAwayError if it wasn't sent, NoAnswerError otherwise. */
  call(
    tool: Tool,
    args: Readonly<Record<string, unknown>>,
    meta: Readonly<Record<string, unknown>>,
  ): Promise<CallToolResult>
  read(uri: string): Promise<ReadResourceResult>
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<GetPromptResult>
  refresh(): Promise<void>
  close(): Promise<void>
}

interface Needs {
  readonly limits: Limits
  /** Called with new lists, also if nothing in them has changed. */
  readonly onLists: (lists: Lists) => void
  readonly say: (line: string) => void
}

interface Connection {
  readonly client: Client
  lists: Lists
  seenAt: number
  /** Requests without an answer yet. */
  open: number
  /** Connects again. What is open on this connection still gets its answer. */
  drop(): void
}

const [firstPauseMs, longestPauseMs] = [250, 15_000]
const connectMs = 30_000
/** A server that answered this recently counts as reachable. */
const freshMs = 5000
/** A list that never ends. */
const mostPages = 20
/** After a server has said that its tools have changed. */
const changedMs = 500
/** Not the time of day, which may be set back. */
const now = (): number => performance.now()

export function openUpstream(settings: UpstreamSettings, { limits, onLists, say }: Needs): Upstream {
  const { name, prefix, protocol } = settings
  const hide = hiding(settings.secrets)
  const messageOf = (error: unknown): string => hide.text((error as Error).message)
  const closing = new AbortController()
  let current: Connection | null = null
  let problem = 'not connected yet'

  async function readLists(client: Client): Promise<Lists> {
    const can = client.getServerCapabilities() ?? {}
    const options = { timeout: limits.callMs, cacheMode: 'bypass' } as const
    const lists: Lists = {
      tools: can.tools ? (await client.listTools(undefined, options)).tools : [],
      resources: can.resources ? (await client.listResources(undefined, options)).resources : [],
      templates: can.resources
        ? await client.listResourceTemplates(undefined, options).then(
            ({ resourceTemplates }) => resourceTemplates,
            (error: unknown) => (error instanceof ProtocolError ? [] : Promise.reject(error)),
          )
        : [],
      prompts: can.prompts ? (await client.listPrompts(undefined, options)).prompts : [],
    }
    const text = JSON.stringify(lists)
    if (Buffer.byteLength(text) > limits.answerBytes) throw new Error('its lists are too large')
    return JSON.parse(hide.json(text)) as Lists
  }

  /** Resolves when the connection has ended. */
  async function connection(): Promise<void> {
    const client = new Client(
      { name: 'countersign-gateway', version },
      {
        // It declares nothing that a server could ask for: no sampling, no elicitation, no roots.
        capabilities: {},
        versionNegotiation: {
          mode: protocol === 'auto' ? 'auto' : protocol === '2025-11-25' ? 'legacy' : { pin: protocol },
        },
        inputRequired: { autoFulfill: false },
        listMaxPages: mostPages,
      },
    )
    const ended = new Promise<void>((resolve) => {
      client.onclose = resolve
    })
    client.onerror = () => {}
    const stop = () => void client.close().catch(() => {})
    closing.signal.addEventListener('abort', stop, { once: true })
    let mine: Connection | null = null
    let soon: NodeJS.Timeout | undefined
    try {
      await client.connect(newTransport(settings, limits), { timeout: connectMs })
      const lists = await readLists(client)
      const dropped = new Promise<void>((drop) => {
        mine = { client, lists, seenAt: now(), open: 0, drop }
      })
      current = mine
      problem = ''
      onLists(lists)
      wasTried()
      // However often a server says so.
      client.setNotificationHandler('notifications/tools/list_changed', () => {
        soon ??= setTimeout(() => {
          soon = undefined
          void refresh()
        }, changedMs)
      })
      await Promise.race([ended, dropped])
      problem = 'the connection has ended'
    } catch (error) {
      problem = messageOf(error)
      wasTried()
      throw error
    } finally {
      clearTimeout(soon)
      current = null
      void answered(mine).then(() => {
        closing.signal.removeEventListener('abort', stop)
        stop()
      })
    }
  }

  /** The answers of one agent's calls must not be lost because another agent's call failed. */
  async function answered(connection: Connection | null): Promise<void> {
    const end = now() + limits.callMs
    while (connection && connection.open > 0 && now() < end && !closing.signal.aborted) await sleep(50)
  }

  async function keepConnected(): Promise<void> {
    for (let pause = firstPauseMs; !closing.signal.aborted; ) {
      const begun = now()
      try {
        await connection()
      } catch {
        if (pause === firstPauseMs && !closing.signal.aborted) say(`${name} can't be reached: ${problem}`)
      }
      if (now() - begun > longestPauseMs) pause = firstPauseMs
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPauseMs)
    }
  }
  let wasTried = () => {}
  const tried = new Promise<void>((resolve) => {
    wasTried = resolve
  })
  const kept = keepConnected()

  async function refresh(): Promise<void> {
    const at = current
    if (!at) return
    try {
      at.lists = await readLists(at.client)
      at.seenAt = now()
      onLists(at.lists)
    } catch (error) {
      problem = messageOf(error)
      at.drop()
    }
  }

  async function untilConnected(withinMs: number): Promise<NonNullable<typeof current>> {
    const end = now() + withinMs
    while (!current) {
      const left = end - now()
      if (left <= 0 || closing.signal.aborted) throw new UpstreamAwayError(`${name} can't be reached: ${problem}`)
      await sleep(Math.min(left, 50))
    }
    return current
  }

  /** Only the members that a result has: whatever else a server adds, such as a state or requests of its own, stays behind. */
  function accepted({ content, structuredContent, isError }: CallToolResult): CallToolResult {
    const text = JSON.stringify({ content, structuredContent, isError })
    if (Buffer.byteLength(text) > limits.answerBytes) {
      throw new NoAnswerError(`The answer of ${name} has more than ${limits.answerBytes} bytes.`)
    }
    return JSON.parse(hide.json(text)) as CallToolResult
  }

  const within = () => ({ timeout: limits.callMs, maxTotalTimeout: limits.callMs })
  const hidden = ({ code, message }: ProtocolError) => new ProtocolError(code, hide.text(message).slice(0, 2000))
  async function asked<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const at = await untilConnected(0)
    at.open++
    try {
      const result = await work(at.client)
      at.seenAt = now()
      return JSON.parse(hide.json(JSON.stringify(result))) as T
    } catch (error) {
      if (error instanceof ProtocolError) throw hidden(error)
      throw new Error(`${name} didn't answer: ${messageOf(error)}`)
    } finally {
      at.open--
    }
  }

  return {
    ...{ name, prefix, tried },
    lists: () => current?.lists ?? null,
    problem: () => (current ? null : problem),
    async ready(withinMs) {
      const end = now() + withinMs
      for (;;) {
        const at = await untilConnected(Math.max(0, end - now()))
        // A process that ends is noticed; a server elsewhere has to be asked.
        if (!('url' in settings) || now() - at.seenAt < freshMs) return
        await refresh()
      }
    },
    async call({ outputSchema: _, ...definition }, args, meta) {
      const at = current
      if (!at) throw new UpstreamAwayError(`${name} can't be reached: ${problem}`)
      at.open++
      try {
        const params = { name: definition.name, arguments: { ...args }, _meta: { ...meta } }
        const result = await at.client.callTool(params, { ...within(), toolDefinition: definition })
        at.seenAt = now()
        return accepted(result)
      } catch (error) {
        if (error instanceof ProtocolError) throw hidden(error)
        if (error instanceof NoAnswerError) throw error
        if ('url' in settings && !(error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)) at.drop()
        if (wasNotSent(error)) throw new UpstreamAwayError(`${name} can't be reached: ${messageOf(error)}`)
        throw new NoAnswerError(`${name} didn't answer: ${messageOf(error)}`)
      } finally {
        at.open--
      }
    },
    read: (uri) => asked((client) => client.readResource({ uri }, { ...within(), cacheMode: 'bypass' })),
    prompt: (prompt, args) => asked((client) => client.getPrompt({ name: prompt, arguments: { ...args } }, within())),
    refresh,
    async close() {
      closing.abort()
      await kept
    },
  }
}
