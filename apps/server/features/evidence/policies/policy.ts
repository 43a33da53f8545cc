/** A policy as versioned, digested and answered. */

import type { createPolicy, updatePolicy } from '@countersign/contract/governance.ts'
import type { BodyOf, PayloadOf } from '@countersign/contract/operation.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { historyStatic, policyState } from '@countersign/proof/history-entry.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import { type CenterProfile, isInherited } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import type { PolicyRow } from '../../../governance/rows.ts'
import { digestOfPolicy, noteRules, policyRule, requireUnaltered, ruleRows } from '../../../governance/rules.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { requireSound } from './sound.ts'

type Policy = PayloadOf<(typeof createPolicy)['spec'], 201>

export const unknownPolicy = (): Problem =>
  new Problem(
    'NOT_FOUND',
    'This center has no policy of its own with this ID. List its policies to find the ID; only the operator can change shared ones.',
  )

export const digestOf = digestOfPolicy

/** The body in the form that is stored and digested, with all defaults filled in. */
export const bodyText = (body: PolicyBody): string => canonical({ active: true, ...body } as unknown as Json)

export type VersionRow = PolicyRow & { readonly created_at: Date | string | null }

export function policyOf(
  center: Pick<CenterProfile, 'inherited'>,
  { id, version, digest, policy, created_at }: VersionRow,
): Policy {
  const body = JSON.parse(policy) as PolicyBody
  const {
    name,
    description = null,
    scope,
    country = null,
    region = null,
    match,
    guards,
    approval = null,
    active = true,
  } = body
  return {
    ...{ id: typedId('policy', id), version, digest },
    ...{ name, description, scope, country, region, match, guards, approval, active },
    inherited: isInherited(center, id),
    createdAt: created_at && new Date(created_at).toISOString(),
  }
}

/** A new version; `approval: null` removes the member. */
export function changedBody(old: PolicyBody, patch: BodyOf<(typeof updatePolicy)['spec']>): PolicyBody {
  const { approval, ...changed } = { ...old, ...patch }
  const body = { ...changed, ...(approval && { approval }) }
  requireSound(body)
  return body
}

interface Versioning {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly action: 'created' | 'updated' | 'deleted'
  /** Further facts for the audit entry. */
  readonly details?: { readonly partner: string }
}

/** A change is a new version, an entry of the chain `history` and an audit entry; old versions do not change. */
export function addVersion(
  batch: Batch,
  { center, caller, action, details }: Versioning,
  id: string,
  version: number,
  body: PolicyBody,
): VersionRow {
  requireUnaltered(batch, center)
  const policy = bodyText(body)
  const digest = digestOf(policy)
  const target = typedId('policy', id)
  const entryId = newUuid()
  const previous = policyRule(batch, id)?.change_hash ?? null
  const disclosed = { policy: JSON.parse(policy), version, digest, action, by: { id: caller.actorId as string } }
  const prepared = historyStatic(
    { id: typedId('history', entryId), type: 'policy', target, previous, values: disclosed },
    (commitments) => policyState(commitments.policy as string),
    newSalt,
  )
  const entry = batch.appendHistory(entryId, prepared, disclosed)
  const row = {
    sort: 'policy' as const,
    center_id: center.centerId,
    id,
    version,
    policy,
    digest,
    deleted: action === 'deleted',
    created_by: caller.actorId as string,
    created_at: entry.sealedAt,
    change_hash: entry.hash,
  }
  batch.rows(ruleRows).insert(row)
  noteRules(batch, center, entry)
  auditInBatch(batch, caller, {
    type: 'policy.changed',
    action,
    target: { type: 'policy', id: target },
    details: { version, digest, ...details },
  })
  return row
}
