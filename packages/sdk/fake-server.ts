/** The answers of the Proof API that a guard needs, from memory. A test compares each of them with the contract. */
import { canonical, type Json, priorDigest } from '@countersign/proof'
import type {
  AgentDecision,
  Consumption,
  Decision,
  DecisionEventSummary,
  GivenApproval,
  NewAgentDecision,
  NewConsumption,
  NewOutcome,
  Outcome,
  WithdrawnDecision,
} from './api.generated.ts'
import type { Clock } from './clock.ts'
import { digestOf, type fakeLog, type SealedRecord } from './fake-log.ts'

type Log = Awaited<ReturnType<typeof fakeLog>>

interface FakeRules {
  /** Whether a person has to approve this action. */
  readonly asks: (action: NewAgentDecision['action'], agent: NewAgentDecision['agent']) => boolean
  readonly usableForSeconds: number
}

interface Verdict {
  readonly result: 'approved' | 'rejected'
  readonly by: { readonly id: string; readonly name?: string }
  readonly reason?: string | undefined
  readonly level: 'session' | 'system'
}

interface Held {
  readonly suffix: string
  readonly decisionId: string
  readonly body: NewAgentDecision
  readonly createdAt: string
  readonly salt: string
  readonly isAsked: boolean
  approvals: GivenApproval[]
  usableUntil: string | null
  sealed: SealedRecord | null
  execution: Decision['execution']
}

