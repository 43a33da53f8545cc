/** One attempt at a held call: decide, wait, verify, consume, forward once and report. Whatever was done before isn't repeated. */
import type { Json } from '@countersign/proof'
import { Countersign } from '@countersign/sdk'
import { GuardError, guard } from '@countersign/sdk/guard'
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/client'
import type { Config } from './config.ts'
import { FailedCallError, failed, mayPass, NotRunError } from './ending.ts'
import type { HeldCall, Journal } from './journal.ts'
import type { Metrics } from './metrics.ts'
import type { Pin } from './pins.ts'
import { childOf, traceMeta } from './trace.ts'
import { NoAnswerError, type Upstream, UpstreamAwayError } from './upstream.ts'

export interface Waiting {
  readonly eventId: string
  readonly approvalUrl: string | null
}

export interface ForwardingNeeds {
  readonly config: Config
  readonly journal: Journal
  readonly upstreamOf: (name: string) => Upstream | null
  /** The accepted definition, by which the call is sent, unless the server offers another one by now. */
  readonly toolOf: (upstream: string, tool: string) => Pin | null
  readonly metrics: Metrics
  readonly say: (line: string) => void
}

type Attempt = (
  call: HeldCall,
  listener: { onWaiting(waiting: Waiting): void; readonly signal: AbortSignal },
) => Promise<CallToolResult>

const hourMs = 3_600_000
/** How long an attempt waits for its server. An approved call tries again until its approval ends. */
const upstreamMs = 10_000
/** A call that nobody approved isn't forwarded later than this: whoever made it no longer waits for it. */
const unapprovedMs = 600_000

export function forwarding({ config, journal, upstreamOf, toolOf, metrics, say }: ForwardingNeeds): Attempt {
  const clients = new Map(
    config.agents.map(({ id, key }) => {
      const client = new Countersign({ baseUrl: config.url, apiKey: key, timeoutMs: 15_000, maxRetryAfterMs: 10_000 })
      return [id, client]
    }),
  )

  /** The tool as the agent saw it when it made the call: otherwise people would have approved something else. */
  function sameTool(call: HeldCall): Pin {
    const pin = toolOf(call.upstream, call.tool)
    if (pin?.digest === call.toolDigest) return pin
    throw new NotRunError('tool-changed', `The tool ${call.shown} has changed since the call was made.`)
  }

  /** Before the approval is consumed: whatever stops the call here leaves the approval as it is. */
  async function mayForward(call: HeldCall, proof: string): Promise<void> {
    if (journal.phase(call.id) !== 'open') return
    const upstream = upstreamOf(call.upstream)
    if (!upstream) throw new NotRunError('unconfigured', 'Its server is no longer configured.')
    sameTool(call)
    if (Date.now() - call.madeAt > unapprovedMs && !isApproved(proof)) {
      throw new NotRunError('late', 'It could only have been run long after it was made, and nobody has approved it.')
    }
    await upstream.ready(upstreamMs)
    sameTool(call)
  }

  async function forwardOnce(
    call: HeldCall,
    input: Readonly<Record<string, unknown>>,
    eventId: string,
  ): Promise<CallToolResult> {
    const before = journal.result(call.id)
    if (before) return answered(before)
    if (journal.phase(call.id) !== 'open' || !(await journal.forward(call.id))) {
      throw new GuardError('unknown', 'The call was forwarded, and the gateway ended before it got an answer.', eventId)
    }
    metrics.forwarded(call.upstream)
    const result = await answerOf(call, input, eventId)
    // Without its journal, the next process would report the outcome as unknown; this one still has the answer.
    await journal.answer(call.id, result).catch((error: Error) => say(`${call.id}: ${error.message}`))
    return answered(result)
  }

  async function answerOf(
    call: HeldCall,
    input: Readonly<Record<string, unknown>>,
    eventId: string,
  ): Promise<CallToolResult> {
    try {
      const upstream = upstreamOf(call.upstream)
      if (!upstream) throw new UpstreamAwayError(`${call.upstream} is no longer configured.`)
      return await upstream.call(sameTool(call).tool, input, traceMeta(childOf(call.trace)))
    } catch (error) {
      const isKnown =
        error instanceof ProtocolError || error instanceof UpstreamAwayError || error instanceof NotRunError
      if (isKnown) return failed(error.message.slice(0, 2000))
      if (!(error instanceof NoAnswerError)) say(`${call.id}: ${(error as Error).stack}`)
      throw new GuardError(
        'unknown',
        error instanceof NoAnswerError ? error.message : 'The call has no answer.',
        eventId,
      )
    }
  }

  return async function attempt(call, { onWaiting, signal }) {
    const client = clients.get(call.agent)
    if (!client) throw new NotRunError('unconfigured', 'Its agent is no longer configured.')
    let unreported: unknown = null
    const guarded = guard<Record<string, unknown>, CallToolResult>(
      {
        name: call.shown,
        action: call.action,
        describe: () => `${call.tool} (${call.upstream}), called by ${call.agentName ?? call.agent}`,
        ...(call.riskScore !== undefined && { riskScore: () => call.riskScore as number }),
        // The journal lets one attempt forward, so another attempt under the same name has no further effect.
        idempotent: true,
        // What a server answers may hold anybody's data. It goes to the agent, and not into a record.
        report: (result) => ({ answered: true, bytes: Buffer.byteLength(JSON.stringify(result)) }),
        run: (input, { eventId }) => forwardOnce(call, input, eventId),
      },
      {
        ...config.trust,
        client,
        agent: { id: call.agent, ...(call.agentName && { name: call.agentName }) },
        withinMs: hourMs,
        onWaiting: ({ id, waiting }) => onWaiting({ eventId: id, approvalUrl: waiting?.approvalUrl ?? null }),
        onProof: (proof) => mayForward(call, proof),
        onUnreported: (error) => {
          unreported = error
        },
      },
    )
    const made = guarded({ ...call.args }, { callId: call.id, aiContext: { ...call.trace }, signal })
    await Promise.allSettled([made])
    // The next attempt finds the answer in the journal, and reports it.
    if (mayPass(unreported)) throw unreported
    if (unreported) say(`${call.id}: its outcome wasn't accepted: ${(unreported as Error).message}`)
    return made
  }
}

/** What a server marks as an error is reported as failed. */
function answered(result: CallToolResult): CallToolResult {
  if (result.isError) throw new FailedCallError('The server answered with an error.', result)
  return result
}

/** A decision that no policy asked about is sealed without an approval. */
function isApproved(proof: string): boolean {
  const { evidence } = JSON.parse(proof) as { evidence?: { approval?: Json } }
  return evidence?.approval !== undefined && evidence.approval !== null
}
