/** Settings of messages that nobody would ever get aren't shown, and no group that concerns the person is hidden. */
import type { CurrentActor } from '@countersign/sdk'
import { expect, it } from 'vitest'
import { groupsFor } from '../areas/me/message-groups.ts'

const all = ['appointments', 'decisions', 'membership', 'center', 'subscription', 'security'] as const
const has = (roles: readonly string[], status = 'ACTIVE') =>
  ({ roles, status }) as unknown as CurrentActor['memberships'][number]

it.each([
  ['guardians and clients', [has(['PARENT', 'CHILD'])], null, ['appointments', 'membership', 'security']],
  ['instructors', [has(['INSTRUCTOR'])], null, ['appointments', 'decisions', 'membership', 'security']],
  ['administrators of one of their centers', [has(['PARENT']), has(['ADMIN', 'CHILD'])], null, all],
  [
    'former administrators',
    [has(['PARENT']), has(['ADMIN'], 'ENDED')],
    null,
    ['appointments', 'membership', 'security'],
  ],
  ['people without a center', [], null, all],
  ['whoever acts for a partner', [has(['CHILD'])], 'PARTNER_OPERATOR', all],
] as const)('%s', (_, memberships, partnerRole, shown) => {
  expect(all.filter(groupsFor({ memberships: [...memberships], partnerRole }))).toEqual(shown)
})