/** An answer that refuses. */
class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly details: object

  constructor(status: number, code: string, message: string, details: object = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

const recordedBy = `key_${newSuffix()}`
const page = (suffix: string): string => `https://fake.countersign.test/approve/evt_${suffix}`
const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function newSuffix(): string {
  const letters = '0123456789abcdefghjkmnpqrstvwxyz'
  const drawn = [...crypto.getRandomValues(new Uint8Array(25))].map((byte) => letters[byte % 32])
  return `0${drawn.join('')}`
}

export function fakeServer(log: Log, { asks, usableForSeconds }: FakeRules, clock: Pick<Clock, 'now'>) {
  const all: Held[] = []
  const now = () => new Date(clock.now()).toISOString()
  const isFrozen = new Set<string>()

  function found(id: string): Held {
    const held = all.find(({ suffix, decisionId }) => id.slice(4) === suffix || id === decisionId)
    if (!held) throw new Refused(404, 'NOT_FOUND', "There's no decision with this ID.")
    return held
  }
  const statusOf = ({ sealed, approvals }: Held): Decision['status'] =>
    sealed === null ? 'recorded' : approvals.at(-1)?.result === 'rejected' ? 'rejected' : 'sealed'

  function seal(held: Held, verdict: Verdict | null): void {
    const at = now()
    const by = verdict?.by.id ?? ''
    const approval = verdict && {
      approver: { ...verdict.by, type: verdict.level === 'system' ? 'system' : 'human' },
      ...{
        result: verdict.result,
        identity: { level: verdict.level, by },
        submittedBy: by,
        channel: 'page',
        decidedAt: at,
      },
      ...(verdict.reason !== undefined && { reason: verdict.reason }),
    }
    if (approval) {
      const { submittedBy: _, ...given } = approval
      held.approvals.push({ ...given, approvalId: `apr_${newSuffix()}`, createdAt: at } as GivenApproval)
      if (verdict.result === 'approved')
        held.usableUntil = new Date(clock.now() + usableForSeconds * 1000).toISOString()
    }
    const { suffix, decisionId, body, createdAt, salt, usableUntil } = held
    held.sealed = log.seal({
      ...{ suffix, decisionId, body, occurredAt: createdAt, sealedAt: at, actionSalt: salt, recordedBy, usableUntil },
      ...(approval && { approval }),
    })
  }

  function decide(body: NewAgentDecision, key: string | null): [number, AgentDecision] {
    const known = key === null ? undefined : all.find(({ decisionId }) => decisionId === key)
    if (known && canonical(known.body as unknown as Json) !== canonical(body as unknown as Json)) {
      throw new Refused(409, 'CONFLICT', `The Idempotency-Key "${key}" was already used for another decision.`)
    }
    if (!known && isFrozen.has(body.agent.id)) throw frozen()
    const held = known ?? recorded(body, key)
    if (!known) {
      all.push(held)
      if (!held.isAsked) seal(held, null)
    }
    const { suffix, decisionId, salt, sealed } = held
    const outcome = sealed === null ? 'approval_required' : statusOf(held) === 'rejected' ? 'refused' : 'completed'
    const answer = {
      ...{ decisionId, eventId: `evt_${suffix}`, outcome, policies: [], receipt: null },
      ...{ actionDigest: digestOf(salt, body), actionSalt: salt },
      dpu: { id: `dpu_${suffix}`, status: sealed ? 'sealed' : 'pending', chainHash: sealed?.entry.hash ?? null },
      approvalUrl: outcome === 'approval_required' ? page(suffix) : null,
    } satisfies AgentDecision
    return [known ? 200 : 201, answer]
  }

  function recorded(body: NewAgentDecision, key: string | null): Held {
    const suffix = newSuffix()
    return {
      ...{ suffix, decisionId: key ?? `dec_${suffix}`, body, createdAt: now(), isAsked: asks(body.action, body.agent) },
      salt: base64url(crypto.getRandomValues(new Uint8Array(32))),
      ...{ approvals: [], usableUntil: null, sealed: null, execution: null },
    }
  }

  function shown(held: Held): Decision {
    const { suffix, decisionId, body, createdAt, salt, sealed, approvals, usableUntil, execution } = held
    const { agent, action, aiContext, riskScore, reason, tags = [] } = body
    const isWaiting = sealed === null && held.isAsked
    return {
      ...summary(held),
      ...{ id: `evt_${suffix}`, decisionId, action, tags, approvals, usableUntil, execution, createdAt },
      actor: { ...agent, type: 'ai_agent' },
      ...(aiContext && { aiContext }),
      ...{ riskScore: riskScore ?? null, reason: reason ?? null, occurredAt: createdAt, recordedBy },
      ...{ actionDigest: digestOf(salt, body), actionSalt: salt, prior: priorDigest([]), replaces: null },
      evidence: {
        ...{ id: `evd_${suffix}`, status: sealed ? 'sealed' : 'pending' },
        ...{ chainHash: sealed?.entry.hash ?? null, chainIndex: sealed?.index ?? null },
      },
      waiting: isWaiting
        ? {
            ...{ since: createdAt, reasons: ['humanReview'], policies: [], rules: [], expiresAt: null },
            ...{ approvalUrl: page(suffix), frozen: null, emergency: null },
          }
        : null,
      ...{ lines: [], emergency: null, comments: [], recordedByName: null, actionType: null },
    } as Decision
  }

  function summary(held: Held): DecisionEventSummary {
    const { suffix, decisionId, body, createdAt, sealed } = held
    const { type, description } = body.action
    return {
      ...{ id: `evt_${suffix}`, decisionId, type: 'agent_execution', status: statusOf(held) },
      ...{ actor: { ...body.agent, type: 'ai_agent' }, tags: body.tags ?? [], createdAt },
      ...{ updatedAt: sealed?.entry.sealedAt ?? createdAt, action: { type, ...(description && { description }) } },
    } as DecisionEventSummary
  }

  function consume(held: Held, { actionDigest, executor }: NewConsumption): Consumption {
    const { sealed, execution, suffix } = held
    if (sealed === null || statusOf(held) !== 'sealed') {
      throw new Refused(409, 'CONFLICT', "This decision isn't approved. Don't run its action.")
    }
    if (actionDigest !== digestOf(held.salt, held.body)) {
      throw new Refused(422, 'POLICY_VIOLATION', "This isn't the action that was decided.", { guard: 'action' })
    }
    if (execution && execution.executor !== executor) {
      const details = { executor: execution.executor, outcome: execution.outcome?.status ?? null }
      throw new Refused(409, 'CONFLICT', 'Another executor has already consumed this decision.', details)
    }
    if (!execution && isFrozen.has(held.body.agent.id)) throw frozen()
    if (!execution && held.usableUntil !== null && now() > held.usableUntil) {
      const message = `The approval could only be used until ${held.usableUntil}.`
      throw new Refused(409, 'CONFLICT', message, { reason: 'stale' })
    }
    if (!execution) {
      log.step(sealed, `hst_${newSuffix()}`, { action: 'consumed', executor, actionDigest }, now())
      held.execution = { executor, consumedAt: now(), outcome: null }
    }
    const { consumedAt } = held.execution as NonNullable<Decision['execution']>
    const chainHash = sealed.history[0]?.hash as string
    return {
      eventId: `evt_${suffix}`,
      actionDigest,
      executor,
      consumedAt,
      chainHash,
      replayed: execution !== null,
      receipt: null,
    }
  }

  function report(held: Held, { executor, status, output }: NewOutcome): Outcome {
    const { sealed, execution, suffix } = held
    if (!sealed || !execution) throw new Refused(409, 'CONFLICT', "This decision hasn't been consumed.")
    const earlier = execution.outcome
    if (execution.executor !== executor || (earlier && earlier.status !== 'unknown')) {
      throw new Refused(409, 'CONFLICT', 'The outcome of this decision was already reported, or by another executor.')
    }
    const values = { action: 'outcome', executor, status, ...(output !== undefined && { output: output as Json }) }
    const { hash } = log.step(sealed, `hst_${newSuffix()}`, values, now())
    const reportedAt = now()
    held.execution = { ...execution, outcome: { status, reportedAt, ...(output && { output }) } }
    return { eventId: `evt_${suffix}`, status, reportedAt, chainHash: hash }
  }

  function withdraw(held: Held): WithdrawnDecision {
    close(held, { result: 'rejected', level: 'system', by: { id: 'countersign' }, reason: 'withdrawn' })
    const { suffix, decisionId, sealed } = held
    const { hash: sealedHash, sealedAt: withdrawnAt } = (sealed as SealedRecord).entry
    return { eventId: `evt_${suffix}`, decisionId, withdrawnAt, sealedHash }
  }

  function close(held: Held, verdict: Verdict): void {
    if (held.sealed) throw new Refused(409, 'CONFLICT', "This decision isn't waiting.")
    seal(held, verdict)
  }

  const frozen = () => new Refused(409, 'CONFLICT', 'This agent is stopped.', { reason: 'frozen' })

  async function answer(method: string, { pathname, searchParams }: URL, body: unknown, key: string | null) {
    const [, resource = '', id = '', step = ''] =
      /^\/api\/v1\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(pathname) ?? []
    const ok = (data: unknown): [number, unknown] => [200, { data }]
    switch (`${method} ${resource} ${resource === 'agents' ? id : step}`.trim()) {
      case 'POST agents decide': {
        const [status, data] = decide(body as NewAgentDecision, key)
        return [status, { data }] as const
      }
      case 'GET decision-events': {
        if (id !== '') return ok(shown(found(id)))
        const [wanted, actorId] = [searchParams.get('decisionId'), searchParams.get('actorId')]
        const items = all.filter(
          (held) =>
            (wanted === null || held.decisionId === wanted) && (actorId === null || held.body.agent.id === actorId),
        )
        const pagination = { total: items.length, limit: 20, offset: 0, hasMore: false, nextCursor: null }
        return [200, { data: items.map(summary), pagination }] as const
      }
      case 'POST decision-events consume':
        return ok(consume(found(id), body as NewConsumption))
      case 'POST decision-events outcome':
        return ok(report(found(id), body as NewOutcome))
      case 'POST decision-events withdraw':
        return ok(withdraw(found(id)))
      case 'GET evidence export': {
        const { sealed } = found(id)
        if (!sealed) throw new Refused(404, 'NOT_FOUND', "This decision isn't sealed yet.")
        return [200, await log.exported(sealed, now())] as const
      }
      default:
        throw new Refused(404, 'NOT_FOUND', `The fake server doesn't have ${method} ${pathname}.`)
    }
  }

  return {
    close: (eventId: string, verdict: Verdict): void => close(found(eventId), verdict),
    /** Stops an agent, or lifts the stop. */
    freeze(agentId: string, frozen: boolean): void {
      if (frozen) isFrozen.add(agentId)
      else isFrozen.delete(agentId)
    },
    waiting: (): readonly Decision[] => all.filter((held) => !held.sealed).map(shown),

    /** In place of the global `fetch`. */
    async fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
      init.signal?.throwIfAborted()
      const headers = new Headers(init.headers)
      const requestId = `req_${newSuffix()}`
      const sent = {
        ...{ 'content-type': 'application/json', 'x-request-id': requestId, 'x-ratelimit-limit': '1000' },
        ...{ 'x-ratelimit-remaining': '999', 'x-ratelimit-reset': '60' },
      }
      try {
        const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
        const url = new URL(String(input))
        const [status, answered] = await answer(init.method ?? 'GET', url, body, headers.get('idempotency-key'))
        return new Response(JSON.stringify(answered), { status, headers: sent })
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        const { status, code, message, details } = error
        return new Response(JSON.stringify({ error: { code, message, requestId, details } }), { status, headers: sent })
      }
    },
  }
}
