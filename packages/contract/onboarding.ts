/** How a partner begins: named in part 4.3 of the specification, shaped here. */
import { Type } from 'typebox'
import { Center } from './centers.ts'
import { ActorId, closed, Email } from './common.ts'
import { FoundedTenantType, PartnerKind, PartnerRoleSchema, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { Member } from './members.ts'
import { operation } from './operation.ts'
import { subdomainPattern } from './provisioning.ts'

const Name = Type.String({ minLength: 1, maxLength: 200 })

export const onboardPartner = operation({
  id: 'admin.onboardPartner',
  surface: 'platform',
  tag: 'Operation',
  method: 'POST',
  path: '/admin/partners/onboard',
  access: { kind: 'operator' },
  store: 'directory',
  summary: 'Create a partner, its first center and its administrator, all or nothing',
  description:
    'The administrator acts for the partner and administers the center. Whoever has no password yet is invited by email and ACTIVE as soon as they accept.',
  body: Type.Object(
    {
      partner: Type.Object({ name: Name, kind: PartnerKind }, closed),
      center: Type.Object(
        {
          name: Name,
          vertical: VerticalSchema,
          tenantType: FoundedTenantType,
          subdomain: Type.Optional(Type.String({ pattern: subdomainPattern })),
        },
        closed,
      ),
      admin: Type.Object({ email: Email, name: Name }, closed),
    },
    {
      ...closed,
      examples: [
        {
          partner: { name: 'Onnuri Partners', kind: 'white_label' },
          center: { name: 'Haneul', vertical: 'rehabilitation', tenantType: 'WHITE_LABEL', subdomain: 'haneul' },
          admin: { email: 'admin@onnuri.example', name: 'Pia Shin' },
        },
      ],
    },
  ),
  replies: {
    201: Type.Object(
      {
        partner: Type.Object({ id: TypedId('partner', 'Partner id'), name: Type.String(), kind: PartnerKind }, closed),
        center: Center,
        admin: Type.Object(
          {
            actorId: ActorId,
            email: Type.String(),
            name: Type.String(),
            partnerRole: PartnerRoleSchema,
            membership: Member,
          },
          closed,
        ),
      },
      closed,
    ),
  },
  errors: ['INVALID_SUBDOMAIN', 'SUBDOMAIN_TAKEN', 'PROVISIONING_FAILED', 'CONFLICT'],
})
