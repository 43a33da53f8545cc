/** Onboarding of a partner: part 4.3 of the specification names the operation and leaves its shape open. */
import { Type } from 'typebox'
import { Center } from './centers.ts'
import { ActorId, Email, named, PlainName } from './common.ts'
import { FoundedTenantType, PartnerKind, PartnerRoleSchema, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { Member } from './members.ts'
import { operation } from './operation.ts'
import { CountryCode, RegionCode } from './places.ts'
import { subdomainPattern } from './provisioning.ts'

export const onboardPartner = operation({
  id: 'admin.onboardPartner',
  surface: 'platform',
  tag: 'Platform operators',
  method: 'POST',
  path: '/admin/partners/onboard',
  access: { kind: 'operator' },
  store: 'directory',
  summary: 'Create a partner, its first center and its administrator in one transaction',
  description:
    'The administrator acts for the partner and administers the center. A person without a password receives an invitation by email, and the membership is ACTIVE as soon as they accept.',
  body: named(
    'PartnerOnboarding',
    {
      partner: named('NewPartner', { name: PlainName, kind: PartnerKind }),
      center: named('NewPartnerFirstCenter', {
        name: PlainName,
        vertical: VerticalSchema,
        tenantType: FoundedTenantType,
        subdomain: Type.Optional(Type.String({ pattern: subdomainPattern })),
        country: Type.Optional(CountryCode),
        region: Type.Optional(RegionCode),
      }),
      admin: named('NewPartnerAdmin', { email: Email, name: PlainName }),
    },
    {
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
    201: named('OnboardedPartner', {
      partner: named('Partner', { id: TypedId('partner', 'Partner id'), name: Type.String(), kind: PartnerKind }),
      center: Center,
      admin: named('PartnerAdmin', {
        actorId: ActorId,
        email: Type.String(),
        name: Type.String(),
        partnerRole: PartnerRoleSchema,
        membership: Member,
      }),
    }),
  },
  errors: ['INVALID_SUBDOMAIN', 'SUBDOMAIN_TAKEN', 'PROVISIONING_FAILED', 'CONFLICT'],
})
