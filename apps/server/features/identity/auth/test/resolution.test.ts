import type { Destination } from '@countersign/contract/enums.ts'
import { describe, expect, it } from 'vitest'
import type { FamilyMembership } from '../../../../access/queries.ts'
import { resolveArrival, type Traveller } from '../resolution.ts'

function membership(domain: string, change: Partial<FamilyMembership> = {}): FamilyMembership {
  return {
    membership_id: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
    center_id: domain.charCodeAt(0),
    center_name: domain,
    center_domain: domain,
    center_status: 'ACTIVE',
    center_cell: 'main',
    custom_domain: null,
    role: 'INSTRUCTOR',
    status: 'ACTIVE',
    invited_at: new Date(0),
    ended_at: null,
    ...change,
  }
}

const a = membership('a-center')
const b = membership('b-center')
const school = membership('s-center', { custom_domain: 'school.example' })
const administered = (domain: string, change: Partial<FamilyMembership> = {}) =>
  membership(domain, { role: 'ADMIN', ...change })
const closed = { center_status: 'SUSPENDED' }

type Case = [name: string, traveller: Partial<Traveller>, center: string | null, destination: Destination]

/** In the order of the specification: whatever stands first wins over everything below it. */
const cases: Case[] = [
  ['an ADMIN goes to the admin dashboard', { memberships: [administered('a-center')] }, 'a-center', 'admin_dashboard'],
  [
    'even with a cookie of a center where the person is no ADMIN',
    { memberships: [a, administered('b-center')], lastTenant: 'a-center' },
    'b-center',
    'admin_dashboard',
  ],
  [
    'of several administered centers, to the last visited',
    { memberships: [administered('a-center'), administered('b-center')], lastTenant: 'b-center' },
    'b-center',
    'admin_dashboard',
  ],
  [
    'else to the one whose domain is that of the email',
    { memberships: [administered('a-center'), administered('s-center', { custom_domain: 'school.example' })] },
    's-center',
    'admin_dashboard',
  ],
  [
    'else to the first of them',
    { memberships: [administered('a-center'), administered('b-center')] },
    'a-center',
    'admin_dashboard',
  ],
  [
    'but an ADMIN of a suspended center only is no ADMIN',
    { memberships: [administered('a-center', closed), b] },
    'b-center',
    'workspace',
  ],
  [
    'nor is a suspended ADMIN',
    { memberships: [administered('a-center', { status: 'SUSPENDED' }), b] },
    'b-center',
    'workspace',
  ],
  ['the last visited of several', { memberships: [a, b], lastTenant: 'b-center' }, 'b-center', 'workspace'],
  [
    'the last visited before the domain of the email',
    { memberships: [a, school], lastTenant: 'a-center' },
    'a-center',
    'workspace',
  ],
  [
    'a cookie of a center one has left is passed over',
    { memberships: [membership('a-center', { status: 'ENDED' }), b, school], lastTenant: 'a-center' },
    's-center',
    'workspace',
  ],
  [
    'a cookie of a stranger’s center is passed over',
    { memberships: [a, b], lastTenant: 'c-center' },
    null,
    'tenant_picker',
  ],
  ['the only one', { memberships: [a] }, 'a-center', 'workspace'],
  [
    'the only one that can be entered',
    { memberships: [membership('x-center', closed), membership('y-center', { status: 'PENDING' }), a] },
    'a-center',
    'workspace',
  ],
  ['the one that has the domain of the email', { memberships: [a, b, school] }, 's-center', 'workspace'],
  [
    'no email, no match',
    { memberships: [a, membership('b-center', { custom_domain: 'people.example' })], email: null },
    null,
    'tenant_picker',
  ],
  ['several and no reason to prefer one', { memberships: [a, b] }, null, 'tenant_picker'],
  ['several, for a partner too', { memberships: [a, b], isPartner: true }, null, 'tenant_picker'],
  ['a partner account without a center', { isPartner: true }, null, 'partner_dashboard'],
  [
    'a partner account that is only invited',
    { isPartner: true, memberships: [membership('a-center', { status: 'INVITED' })] },
    null,
    'partner_dashboard',
  ],
  [
    'a partner account with a center goes to the center',
    { isPartner: true, memberships: [a] },
    'a-center',
    'workspace',
  ],
  ['invited only', { memberships: [membership('a-center', { status: 'INVITED' })] }, null, 'waiting'],
  ['pending only', { memberships: [membership('a-center', { status: 'PENDING' })] }, null, 'waiting'],
  [
    'pending beside an ended one',
    { memberships: [membership('a-center', { status: 'ENDED' }), membership('b-center', { status: 'PENDING' })] },
    null,
    'waiting',
  ],
  ['suspended only', { memberships: [membership('a-center', { status: 'SUSPENDED' })] }, null, 'onboarding'],
  ['ended only', { memberships: [membership('a-center', { status: 'ENDED' })] }, null, 'onboarding'],
  ['rejected only', { memberships: [membership('a-center', { status: 'REJECTED' })] }, null, 'onboarding'],
  ['active in a suspended center only', { memberships: [membership('a-center', closed)] }, null, 'onboarding'],
  ['nothing at all', {}, null, 'onboarding'],
]

describe('where a person goes after signing in', () => {
  it.each(cases)('%s', (_, traveller, center, destination) => {
    const arrival = resolveArrival({
      memberships: [],
      email: 'someone@school.example',
      isPartner: false,
      lastTenant: undefined,
      ...traveller,
    })
    expect([arrival.center?.center_domain ?? null, arrival.destination]).toEqual([center, destination])
  })
})
