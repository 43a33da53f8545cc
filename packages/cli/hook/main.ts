/**
 * `countersign hook AGENT`, which an agent starts before and after each of its tool calls. Whatever goes wrong, the call is held: a
 * hook that ends by itself with anything else than an answer, or is ended by its agent, lets the call run in every agent.
 */
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type Answer,
  type CodingAgent,
  type Given,
  type HookEvent,
  type Output,
  UnreadableInputError,
} from './agent.ts'
import { ancestry, watchAgent } from './agent-process.ts'
import { agents } from './agents.ts'
import { type Connection, ConnectionFileError, readConnection } from './connection.ts'
import { observe } from './observed.ts'
import { connectionFile, stateFolder } from './places.ts'
import { judged, RuleFileError, readRules } from './rules.ts'
import { type HookWord, hookWords } from './words.ts'

const mostBytes = 8_388_608
/** What is left of the agent's limit when the hook answers on its own, and when it stops consuming. */
const marginMs = (limitMs: number): { readonly answer: number; readonly consume: number } => ({
  answer: Math.min(3000, limitMs * 0.15),
  consume: Math.min(15_000, limitMs * 0.4),
})
/** A run without a person in front of it waits this long, and then ends until it's resumed. */
const deferAfterMs = 20_000

/** Elsewhere than on Linux, each look starts `ps`. */
const watchMs = process.platform === 'linux' ? 1000 : 10_000

/** Until an answer is written. */
process.exitCode = 2

interface Options {
  readonly event: string | null
  readonly limitMs: number
  readonly waitMs: number
  readonly isObserving: boolean
}

class HookUsageError extends Error {}

function optionsOf(args: readonly string[], agent: CodingAgent): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      event: { type: 'string' },
      'limit-seconds': { type: 'string' },
      'wait-seconds': { type: 'string' },
      observe: { type: 'boolean' },
    },
  })
  const seconds = (name: 'limit-seconds' | 'wait-seconds', usual: number): number => {
    const given = values[name] === undefined ? usual : Number(values[name])
    if (!(given >= 0 && given <= 86_400)) throw new HookUsageError(`--${name} ${values[name]}`)
    return given * 1000
  }
  return {
    event: values.event ?? null,
    limitMs: seconds('limit-seconds', agent.limitSeconds),
    waitMs: seconds('wait-seconds', 86_400),
    isObserving: values.observe ?? false,
  }
}

/** Ends the process with its only answer. */
function end({ stdout, stderr, exitCode }: Output): never {
  try {
    // A pipe that is full needs several writes.
    for (const [to, text] of [
      [2, stderr],
      [1, stdout],
    ] as const) {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; ) at += written(to, bytes.subarray(at))
    }
  } catch {
    process.exit(2)
  }
  process.exit(exitCode)
}

function written(to: number, bytes: Buffer): number {
  try {
    return writeSync(to, bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}

async function inputOf(): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostBytes) throw new UnreadableInputError(`it is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  let input: unknown
  try {
    input = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new UnreadableInputError("it isn't JSON")
  }
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new UnreadableInputError("it isn't an object")
  }
  return input as Record<string, unknown>
}

const isAccepted = (version: string, { tried }: CodingAgent, { accepts = [] }: Partial<Connection>): boolean =>
  [...tried, ...accepts].some((each) =>
    each.endsWith('.*') ? version.startsWith(each.slice(0, -1)) : version === each,
  )

export async function runHook(agentId: string | undefined, args: readonly string[]): Promise<void> {
  const ancestors = process.platform === 'linux' ? ancestry() : null
  const startedAt = Date.now() - process.uptime() * 1000
  const agent = agents.find(({ id }) => id === agentId)
  if (!agent) {
    end({ stdout: '', stderr: `${hookWords()('unknownAgent', { agent: agentId ?? '' })}\n`, exitCode: 2 })
  }
  let event: HookEvent | null = null
  let isObserving = args.includes('--observe')
  const give = (answer: Answer) => end((agent as CodingAgent).answer(answer, event))
  const deny = (word: HookWord, values: Record<string, string> = {}): void => {
    const reason = hookWords()(word, { agent: agent.label, ...values })
    if (!isObserving) give({ kind: 'deny', reason })
    const tool = event && 'call' in event ? event.call.tool : ''
    observe(stateFolder(), { at: new Date().toISOString(), agent: agent.id, tool, asks: [], problem: word })
    give({ kind: 'pass' })
  }
  const broken = (error: unknown) => deny('defect', { why: error instanceof Error ? error.message : String(error) })
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => deny('stopped'))

  try {
    const options = optionsOf(args, agent)
    const margin = marginMs(options.limitMs)
    const left = (until: number) => Math.max(0, startedAt + options.limitMs - until - Date.now())
    setTimeout(() => deny('late'), left(margin.answer))
    const connection = readConnection(agent.id)
    isObserving ||= connection?.observe ?? false
    const given: Given = { input: await inputOf(), event: options.event, env: process.env }
    event = agent.read(given)
    if (event === null) return give({ kind: 'pass' })
    if (event.at !== 'before') {
      const { finished } = await import('./finished.ts')
      await finished(agent, event)
      return give({ kind: 'pass' })
    }
    const { call } = event
    const version = agent.versionOf(given)
    if (version === null || !isAccepted(version, agent, connection ?? {})) {
      // How this version reads a refusal isn't known: exit code 2 holds a call in every version that was tried.
      event = isObserving ? event : null
      return deny('version', { version: version ?? '?', file: connectionFile(agent.id) })
    }
    const found = judged(call, agent.id, await readRules(), process.env)
    if (isObserving) {
      observe(stateFolder(), { at: new Date().toISOString(), agent: agent.id, tool: call.tool, asks: found.asks })
      return give({ kind: 'pass' })
    }
    if (found.asks.length === 0) return give({ kind: 'pass' })
    if (!connection) return deny('notConnected', { file: connectionFile(agent.id) })
    const { hold } = await import('./hold.ts')
    const isGone = watchAgent(ancestors ?? ancestry(), agent.processOf?.(given) ?? null, watchMs, () => deny('stopped'))
    const mayDefer = agent.canDefer(given)
    const stop = new AbortController()
    setTimeout(() => stop.abort(), left(margin.consume))
    const waitMs = Math.min(options.waitMs, mayDefer ? deferAfterMs : options.limitMs, left(margin.consume + 500))
    const holding = { agent, connection, state: stateFolder(), mayDefer, waitMs, signal: stop.signal, isGone }
    give(await hold(call, found, holding))
  } catch (error) {
    if (error instanceof UnreadableInputError) deny('input', { why: error.message })
    if (error instanceof ConnectionFileError || error instanceof RuleFileError) deny('file', { why: error.message })
    broken(error)
  }
}
