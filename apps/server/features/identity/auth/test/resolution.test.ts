import type { Destination } from '@countersign/contract/enums.ts'
import { firstSandboxId } from '@countersign/proof/chain.ts'
import { describe, expect, it } from 'vitest'
import type { FamilyMembership } from '../../../../access/queries.ts'
import { type ResolutionInput, resolveDestination } from '../resolution.ts'

function membership(domain: string, change: Partial<FamilyMembership> = {}): FamilyMembership {
  return {
    membership_id: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
    center_id: domain.charCodeAt(0),
    center_name: domain,
    center_domain: domain,
    center_status: 'ACTIVE',
    center_cell: 'main',
    custom_domain: null,
    partner_id: null,
    role: 'INSTRUCTOR',
    roles: ['INSTRUCTOR'],
    status: 'ACTIVE',
    invited_at: new Date(0),
    ended_at: null,
    suspended_by: null,
    ...change,
  }
}

const a = membership('a-center')
const b = membership('b-center')
const school = membership('s-center')
const administered = (domain: string, change: Partial<FamilyMembership> = {}) =>
  membership(domain, { role: 'ADMIN', ...change })
const closed = { center_status: 'SUSPENDED' }
const sandbox = administered('sandbox-a', { center_id: firstSandboxId })

type Case = [name: string, input: Partial<ResolutionInput>, center: string | null, destination: Destination]

/** In the order of the specification: an earlier case takes precedence over every later one. */
const cases: Case[] = [
  ['an ADMIN: the admin dashboard', { memberships: [administered('a-center')] }, 'a-center', 'admin_dashboard'],
  [
    'an ADMIN with a cookie of a center where the person is not ADMIN: the admin dashboard',
    { memberships: [a, administered('b-center')], lastTenant: 'a-center' },
    'b-center',
    'admin_dashboard',
  ],
  [
    'an ADMIN of several centers: the last visited',
    { memberships: [administered('a-center'), administered('b-center')], lastTenant: 'b-center' },
    'b-center',
    'admin_dashboard',
  ],
  [
    'an ADMIN of several centers without a cookie: the one with the domain of the email',
    { memberships: [administered('a-center'), administered('s-center')] },
    's-center',
    'admin_dashboard',
  ],
  [
    'an ADMIN of several centers without a cookie or a domain: the first of them',
    { memberships: [administered('a-center'), administered('b-center')] },
    'a-center',
    'admin_dashboard',
  ],
  [
    'an INSTRUCTOR of one center and ADMIN of a sandbox: the center',
    { memberships: [a, sandbox] },
    'a-center',
    'workspace',
  ],
  [
    'a sandbox that was visited last: the sandbox',
    { memberships: [administered('a-center'), sandbox], lastTenant: 'sandbox-a' },
    'sandbox-a',
    'admin_dashboard',
  ],
  ['a sandbox alone: the sandbox', { memberships: [sandbox] }, 'sandbox-a', 'admin_dashboard'],
  [
    'an ADMIN of a suspended center does not count as ADMIN',
    { memberships: [administered('a-center', closed), b] },
    'b-center',
    'workspace',
  ],
  [
    'a suspended ADMIN does not count as ADMIN',
    { memberships: [administered('a-center', { status: 'SUSPENDED' }), b] },
    'b-center',
    'workspace',
  ],
  ['several centers: the last visited', { memberships: [a, b], lastTenant: 'b-center' }, 'b-center', 'workspace'],
  [
    'the last visited center takes precedence over the domain of the email',
    { memberships: [a, school], lastTenant: 'a-center' },
    'a-center',
    'workspace',
  ],
  [
    'a cookie of a center that the person has left is ignored',
    { memberships: [membership('a-center', { status: 'ENDED' }), b, school], lastTenant: 'a-center' },
    's-center',
    'workspace',
  ],
  [
    'a cookie of a center without a membership is ignored',
    { memberships: [a, b], lastTenant: 'c-center' },
    null,
    'tenant_picker',
  ],
  ['one center: that one', { memberships: [a] }, 'a-center', 'workspace'],
  [
    'one center that can be entered: that one',
    { memberships: [membership('x-center', closed), membership('y-center', { status: 'PENDING' }), a] },
    'a-center',
    'workspace',
  ],
  ['several centers: the one with the domain of the email', { memberships: [a, b, school] }, 's-center', 'workspace'],
  [
    'several centers, of which none has proven the domain of the email: the picker',
    { memberships: [a, school], ofEmailDomain: new Set() },
    null,
    'tenant_picker',
  ],
  [
    'several centers, of which two have proven the domain of the email: the picker',
    { memberships: [a, b, school], ofEmailDomain: new Set([b.center_id, school.center_id]) },
    null,
    'tenant_picker',
  ],
  [
    'a center with the domain of the email that cannot be entered is no match',
    { memberships: [a, b, membership('s-center', { status: 'SUSPENDED' })] },
    null,
    'tenant_picker',
  ],
  ['several centers without a preference: the picker', { memberships: [a, b] }, null, 'tenant_picker'],
  ['several centers of a partner account: the picker', { memberships: [a, b], isPartner: true }, null, 'tenant_picker'],
  ['a partner account without a center', { isPartner: true }, null, 'partner_dashboard'],
  [
    'a partner account that is only invited',
    { isPartner: true, memberships: [membership('a-center', { status: 'INVITED' })] },
    null,
    'partner_dashboard',
  ],
  ['a partner account with a center: the center', { isPartner: true, memberships: [a] }, 'a-center', 'workspace'],
  ['invited only', { memberships: [membership('a-center', { status: 'INVITED' })] }, null, 'waiting'],
  ['pending only', { memberships: [membership('a-center', { status: 'PENDING' })] }, null, 'waiting'],
  [
    'pending and ended',
    { memberships: [membership('a-center', { status: 'ENDED' }), membership('b-center', { status: 'PENDING' })] },
    null,
    'waiting',
  ],
  ['suspended only', { memberships: [membership('a-center', { status: 'SUSPENDED' })] }, null, 'onboarding'],
  ['ended only', { memberships: [membership('a-center', { status: 'ENDED' })] }, null, 'onboarding'],
  ['rejected only', { memberships: [membership('a-center', { status: 'REJECTED' })] }, null, 'onboarding'],
  ['active in a suspended center only', { memberships: [membership('a-center', closed)] }, null, 'onboarding'],
  ['no membership', {}, null, 'onboarding'],
]

describe('the destination after signing in', () => {
  it.each(cases)('%s', (_, input, center, destination) => {
    const resolution = resolveDestination({
      memberships: [],
      ofEmailDomain: new Set([school.center_id]),
      isPartner: false,
      lastTenant: undefined,
      ...input,
    })
    expect([resolution.center?.center_domain ?? null, resolution.destination]).toEqual([center, destination])
  })
})
