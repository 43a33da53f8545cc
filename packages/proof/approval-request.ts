/**
 * The request of a gateway that leaves an approval to this service: the webhook format 1.0 of the Agent Governance Toolkit
 * (ADR-0030), with the action that its digest is about. What is sealed of it follows from it, for the service and for a verifier.
 */
import { sha256Hex } from '#sha256'
import { canonical, type Json } from './canonical.ts'

type Members = { readonly [member: string]: Json }

/** What the gateway will run. Its digest is `action_digest`. */
export interface ActionBinding {
  readonly schema_version: string
  readonly operation: string
  readonly agent_id: string
  readonly subject_id: string | null
  readonly target: {
    readonly tool_name: string
    readonly tool_schema_version: string
    readonly resource: string | null
  }
  readonly parameters: object
}

export interface ApprovalRequest {
  readonly schema_version: string
  readonly type: string
  readonly approval_request_id: string
  readonly policy_decision_id: string
  readonly action_digest: string
  readonly input_digest: string
  readonly agent_id: string
  readonly subject_id: string | null
  readonly operation: string
  readonly target_resource: string | null
  readonly policy_version: string
  readonly approval_chain_id: string
  readonly approval_chain_version: string
  readonly expires_at: string
  readonly binding: ActionBinding
}

const digest = (value: object): string => `sha256:${sha256Hex(canonical(value as Json))}`

/** The first member of a request that contradicts another one; null if it agrees with itself. */
export function contradictionIn(request: ApprovalRequest): 'action_digest' | 'input_digest' | 'binding' | null {
  const { schema_version: _, type: __, input_digest, binding, ...presented } = request
  if (digest(presented) !== input_digest) return 'input_digest'
  if (digest(binding) !== request.action_digest) return 'action_digest'
  const repeated = ['operation', 'agent_id', 'subject_id'] as const
  return repeated.every((name) => binding[name] === request[name]) ? null : 'binding'
}

const withoutNulls = (members: object): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/**
 * The decision that such a request is recorded as. Its input has everything that the two digests cover, except what is the
 * decision's actor and type: an approval of it is one of this request, and of no other with the same action.
 */
export function requestedDecision(request: ApprovalRequest): {
  readonly agent: { readonly id: string }
  readonly action: { readonly type: string; readonly input: Record<string, unknown> }
} {
  const { schema_version: _, type: __, input_digest: ___, agent_id, operation, binding, ...presented } = request
  const { target, parameters } = binding
  const input = { ...withoutNulls(presented), target: withoutNulls(target), parameters }
  return { agent: { id: agent_id }, action: { type: operation, input } }
}
