/** Requests of a gateway in the format of the Agent Governance Toolkit, with digests that fit. */
import { createHash, randomUUID } from 'node:crypto'
import { canonical, type Json } from '@countersign/proof/canonical.ts'

export const digestOf = (value: object): string =>
  `sha256:${createHash('sha256')
    .update(canonical(value as Json))
    .digest('hex')}`

export const sampleBinding = (overrides: object = {}) => ({
  schema_version: '1.0',
  operation: 'tool.invoke',
  agent_id: 'agent-7',
  subject_id: null as string | null,
  target: { tool_name: 'payments.transfer', tool_schema_version: '2', resource: 'account-a' as string | null },
  parameters: { to: 'KR-110-220', amount: 40_000 } as Record<string, unknown>,
  ...overrides,
})

export type AddressedRequest = ReturnType<typeof approvalRequest>

/** As Python writes it. */
export const pythonTime = (fromNow: number): string =>
  new Date(Date.now() + fromNow).toISOString().replace('Z', '456+00:00')

/** `presented` replaces members after the binding, `binding` members of the binding; the digests are computed last. */
export function approvalRequest({ presented = {}, binding = {} }: { presented?: object; binding?: object } = {}) {
  const bound = sampleBinding(binding)
  const shown = {
    approval_request_id: `ar_${randomUUID().replaceAll('-', '')}`,
    policy_decision_id: 'pd_0a1b2c3d',
    action_digest: digestOf(bound),
    agent_id: bound.agent_id,
    subject_id: bound.subject_id,
    operation: bound.operation,
    target_resource: bound.target.resource,
    policy_version: '2026.06.11',
    approval_chain_id: 'high-risk-tools',
    approval_chain_version: '3',
    expires_at: pythonTime(300_000),
    ...presented,
  }
  return { schema_version: '1.0', type: 'approval_request', input_digest: digestOf(shown), ...shown, binding: bound }
}
