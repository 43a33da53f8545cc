/** OpenID Connect providers of a center or a partner. Not in the specification. */
import { Type } from 'typebox'
import { ofCenter, ofPartner, readByPartner } from './access.ts'
import { CenterParam } from './centers.ts'
import { DateTime, named, PlainName } from './common.ts'
import { IdParam, TypedId } from './ids.ts'
import { definition } from './operation.ts'

const Issuer = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Issuer identifier, exactly as in its discovery document',
  examples: ['https://login.haneul.example'],
})
const ClientId = Type.String({ minLength: 1, maxLength: 255, examples: ['countersign'] })
const ClientSecret = Type.String({ minLength: 1, maxLength: 1000, examples: ['a secret of the provider'] })

const SignInProvider = named('SignInProvider', {
  id: TypedId('signInProvider', 'Provider id'),
  name: Type.String({ description: 'What people read on the button' }),
  issuer: Type.String(),
  clientId: Type.String(),
  redirectUri: Type.String({ description: 'Register it with the provider, exactly' }),
  createdAt: DateTime,
  updatedAt: DateTime,
})

const NewProvider = named(
  'NewSignInProvider',
  { name: PlainName, issuer: Issuer, clientId: ClientId, clientSecret: ClientSecret },
  {
    examples: [
      {
        name: 'Haneul',
        issuer: 'https://login.haneul.example',
        clientId: 'countersign',
        clientSecret: 'a secret of the provider',
      },
    ],
  },
)
const ProviderChange = named(
  'SignInProviderChange',
  { name: Type.Optional(PlainName), clientSecret: Type.Optional(ClientSecret) },
  { minProperties: 1, examples: [{ name: 'Haneul accounts' }] },
)

const shared = { tag: 'Centers', store: 'directory' } as const
const CenterProviderParams = Type.Object({ ...CenterParam.properties, ...IdParam.properties })

export const addSignInProvider = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    { ...ofPartner, summary: 'Let members sign in to all centers of this partner by OpenID Connect' },
  ],
  id: 'signInProviders.add',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/sign-in-providers',
  summary: 'Let members sign in to a center by OpenID Connect',
  description:
    'The provider is trusted for addresses in domains that the same owner has proven, and for no others. Issuer and client id never change: linked accounts belong to them.',
  body: NewProvider,
  replies: { 201: SignInProvider },
  errors: ['CONFLICT'],
})

export const listSignInProviders = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterParam },
    { ...readByPartner, summary: 'List the OpenID Connect providers of this partner' },
  ],
  id: 'signInProviders.list',
  method: 'GET',
  path: '/sign-in-providers',
  summary: 'List the OpenID Connect providers of a center',
  replies: { 200: Type.Array(SignInProvider) },
})

export const changeSignInProvider = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterProviderParams },
    { ...ofPartner, summary: 'Change the name or the client secret of a provider of this partner' },
  ],
  id: 'signInProviders.update',
  stepUp: { within: 'rules' },
  method: 'PATCH',
  path: '/sign-in-providers/{id}',
  summary: 'Change the name or the client secret of a provider',
  params: IdParam,
  body: ProviderChange,
  replies: { 200: SignInProvider },
  errors: ['NOT_FOUND'],
})

export const removeSignInProvider = definition({
  ...shared,
  mounts: [
    { ...ofCenter, params: CenterProviderParams },
    { ...ofPartner, summary: 'Remove a provider of this partner, its linked accounts and its sessions' },
  ],
  id: 'signInProviders.remove',
  stepUp: { within: 'rules' },
  method: 'DELETE',
  path: '/sign-in-providers/{id}',
  summary: 'Remove a provider, its linked accounts and its sessions',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND'],
})
