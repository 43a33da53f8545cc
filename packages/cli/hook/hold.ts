/** One call that is of interest: asks Countersign, waits, verifies the approval on this machine and consumes it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError, ConnectionError, Countersign, CountersignError, PermissionError } from '@countersign/sdk'
import { GuardError, takeApproval } from '@countersign/sdk/guard'
import type { Answer, CodingAgent, ToolCall, ToolStatus } from './agent.ts'
import { type Allowed, type CallNames, openCalls } from './calls.ts'
import type { Connection } from './connection.ts'
import { headOf } from './git-head.ts'
import { digestOf, ownName } from './own-name.ts'
import type { Judged } from './rules.ts'
import { type HookWord, hookWords } from './words.ts'

export interface Times {
  /** How long to wait for a person, in milliseconds. */
  readonly waitMs: number
  /** From then on, nothing is consumed any more: the answer must reach the agent within its limit. */
  readonly signal: AbortSignal
}

export interface Holding extends Times {
  readonly agent: CodingAgent
  readonly connection: Connection
  readonly state: string
  readonly mayDefer: boolean
  /** Whether nobody is there any more to run the call. */
  readonly isGone: () => boolean
}

export const clientOf = ({ url, key }: Connection): Countersign =>
  new Countersign({ baseUrl: url, apiKey: key, timeoutMs: 8000, maxRetryAfterMs: 5000 })

/** A name that the server accepts. It goes on to be the decision's ID. */
function decisionId(agent: CodingAgent, call: ToolCall, digest: string): string {
  const unique = `${digest.slice(0, 24)}/${Date.now().toString(36)}`
  const id = `${call.session}/${call.callId ?? unique}`
  return /^[\x21-\x7e]{1,240}$/.test(id) ? id : `${agent.id}/${digestOf(id)}`
}

/** Throws unless the key can only ask, in the name of its agent. The scopes of a key never change, so once is enough. */
async function checkKey({ connection, state, signal }: Holding, client: Countersign): Promise<void> {
  const note = join(state, `key-${digestOf(connection.url, connection.key, connection.actor.id).slice(0, 32)}`)
  if (existsSync(note)) return
  const { scopes, actor } = await client.apiKeys.getOwn({ signal }).catch((error: unknown) => {
    throw error instanceof PermissionError ? new WrongKeyError() : error
  })
  const isRight = scopes.length === 1 && scopes[0] === 'decide' && actor?.id === connection.actor.id
  if (!isRight) throw new WrongKeyError()
  writeFileSync(note, '', { mode: 0o600 })
}

class AgentGoneError extends Error {}

const sameCallMs = 600_000

class WrongKeyError extends Error {}

export async function hold(call: ToolCall, judged: Judged, holding: Holding): Promise<Answer> {
  const { agent, connection, state, waitMs, signal } = holding
  const say = hookWords()
  const calls = openCalls(state)
  const head = headOf(call.cwd)
  const digest = digestOf(call.cwd, head?.commit ?? null, call.tool, call.input)
  const names: CallNames = { agent: agent.id, session: call.session, digest, own: ownName(call) }
  const client = clientOf(connection)
  const deny = (word: HookWord, values = {}): Answer => ({ kind: 'deny', reason: say(word, values) })
  const allowedAt = calls.allowedAt(names)
  if (allowedAt !== null) {
    // Without IDs, the agent may be asking about another call like it.
    if (call.callId === null && Date.now() - allowedAt < sameCallMs) return deny('running')
    // The agent had the right to run it, and asks again: it may have run before the agent or the machine stopped.
    const earlier = calls.takeAllowed(names)
    if (earlier) await report(client, earlier, 'unknown')
    if (call.callId !== null) return deny('unknown')
  }
  const { callId } = calls.openAs(names, { callId: decisionId(agent, call, digest), at: Date.now() })
  let url: string | null = null
  try {
    await checkKey(holding, client)
    const { eventId, executor } = await takeApproval(
      {
        action: `${agent.id}.${call.tool}`,
        describe: say('describe', {
          ...{ agent: agent.label, tool: call.tool, folder: call.cwd },
          ...{ commit: head?.commit?.slice(0, 12), branch: head?.branch },
          names: [...new Set(judged.asks.map(({ rule }) => rule))].join(', '),
        }),
        ...(judged.risk !== undefined && { riskScore: judged.risk }),
      },
      { ...call.input },
      {
        callId,
        signal,
        options: {
          client,
          ...{ agent: connection.actor, trust: connection.trust, center: connection.center, withinMs: waitMs },
          ...{ sandbox: connection.sandbox ?? false, requires: connection.requires ?? null },
          onProof() {
            if (holding.isGone()) throw new AgentGoneError()
          },
          onWaiting: ({ waiting }) => {
            url = waiting?.approvalUrl ?? null
          },
        },
      },
    )
    calls.allow(names, { eventId, executor, at: Date.now() })
    return { kind: 'allow', reason: say('approved', { eventId }) }
  } catch (error) {
    if (error instanceof AgentGoneError) return deny('stopped')
    if (signal.aborted || (error instanceof GuardError && error.reason === 'waiting')) {
      const waitsAt = (error instanceof GuardError ? error.approvalUrl : null) ?? url
      if (holding.mayDefer) return { kind: 'defer', reason: say('deferred', { url: waitsAt }) }
      return deny('waiting', { url: waitsAt })
    }
    if (error instanceof WrongKeyError) return deny('wrongKey')
    if (error instanceof GuardError) {
      const { reason, refusal, message } = error
      if (reason !== 'unverified' && reason !== 'frozen') calls.close(names)
      if (reason === 'waiting') return deny('waiting', { url })
      return deny(reason, { by: refusal?.by, reason: refusal?.reason, why: message })
    }
    if (error instanceof ConnectionError || (error instanceof ApiError && error.status >= 429)) {
      return deny('away', { why: error.message })
    }
    if (error instanceof CountersignError) calls.close(names)
    return deny(error instanceof CountersignError ? 'rejected' : 'defect', { why: (error as Error).message })
  }
}

/** Once the tool has run. An outcome that the server has already isn't a problem. */
export async function report(client: Countersign, { eventId, executor }: Allowed, status: ToolStatus): Promise<void> {
  try {
    await client.decisions.reportOutcome(eventId, { executor, status })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 429) throw error
  }
}
