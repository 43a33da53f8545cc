/** DNS domains that a center or a partner proves by a TXT record. Not in the specification. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { DateTime, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Purpose = oneOf(
  'DomainPurpose',
  ['email', 'site'],
  '`email`: sign-in providers of the same owner may vouch for its addresses. `site`: the custom domain of a center',
)
const DomainName = Type.String({
  minLength: 3,
  maxLength: 253,
  description: 'A DNS name, without a dot at the end',
  examples: ['haneul.example'],
})

const Domain = named('Domain', {
  id: TypedId('domain', 'Domain id'),
  purpose: Purpose,
  domain: DomainName,
  status: oneOf('DomainStatus', ['pending', 'proven'], 'A domain counts while it is proven'),
  record: named('DomainRecord', {
    type: Type.Literal('TXT'),
    name: Type.String({ description: 'Name of the record' }),
    value: Type.String({ description: 'Value of the record; it must stay there' }),
  }),
  createdAt: DateTime,
  provenAt: nullable(DateTime),
  checkedAt: nullable(DateTime),
  lastCheck: nullable(
    oneOf(
      'DomainCheck',
      ['present', 'absent', 'error'],
      'Of this request: what the name servers said. Null where this request asked none',
    ),
  ),
})

const center = {
  surface: 'platform',
  tag: 'Centers',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
} as const
const partner = {
  surface: 'platform',
  tag: 'Partners',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN'] },
} as const
const CenterDomainParams = Type.Object({ ...CenterParam.properties, ...IdParam.properties })
const example = { purpose: 'email', domain: 'haneul.example' }
const proving =
  'Publish `record` in the DNS, then check the domain. The record must stay: a domain whose record is absent in three checks over 24 hours counts no longer.'

export const addDomain = operation({
  ...center,
  id: 'domains.add',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/centers/{center}/domains',
  store: 'directory',
  summary: 'Add a domain of a center, and get the TXT record that proves it',
  description: proving,
  params: CenterParam,
  body: named('NewDomain', { purpose: Purpose, domain: DomainName }, { examples: [example] }),
  replies: { 201: Domain },
  errors: ['CONFLICT'],
})

export const listDomains = operation({
  ...center,
  id: 'domains.list',
  method: 'GET',
  path: '/centers/{center}/domains',
  store: 'directory',
  summary: 'List the domains of a center',
  params: CenterParam,
  replies: { 200: Type.Array(Domain) },
})

export const checkDomain = operation({
  ...center,
  id: 'domains.check',
  method: 'POST',
  path: '/centers/{center}/domains/{id}/check',
  store: 'none',
  summary: 'Look for the TXT record of a domain now',
  params: CenterDomainParams,
  replies: { 200: Domain },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeDomain = operation({
  ...center,
  id: 'domains.remove',
  stepUp: { within: 'rules' },
  method: 'DELETE',
  path: '/centers/{center}/domains/{id}',
  store: 'directory',
  summary: 'Remove a domain of a center',
  params: CenterDomainParams,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})

export const addPartnerDomain = operation({
  ...partner,
  id: 'partner.addDomain',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/partner/domains',
  store: 'partner',
  summary: 'Add an email domain of this partner, and get the TXT record that proves it',
  description: proving,
  body: named('NewPartnerDomain', { domain: DomainName }, { examples: [{ domain: 'network.example' }] }),
  replies: { 201: Domain },
  errors: ['CONFLICT'],
})

export const listPartnerDomains = operation({
  ...partner,
  id: 'partner.listDomains',
  method: 'GET',
  path: '/partner/domains',
  store: 'partner',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] },
  summary: 'List the email domains of this partner',
  replies: { 200: Type.Array(Domain) },
})

export const checkPartnerDomain = operation({
  ...partner,
  id: 'partner.checkDomain',
  method: 'POST',
  path: '/partner/domains/{id}/check',
  store: 'none',
  summary: 'Look for the TXT record of a domain of this partner now',
  params: IdParam,
  replies: { 200: Domain },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removePartnerDomain = operation({
  ...partner,
  id: 'partner.removeDomain',
  stepUp: { within: 'rules' },
  method: 'DELETE',
  path: '/partner/domains/{id}',
  store: 'partner',
  summary: 'Remove an email domain of this partner',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
