/** Policies that a franchise center has inherited: only the partner can change them. These operations aren't in the specification. */
import { Type } from 'typebox'
import { CenterId, described } from './common.ts'
import { Policy, PolicyPatch } from './governance.ts'
import { IdParam } from './ids.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Partners', store: 'none' } as const
const CenterParam = Type.Object({ centerId: described(CenterId, "The center's ID, as in the list of centers.") })

export const listInheritedPolicies = operation({
  ...shared,
  id: 'partner.listCenterPolicies',
  method: 'GET',
  path: '/partner/centers/{centerId}/policies',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] },
  summary: "List a center's inherited policies",
  description:
    "Returns the policies in force that one of your centers inherited from you. Policies created by the center itself or by the operator aren't included.",
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
  summary: 'Update an inherited policy',
  description:
    "Creates a new version of a policy that a center in your franchise inherited. The change is recorded under your name in the center's `history` chain, and the center sees it in its audit log. `active: false` turns the policy off. If two changes arrive at the same time, the later one starts from the result of the earlier one; a repeated request changes nothing. A white-label partner's centers change inherited policies themselves, so the response is 403. If the center is closed, the response is 409.",
  params: Type.Object({ ...CenterParam.properties, ...IdParam('policy').properties }),
  body: PolicyPatch,
  replies: { 200: Policy },
  errors: ['CENTER_NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})
