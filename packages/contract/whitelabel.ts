/** How a branded center presents itself: named in part 4.3 of the specification, shaped here. */
import { Type } from 'typebox'
import { CenterSettings } from './centers.ts'
import { CenterDomain, closed } from './common.ts'
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
  summary: 'Branding and features of a center, by its slug or its own domain',
  params: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'The slug, or the custom domain of a WHITE_LABEL center',
    }),
  }),
  replies: {
    200: Type.Object(
      {
        domain: CenterDomain,
        name: Type.String(),
        vertical: VerticalSchema,
        branding: CenterSettings.properties.branding,
        features: CenterSettings.properties.features,
        locale: CenterSettings.properties.locale,
      },
      closed,
    ),
  },
  errors: ['CENTER_NOT_FOUND'],
})
