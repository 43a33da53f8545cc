/** Onboarding of a partner: part 4.3 of the specification names the operation and leaves its shape open. */
import { Type } from 'typebox'
import { Center } from './centers.ts'
import { ActorId, described, Email, named, PlainName } from './common.ts'
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
  summary: 'Onboard a partner',
  description:
    'Creates a partner, its first center and its administrator in one transaction. The administrator acts for the partner and administers the center. If that person has no password, they get an invitation by email, and their membership is ACTIVE as soon as they accept it.',
  body: named(
    'PartnerOnboarding',
    {
      partner: named(
        'NewPartner',
        { name: described(PlainName, "The partner's name.", 'Onnuri Partners'), kind: PartnerKind },
        { description: 'The partner to create.' },
      ),
      center: named(
        'NewPartnerFirstCenter',
        {
          name: described(PlainName, "The center's name.", 'Haneul'),
          vertical: VerticalSchema,
          tenantType: FoundedTenantType,
          subdomain: Type.Optional(
            Type.String({
              pattern: subdomainPattern,
              description: "The center's subdomain. If you leave it out, it's derived from the name.",
              examples: ['haneul'],
            }),
          ),
          country: Type.Optional(CountryCode),
          region: Type.Optional(RegionCode),
        },
        { description: "The partner's first center." },
      ),
      admin: named(
        'NewPartnerAdmin',
        {
          email: described(Email, "The person's email address.", 'admin@onnuri.example'),
          name: described(PlainName, "The person's name.", 'Pia Shin'),
        },
        { description: 'The person who acts for the partner and administers the center.' },
      ),
    },
    {
      description: 'The partner to create, with its first center and administrator.',
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
    201: named(
      'OnboardedPartner',
      {
        partner: named(
          'Partner',
          {
            id: TypedId('partner', "The partner's ID."),
            name: Type.String({ description: "The partner's name." }),
            kind: PartnerKind,
          },
          { description: 'The new partner.' },
        ),
        center: described(Center, "The partner's first center."),
        admin: named(
          'PartnerAdmin',
          {
            actorId: described(ActorId, "The person's actor ID."),
            email: Type.String({ description: "The person's email address." }),
            name: Type.String({ description: "The person's name." }),
            partnerRole: PartnerRoleSchema,
            membership: described(Member, "The person's membership in the first center."),
          },
          { description: "The partner's administrator." },
        ),
      },
      { description: 'The partner with its first center and administrator.' },
    ),
  },
  errors: ['INVALID_SUBDOMAIN', 'SUBDOMAIN_TAKEN', 'PROVISIONING_FAILED', 'CONFLICT'],
})
