/** One request in the pipeline: every step takes this object and nothing else. */

import type { Operation, OperationSpec } from '@countersign/contract/operation.ts'
import { traceparent } from '@countersign/contract/trace-context.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../access/authenticate.ts'
import type { CenterProfiles } from '../access/center-profiles.ts'
import type { Principal } from '../access/principal.ts'
import type { Config } from '../config/config.ts'
import type { Cells } from '../data/cells.ts'
import type { ClockWatch } from '../data/clock-watch.ts'
import type { Caller, Directory } from '../data/directory.ts'
import type { RecordTx } from '../idempotency/queries.ts'
import type { Problem } from '../lib/problem.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Sequencer } from '../sealing/sequencer.ts'
import type { Admission } from './admission.ts'
import { readCookie } from './cookies.ts'
import { isOwnOrigin } from './origin.ts'
import { preferredLanguage, wantsPage } from './preferences.ts'
import type { RateLimits } from './rate-limit.ts'
import type { ReadTurns } from './read-turns.ts'
import type { AnyContext, Reply } from './route.ts'

export interface MissingPlace {
  readonly cell: string
  readonly centerId: number
  /** As the caller spelled them. */
  readonly ids: readonly string[]
}

/** Returns the problem that the caller gets: the one that was found, or a more accurate one. */
export type ExplainMissing = (place: MissingPlace, found: Problem) => Promise<Problem>

/** The parts of the process that the pipeline uses. */
export interface PipelineNeeds {
  readonly config: Pick<Config, 'production' | 'publicUrl' | 'authUrl'>
  readonly limits: RateLimits
  readonly admission: Admission
  readonly reads: ReadTurns
  readonly authenticate: Authenticator
  readonly directory: Directory
  readonly cells: Cells
  readonly centers: CenterProfiles
  readonly clock: Pick<ClockWatch, 'require'>
  readonly sequencer: Sequencer
  readonly explainMissing: ExplainMissing
  readonly box: SecretBox
}

export interface RequestScope extends AnyContext {
  readonly needs: PipelineNeeds
  readonly operation: Operation
  readonly handle: (context: AnyContext) => Promise<Reply> | Reply
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: Caller
  /** Set when the transaction begins, and again when it is retried. */
  tx: RecordTx | null
}

/** All fields are present from the start, so that V8 gives every request the same object shape. */
export function openScope(
  needs: PipelineNeeds,
  operation: Operation,
  handle: RequestScope['handle'],
  request: FastifyRequest,
  reply: FastifyReply,
): RequestScope {
  const { principal } = request
  return {
    needs,
    operation,
    handle,
    request,
    reply,
    params: request.params,
    query: request.query,
    body: request.body,
    principal,
    requestId: request.id,
    bodyBytes: request.bodyBytes,
    traceparent: request.trace && traceparent(request.trace),
    client: { address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
    host: request.hostname,
    cookie: (name) => readCookie(request, name, needs.config.production),
    fromOwnOrigin: () => isOwnOrigin(needs.config, request),
    byCookie: operation.spec.byCookie === true,
    wantsPage: operation.spec.page === true && wantsPage(request.headers.accept),
    language: preferredLanguage(request.headers['accept-language']),
    caller: callerOf(request.id, operation.spec, principal),
    tx: null,
  }
}

function callerOf(requestId: string, { access }: OperationSpec, principal: Principal | null): Caller {
  if (principal?.kind === 'key') {
    const { actorId, centerId, line } = principal
    return { requestId, actorId, centerId, keyLine: line }
  }
  // A partner or an operator acts in no center, even when the session has entered one.
  const centerId = access.kind === 'actor' ? (principal?.entered?.centerId ?? 0) : 0
  return { requestId, actorId: principal?.actorId ?? null, centerId }
}
