/** Branding of a center: part 4.3 of the specification names the operation and leaves its shape open. */
import { Type } from 'typebox'
import { CenterSettings } from './centers.ts'
import { CenterDomain, named } from './common.ts'
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
  summary: 'Get the branding and features of a center by its slug or custom domain',
  params: Type.Object({
    domain: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'The slug, or the custom domain of a WHITE_LABEL center',
    }),
  }),
  replies: {
    200: named('WhitelabelConfig', {
      domain: CenterDomain,
      name: Type.String(),
      vertical: VerticalSchema,
      branding: CenterSettings.properties.branding,
      features: CenterSettings.properties.features,
      locale: CenterSettings.properties.locale,
    }),
  },
  errors: ['CENTER_NOT_FOUND'],
})
