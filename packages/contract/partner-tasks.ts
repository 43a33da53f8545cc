/** What waits for a partner in its centers. Ours. */
import { Type } from 'typebox'
import { CenterId, DateTime, described, named, nullable } from './common.ts'
import { ActorRoleSchema, oneOf } from './enums.ts'
import { TypedId } from './ids.ts'

const taskKinds = ['ROLE', 'EMERGENCY', 'DOMAIN', 'PAST_DUE'] as const
export type PartnerTaskKind = (typeof taskKinds)[number]

export const PartnerTask = named(
  'PartnerTask',
  {
    kind: oneOf(
      'PartnerTaskKind',
      taskKinds,
      "What waits. ROLE: a role that doesn't count yet. EMERGENCY: an emergency approval that wasn't confirmed. Both are listed only if the center has no other ADMIN who may settle them. DOMAIN: a domain that isn't proved. PAST_DUE: a subscription that isn't paid.",
    ),
    centerId: nullable(described(CenterId, 'The center. Null for a domain of the partner.')),
    centerName: nullable(Type.String({ description: "The center's name. Null for a domain of the partner." })),
    since: described(DateTime, 'Since when. For a subscription: when the paid period ended.'),
    membershipId: nullable(TypedId('membership', 'The membership to confirm. Null for other kinds.')),
    memberName: nullable(Type.String({ description: "The member's name. Null for other kinds." })),
    role: nullable(described(ActorRoleSchema, "The member's role. Null for other kinds.")),
    eventId: nullable(TypedId('decisionEvent', 'The decision to close. Null for other kinds.')),
    domain: nullable(Type.String({ description: 'The domain to prove. Null for other kinds.' })),
  },
  { description: 'Something that waits for a partner.' },
)
