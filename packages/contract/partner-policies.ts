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
    "Returns the policies in force that one of your centers inherited from you, without those the center made itself and without the operator's.",
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
    "Creates a new version of a policy that a center of your franchise inherited. The change becomes an entry in the center's chain `history` in your name, and the center sees it in its audit log. `active: false` turns the policy off. If two changes arrive at the same time, the later one starts from the result of the earlier one; a repeated request changes nothing. A white-label partner's center changes inherited policies itself: 403. A center that is closed: 409.",
  params: Type.Object({ ...CenterParam.properties, ...IdParam('policy').properties }),
  body: PolicyPatch,
  replies: { 200: Policy },
  errors: ['CENTER_NOT_FOUND', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})
