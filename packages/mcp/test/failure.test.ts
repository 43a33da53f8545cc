import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  PolicyViolationError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '@countersign/sdk'
import { expect, it } from 'vitest'
import { failureText, ToolError } from '../failure.ts'
import { traceOf } from '../trace.ts'

const refusal = (status: number, code: string, more: object = {}) => ({
  ...{ status, code, message: 'It was refused.', requestId: 'req_1', details: {}, retryAfterMs: null, attempts: 1 },
  ...more,
})

it.each([
  [
    new AuthenticationError(refusal(401, 'UNAUTHORIZED')),
    /^UNAUTHORIZED: It was refused\. The API key is invalid.*\(request req_1\)$/,
  ],
  [new ConflictError(refusal(409, 'CONFLICT')), /Call get_decision to check the decision's status/],
  [
    new ConflictError(refusal(409, 'CONFLICT', { details: { executor: 'e-1' } })),
    /Don't run the action: the attempt e-1 has already consumed the decision/,
  ],
  [
    new ConflictError(refusal(409, 'CONFLICT', { details: { reason: 'stale' } })),
    /can no longer be used, so don't run the action\. Call request_approval again with a new idempotencyKey/,
  ],
  [
    new ConflictError(refusal(409, 'CONFLICT', { details: { reason: 'policy', policyId: 'pol_1' } })),
    /can no longer be used, so don't run the action/,
  ],
  [
    new ConflictError(refusal(409, 'CONFLICT', { details: { reason: 'frozen' } })),
    /The action is stopped, so don't run it/,
  ],
  [
    new PolicyViolationError(refusal(422, 'POLICY_VIOLATION', { details: { guard: 'action' } })),
    /isn't the one that was approved/,
  ],
  [new PolicyViolationError(refusal(422, 'POLICY_VIOLATION')), /Don't run the action; tell the user\./],
  [new RateLimitError(refusal(429, 'RATE_LIMIT', { retryAfterMs: 2500 })), /Wait 3 seconds, then try again\./],
  [
    new ServerError(refusal(503, 'SERVICE_UNAVAILABLE', { requestId: null })),
    /Don't run the action; try again in a few seconds\.$/,
  ],
  [
    new ValidationError(
      refusal(422, 'VALIDATION_ERROR', { details: { issues: [{ path: 'type', message: 'absent' }] } }),
    ),
    /Fix the arguments and try again\. \[\{"path":"type","message":"absent"\}\]/,
  ],
  [new ApiError(refusal(418, 'HTTP_418')), /^HTTP_418: It was refused\./],
  [
    new ConnectionError('POST http://x got no complete response.', 4),
    /^Couldn't reach Countersign: .*Don't run the action/,
  ],
  [new ToolError('Request a new approval.'), /^Request a new approval\.$/],
])('an agent reads of %s what to do', (error, text) => {
  expect(failureText(error)).toMatch(text)
})

it('the text of an unexpected error is not for an agent', () => {
  expect(failureText(new TypeError('undefined is not a function'))).toBeNull()
})

it.each([
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
  ['01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-later', true],
  ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', false],
  ['00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01', false],
  [`x${'0'.repeat(100_000)}`, false],
  [7, false],
])('traceparent %s', (traceparent, isTrace) => {
  const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
  expect(traceOf({ traceparent })).toEqual(isTrace ? trace : {})
})
