/** Decisions of the service itself: a change of rules waits for people like any other decision. Pure. */
import { hash } from 'node:crypto'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { comparableId } from '../lib/comparable-id.ts'
import { Problem } from '../lib/problem.ts'
import type { Applied } from './policies.ts'

const ownPrefix = 'countersign.'
export const policyChange = `${ownPrefix}policy`

/** Callers never record these: whoever could would write what an approver of rules is shown. */
export const isOwn = (actionType: string): boolean => comparableId(actionType).startsWith(ownPrefix)

export function refuseOwn(actionType: string): void {
  if (!isOwn(actionType)) return
  const message = 'must not begin with "countersign.": these are decisions of the service itself'
  throw new Problem('VALIDATION_ERROR', `"action.type" ${message}.`, {
    details: { issues: [{ path: 'action.type', message }] },
  })
}

const body: PolicyBody = {
  name: 'Changes of rules',
  scope: 'center',
  match: {},
  guards: { humanReview: true },
  approval: { identity: 'session', roles: ['ADMIN'] },
}

/** For a change of a policy that asks nobody: another ADMIN has to agree. */
export const ownLine: Applied = {
  id: 'countersign',
  version: 1,
  digest: `sha256:${hash('sha256', canonical(body as unknown as Json))}`,
  body,
}
