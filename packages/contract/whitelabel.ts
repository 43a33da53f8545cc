/** Branding of a center: part 4.3 of the specification names the operation and leaves its shape open. */
import { Type } from 'typebox'
import { CenterSettings } from './center-settings.ts'
import { CenterDomain, described, named } from './common.ts'
import { VerticalSchema } from './enums.ts'
import { operation } from './operation.ts'

export const getWhitelabelConfig = operation({
  id: 'whitelabel.getConfig',
  surface: 'platform',
  tag: 'Centers',
  method: 'GET',
  path: '/whitelabel/{domain}/config',
  access: { kind: 'public' },
  store: 'identity',
  summary: "Retrieve a center's branding",
  description:
    "Returns a center's branding and features for the pages that visitors see. The center is found by its subdomain or custom domain.",
  params: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 253,
      description:
        "The center's subdomain, or the custom domain of a WHITE_LABEL center or of a white-label partner's center.",
      examples: ['haneul'],
    }),
  }),
  replies: {
    200: named(
      'WhitelabelConfig',
      {
        domain: described(CenterDomain, "The center's subdomain."),
        name: Type.String({ description: "The center's name." }),
        vertical: VerticalSchema,
        branding: CenterSettings.properties.branding,
        features: CenterSettings.properties.features,
        locale: CenterSettings.properties.locale,
      },
      { description: "A center's branding and features." },
    ),
  },
  errors: ['CENTER_NOT_FOUND'],
})
