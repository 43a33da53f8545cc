/** OpenID Connect providers of a center or a partner. These operations aren't in the specification. */
import { Type } from 'typebox'
import { ofCenter, ofPartner, readByPartner } from './access.ts'
import { CenterParam } from './centers.ts'
import { DateTime, described, named, nullable, PlainName } from './common.ts'
import { oneOf } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { definition } from './operation.ts'

const Issuer = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: "The provider's issuer identifier, exactly as in its discovery document.",
  examples: ['https://login.haneul.example'],
})
const ClientId = Type.String({
  minLength: 1,
  maxLength: 255,
  examples: ['countersign'],
  description: 'The client ID that the provider gave you.',
})
const ClientSecret = Type.String({
  minLength: 1,
  maxLength: 1000,
  examples: ['9f2c-4b71-secret'],
  description: "The client secret that the provider gave you. It's stored encrypted and never shown.",
})

const SignInProvider = named(
  'SignInProvider',
  {
    id: TypedId('signInProvider', "The provider's ID."),
    name: Type.String({ description: 'The name on the sign-in button.' }),
    issuer: Type.String({ description: "The provider's issuer identifier." }),
    clientId: Type.String({ description: 'The client ID that the provider gave you.' }),
    redirectUri: Type.String({ description: 'The redirect URI. Register it with the provider exactly as shown.' }),
    createdAt: described(DateTime, 'When the provider was added.'),
    updatedAt: described(DateTime, 'When the provider last changed.'),
  },
  { description: 'An OpenID Connect provider that members sign in with.' },
)

const NewProvider = named(
  'NewSignInProvider',
  {
    name: described(PlainName, 'The name on the sign-in button.', 'Haneul'),
    issuer: Issuer,
    clientId: ClientId,
    clientSecret: ClientSecret,
  },
  {
    description: 'The provider to add.',
    examples: [
      {
        name: 'Haneul',
        issuer: 'https://login.haneul.example',
        clientId: 'countersign',
        clientSecret: '9f2c-4b71-secret',
      },
    ],
  },
)
const ProviderChange = named(
  'SignInProviderChange',
  {
    name: Type.Optional(described(PlainName, 'The name on the sign-in button.', 'Haneul accounts')),
    clientSecret: Type.Optional(ClientSecret),
  },
  { description: 'What to change about the provider.', minProperties: 1, examples: [{ name: 'Haneul accounts' }] },
)

const shared = { tag: 'Centers', store: 'directory' } as const
const CenterProviderParams = Type.Object({ ...CenterParam.properties, ...IdParam('signInProvider').properties })

export const addSignInProvider = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    {
      ...ofPartner,
      summary: "Add a partner's sign-in provider",
      description:
        "Lets members sign in to all of the partner's centers with OpenID Connect. The provider is trusted only for email addresses in domains that the partner has proven. The issuer and the client ID can't be changed later, because linked accounts belong to them.",
    },
  ],
  id: 'signInProviders.add',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/sign-in-providers',
  summary: 'Add a sign-in provider',
  description:
    "Lets members sign in to the center with OpenID Connect. The provider is trusted only for email addresses in domains that the center has proven. The issuer and the client ID can't be changed later, because linked accounts belong to them. Register `redirectUri` with the provider.",
  body: NewProvider,
  replies: { 201: SignInProvider },
  errors: ['CONFLICT'],
})

export const listSignInProviders = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    {
      ...readByPartner,
      summary: "List a partner's sign-in providers",
      description: "Returns the partner's OpenID Connect providers, without their secrets.",
    },
  ],
  id: 'signInProviders.list',
  method: 'GET',
  path: '/sign-in-providers',
  summary: 'List sign-in providers',
  description: "Returns the center's OpenID Connect providers, without their secrets.",
  replies: { 200: Type.Array(SignInProvider) },
})

export const changeSignInProvider = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterProviderParams },
    {
      ...ofPartner,
      summary: "Update a partner's sign-in provider",
      description: "Changes the name or the client secret of one of the partner's providers.",
    },
  ],
  id: 'signInProviders.update',
  stepUp: { within: 'rules' },
  method: 'PATCH',
  path: '/sign-in-providers/{id}',
  summary: 'Update a sign-in provider',
  description: "Changes a provider's name or client secret.",
  params: IdParam('signInProvider'),
  body: ProviderChange,
  replies: { 200: SignInProvider },
  errors: ['NOT_FOUND'],
})

export const providerProblems = [
  'unreachable',
  'insecure',
  'blocked',
  'noDocument',
  'otherIssuer',
  'incomplete',
  'noKeys',
] as const
const ProviderCheck = named(
  'SignInProviderCheck',
  {
    works: Type.Boolean({ description: 'Whether people can be sent to the provider and its answers can be checked.' }),
    problem: nullable(
      oneOf(
        'SignInProviderProblem',
        providerProblems,
        "The first problem. `unreachable`: no answer. `insecure`: no secure connection. `blocked`: an address in a network that this server doesn't call. `noDocument`: no discovery document at the issuer. `otherIssuer`: the document names another issuer. `incomplete`: it lacks an address, or names one that a browser mustn't open. `noKeys`: its signing keys can't be read. Null if nothing does.",
      ),
    ),
    redirectUri: Type.String({ description: 'The redirect URI. Only the provider knows whether it is registered.' }),
  },
  { description: "What a look at the provider's discovery document and signing keys found." },
)

/** The provider is asked between two transactions, so that none is held open. */
export const checkSignInProvider = definition({
  ...shared,
  mounts: [
    { ...ofCenter, store: 'none', params: CenterProviderParams },
    {
      ...ofPartner,
      store: 'none',
      summary: "Check a partner's sign-in provider",
      description: "Reads the discovery document and the signing keys of one of the partner's providers now.",
    },
  ],
  id: 'signInProviders.check',
  method: 'POST',
  path: '/sign-in-providers/{id}/check',
  summary: 'Check a sign-in provider',
  description:
    "Reads the provider's discovery document and signing keys now, and names the first problem. The client ID, the client secret and the redirect URI can only be checked by signing in.",
  params: IdParam('signInProvider'),
  replies: { 200: ProviderCheck },
  errors: ['NOT_FOUND'],
})

export const removeSignInProvider = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterProviderParams },
    {
      ...ofPartner,
      summary: "Remove a partner's sign-in provider",
      description:
        "Removes one of the partner's providers. Accounts linked with it are unlinked, and sessions that began with it end.",
    },
  ],
  id: 'signInProviders.remove',
  stepUp: { within: 'rules' },
  method: 'DELETE',
  path: '/sign-in-providers/{id}',
  summary: 'Remove a sign-in provider',
  description: 'Removes a provider. Accounts linked with it are unlinked, and sessions that began with it end.',
  params: IdParam('signInProvider'),
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
