/** DNS domains that a center or a partner proves by a TXT record. Not in the specification. */
import { Type } from 'typebox'
import { ofCenter, ofPartner, readByPartner } from './access.ts'
import { CenterParam } from './centers.ts'
import { DateTime, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { definition } from './operation.ts'

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

const shared = { tag: 'Centers', store: 'directory' } as const
const CenterDomainParams = Type.Object({ ...CenterParam.properties, ...IdParam.properties })
const example = { purpose: 'email', domain: 'haneul.example' }

export const addDomain = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    {
      ...ofPartner,
      summary: 'Add an email domain of this partner, and get the TXT record that proves it',
      body: named('NewPartnerDomain', { domain: DomainName }, { examples: [{ domain: 'network.example' }] }),
    },
  ],
  id: 'domains.add',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/domains',
  summary: 'Add a domain of a center, and get the TXT record that proves it',
  description:
    'Publish `record` in the DNS, then check the domain. The record must stay: a domain whose record is absent in three checks over 24 hours counts no longer.',
  body: named('NewDomain', { purpose: Purpose, domain: DomainName }, { examples: [example] }),
  replies: { 201: Domain },
  errors: ['CONFLICT'],
})

export const listDomains = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    { ...readByPartner, summary: 'List the email domains of this partner' },
  ],
  id: 'domains.list',
  method: 'GET',
  path: '/domains',
  summary: 'List the domains of a center',
  replies: { 200: Type.Array(Domain) },
})

/** The name servers are asked between two transactions. */
export const checkDomain = definition({
  ...shared,
  mounts: [
    { ...ofCenter, store: 'none', params: CenterDomainParams },
    { ...ofPartner, store: 'none', summary: 'Look for the TXT record of a domain of this partner now' },
  ],
  id: 'domains.check',
  method: 'POST',
  path: '/domains/{id}/check',
  summary: 'Look for the TXT record of a domain now',
  params: IdParam,
  replies: { 200: Domain },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeDomain = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterDomainParams },
    { ...ofPartner, summary: 'Remove an email domain of this partner' },
  ],
  id: 'domains.remove',
  stepUp: { within: 'rules' },
  method: 'DELETE',
  path: '/domains/{id}',
  summary: 'Remove a domain of a center',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
