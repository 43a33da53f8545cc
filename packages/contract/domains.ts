/** DNS domains that a center or a partner proves by a TXT record. These operations aren't in the specification. */
import { Type } from 'typebox'
import { ofCenter, ofPartner, readByPartner } from './access.ts'
import { CenterParam } from './centers.ts'
import { DateTime, described, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { definition } from './operation.ts'

const Purpose = oneOf(
  'DomainPurpose',
  ['email', 'site'],
  "What the domain is for. `email`: the owner's sign-in providers can vouch for the domain's email addresses. `site`: the domain is a center's custom domain.",
)
const DomainName = Type.String({
  minLength: 3,
  maxLength: 253,
  description: 'A DNS name without a trailing dot.',
  examples: ['haneul.example'],
})

const AddressFinding = named(
  'DomainAddress',
  {
    state: oneOf(
      'DomainAddressState',
      ['right', 'elsewhere', 'absent', 'private', 'error'],
      'Where the domain leads: `right` (to this service), `elsewhere`, `absent` (it has no address), `private` (to an address that is not public), or `error` (the name servers gave no answer).',
    ),
    found: Type.Array(Type.String(), {
      description: 'The name that the domain is an alias of, or its addresses.',
      examples: [['sites.countersign.example']],
    }),
  },
  { description: 'Where the domain led at the last check.' },
)
const CertificateFinding = named(
  'DomainCertificate',
  {
    state: oneOf(
      'DomainCertificateState',
      ['valid', 'expiring', 'expired', 'wrongName', 'untrusted', 'none', 'unreachable', 'unchecked'],
      "The certificate that browsers are shown: `valid`, `expiring` (within 14 days), `expired`, `wrongName` (it's for another domain), `untrusted` (no known authority issued it), `none` (there's none yet), `unreachable` (port 443 accepts no connection) or `unchecked` (the domain doesn't lead to a public address).",
    ),
    issuer: nullable(Type.String({ description: 'Who issued the certificate.', examples: ["Let's Encrypt"] })),
    validUntil: nullable(described(DateTime, 'When the certificate expires.')),
  },
  { description: 'What a TLS handshake with the domain found at the last check.' },
)
const WorksSince = nullable(described(DateTime, "Since when everything has been in place. Null while it isn't."))

const Domain = named(
  'Domain',
  {
    id: TypedId('domain', "The domain's ID."),
    purpose: Purpose,
    domain: DomainName,
    status: oneOf(
      'DomainStatus',
      ['pending', 'proven'],
      "Whether ownership of the domain has been proven. The domain has an effect only while it's `proven`.",
    ),
    record: named(
      'DomainRecord',
      {
        type: Type.Literal('TXT', { description: "The record's type." }),
        name: Type.String({ description: "The record's name." }),
        value: Type.String({ description: "The record's value. Keep the record in the DNS." }),
      },
      { description: 'The DNS record that proves ownership of the domain.' },
    ),
    createdAt: described(DateTime, 'When the domain was added.'),
    provenAt: nullable(described(DateTime, 'When ownership of the domain was proven. Null until then.')),
    checkedAt: nullable(
      described(DateTime, 'When the record was last looked up. Null if it has never been looked up.'),
    ),
    lastCheck: nullable(
      oneOf(
        'DomainCheck',
        ['present', 'absent', 'error'],
        "The result of looking up the record during this request. Null if the record wasn't looked up.",
      ),
    ),
    site: nullable(
      named(
        'DomainSite',
        {
          record: named(
            'DomainSiteRecord',
            {
              type: Type.Literal('CNAME', { description: "The record's type." }),
              name: Type.String({ description: "The record's name." }),
              value: Type.String({ description: 'Where the record has to lead.' }),
            },
            {
              description:
                'The DNS record that leads to this service. At an apex, use an ALIAS record or the same addresses.',
            },
          ),
          address: nullable(AddressFinding),
          certificate: nullable(CertificateFinding),
          worksSince: WorksSince,
        },
        { description: "Whether people reach the center on this domain. Null if the domain isn't a custom domain." },
      ),
    ),
    sender: nullable(
      named(
        'DomainSender',
        {
          record: named(
            'DomainSenderRecord',
            {
              type: Type.Literal('TXT', { description: "The record's type." }),
              name: Type.String({ description: "The record's name." }),
              value: Type.String({ description: 'The whole value, if the domain has no SPF record yet.' }),
            },
            { description: 'The SPF record that lets this service send mail from the domain.' },
          ),
          include: Type.String({ description: 'The term that an existing SPF record needs.' }),
          state: nullable(
            oneOf(
              'DomainSenderState',
              ['right', 'absent', 'notAllowed', 'several', 'error'],
              "What the last check found: `right`, `absent` (no SPF record), `notAllowed` (the record doesn't include this service), `several` (more than one SPF record, which mail servers refuse) or `error` (no answer).",
            ),
          ),
          worksSince: WorksSince,
        },
        {
          description:
            "Whether mail can be sent from the domain's addresses. Null if it isn't an email domain, or the operator hasn't set this up.",
        },
      ),
    ),
  },
  { description: 'A DNS domain that a center or a partner owns.' },
)

const shared = { tag: 'Centers', store: 'directory' } as const
const CenterDomainParams = Type.Object({ ...CenterParam.properties, ...IdParam('domain').properties })
const example = { purpose: 'email', domain: 'haneul.example' }

export const addDomain = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    {
      ...ofPartner,
      summary: "Add a partner's email domain",
      body: named(
        'NewPartnerDomain',
        { domain: described(DomainName, 'The email domain to add.', 'network.example') },
        { description: 'The email domain to add.', examples: [{ domain: 'network.example' }] },
      ),
    },
  ],
  id: 'domains.add',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/domains',
  summary: 'Add a domain',
  description:
    "Adds a domain and returns the TXT record that proves that you own it. Publish `record` in the DNS, then check the domain. Keep the record there: if it's missing in three checks over 24 hours, the domain no longer counts as proven.",
  body: named(
    'NewDomain',
    { purpose: Purpose, domain: DomainName },
    { description: 'The domain to add.', examples: [example] },
  ),
  replies: { 201: Domain },
  errors: ['CONFLICT'],
})

