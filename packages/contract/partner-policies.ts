/** Policies that a center of a franchise inherited: only the partner changes them. These operations are ours. */
import { Type } from 'typebox'
import { CenterId } from './common.ts'
import { Policy, PolicyPatch } from './governance.ts'
import { IdParam } from './ids.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Partners', store: 'none' } as const
const CenterParam = Type.Object({ centerId: CenterId })

export const listInheritedPolicies = operation({
  ...shared,
  id: 'partner.listCenterPolicies',
  method: 'GET',
  path: '/partner/centers/{centerId}/policies',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] },
  summary: 'List the policies in force that a center of this partner has inherited',
  description: 'Without the policies that the center made itself, and without those of the operator.',
  params: CenterParam,
  replies: { 200: Type.Array(Policy) },
  errors: ['CENTER_NOT_FOUND'],
})

export const updateInheritedPolicy = operation({
  ...shared,
  id: 'partner.updateCenterPolicy',
  stepUp: { within: 'rules' },
  method: 'PATCH',
  path: '/partner/centers/{centerId}/policies/{id}',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN'] },
  summary: 'Create a new version of a policy that a center of this franchise has inherited',
  description:
    'The change becomes an entry of the chain `history` of the center in the name of the caller; the center reads it in its audit entries. `active: false` ends the effect of the policy. Of two changes at the same time the later one starts from the result of the earlier one; a repeated request changes nothing. A center of a white-label partner changes inherited policies itself: 403. A center that has ended: 409.',
  params: Type.Object({ ...CenterParam.properties, ...IdParam.properties }),
  body: PolicyPatch,
  replies: { 200: Policy },
  errors: ['CENTER_NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})