export const listDomains = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    {
      ...readByPartner,
      summary: "List a partner's email domains",
      description: "Returns the partner's email domains, each with the DNS record that proves ownership.",
    },
  ],
  id: 'domains.list',
  method: 'GET',
  path: '/domains',
  summary: 'List domains',
  description: "Returns the center's domains, each with the DNS record that proves ownership.",
  replies: { 200: Type.Array(Domain) },
})

/** The name servers are queried between two transactions, so that none is held open. */
export const checkDomain = definition({
  ...shared,
  mounts: [
    { ...ofCenter, store: 'none', params: CenterDomainParams },
    {
      ...ofPartner,
      store: 'none',
      summary: "Check a partner's domain",
      description:
        "Looks up the TXT record of one of the partner's domains now. If the record is there, the domain counts as proven at once.",
    },
  ],
  id: 'domains.check',
  method: 'POST',
  path: '/domains/{id}/check',
  summary: 'Check a domain',
  description:
    "Looks up the domain's DNS records now, and for a custom domain makes a TLS handshake with it. If the TXT record is there, the domain counts as proven at once.",
  params: IdParam('domain'),
  replies: { 200: Domain },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const removeDomain = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterDomainParams },
    {
      ...ofPartner,
      summary: "Remove a partner's email domain",
      description:
        "Removes one of the partner's email domains. Sign-in providers can no longer vouch for the domain's addresses.",
    },
  ],
  id: 'domains.remove',
  stepUp: { within: 'rules' },
  method: 'DELETE',
  path: '/domains/{id}',
  summary: 'Remove a domain',
  description:
    "Removes one of the center's domains. Sign-in providers can no longer vouch for the domain's addresses, and a custom domain no longer counts as proven.",
  params: IdParam('domain'),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
